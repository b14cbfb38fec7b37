/** Checks whether the kinds of Lifehook are installed. */
import { VERSION } from '../../../model/api-version.ts';
import type { Check, KindFacts } from '../facts.ts';
import { type Finding, unknownFinding } from '../finding.ts';

const APPLY = 'lifehook install | kubectl apply --server-side -f -';

export const ownKinds: Check = ({ cluster }) => {
  const check = 'kinds';
  if (cluster.kind !== 'reached') return [];
  const missing = cluster.kinds.filter(({ isServed }) => !isServed);
  if (missing.length > 0) {
    const names = missing.map(({ kind }) => kind).join(', ');
    const all = missing.length === cluster.kinds.length;
    const found = all
      ? 'the kinds of Lifehook are not installed'
      : `not served: ${names} (lifehook.dev/${VERSION})`;
    return [{ check, result: 'error', found, next: APPLY }, ...cluster.kinds.flatMap(oddKind)];
  }
  const odd = cluster.kinds.flatMap(oddKind);
  if (odd.length > 0) return odd;
  const names = cluster.kinds.map(({ kind }) => kind).join(', ');
  return [{ check, result: 'ok', found: `${names}: ${VERSION}, stored as ${VERSION}` }];
};

function oddKind({ kind, name, isServed, definition, missingFields }: KindFacts): Finding[] {
  const check = 'kinds';
  if (!isServed && definition.kind !== 'known') return [];
  if (definition.kind !== 'known')
    return [unknownFinding(check, `the version of ${kind}`, definition)];
  const { status } = definition.value;
  const stored = status?.storedVersions ?? [];
  const old = stored.filter((version) => version !== VERSION);
  const conditions = (status?.conditions ?? []).filter(
    ({ type, status: is }) => ['Established', 'NamesAccepted'].includes(type) && is !== 'True',
  );
  return [
    ...conditions.map(({ message, reason, type }): Finding => ({
      check,
      result: 'error',
      found: `${kind} is not ${type}: ${message ?? reason ?? 'no reason is given'}`,
      next: `kubectl describe crd ${name}`,
    })),
    ...(old.length === 0 ? [] : [storedFinding(kind, name, old)]),
    ...(missingFields.length === 0 ? [] : [outdatedFinding(kind, missingFields)]),
  ];
}

function storedFinding(kind: string, name: string, old: readonly string[]): Finding {
  const found = `objects of ${kind} are still stored as ${old.join(', ')}`;
  const next = `Write each of them again (kubectl get ${name} -A -o json | kubectl replace -f -), then set status.storedVersions of the definition to [${VERSION}].`;
  return { check: 'kinds', result: 'warning', found, next };
}

const FIELDS_SHOWN = 3;

function outdatedFinding(kind: string, fields: readonly string[]): Finding {
  const more = fields.length - FIELDS_SHOWN;
  const shown = fields.slice(0, FIELDS_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '');
  const found = `the definition of ${kind} is older than this program: it lacks ${shown}, which the server drops`;
  return { check: 'kinds', result: 'warning', found, next: APPLY };
}
