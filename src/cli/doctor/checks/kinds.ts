/** Checks the kinds that Lifehook needs: its own, and those of volume snapshots. */
import type { SnapshotClass } from '../../../kube/snapshots.ts';
import { IS_DEFAULT_CLASS, IS_DEFAULT_GROUP_CLASS } from '../../../kube/snapshots.ts';
import type { Asked } from '../asked.ts';
import type { KindFacts } from '../facts.ts';
import { type Check, type Finding, unknownFinding } from '../finding.ts';

const VERSION = 'v1alpha1';
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

export const snapshotKinds: Check = ({ cluster }) => {
  const check = 'snapshot kinds';
  if (cluster.kind !== 'reached') return [];
  const { volumeSnapshot, volumeGroupSnapshot } = cluster.capabilities;
  if (volumeSnapshot === null) {
    const found =
      'the server has no VolumeSnapshot (snapshot.storage.k8s.io/v1): no snapshots can be taken';
    const next =
      'Install the snapshot controller of your CSI driver, or the kinds alone: lifehook install --snapshot-kinds';
    return [{ check, result: 'warning', found, next }];
  }
  const group =
    volumeGroupSnapshot === null
      ? 'no VolumeGroupSnapshot, so no `mode: Group`'
      : `VolumeGroupSnapshot ${volumeGroupSnapshot}`;
  return [{ check, result: 'ok', found: `VolumeSnapshot ${volumeSnapshot}; ${group}` }];
};

export const snapshotClasses: Check = ({ cluster }) => {
  if (cluster.kind !== 'reached' || cluster.capabilities.volumeSnapshot === null) return [];
  const single = { kind: 'VolumeSnapshotClass', mark: IS_DEFAULT_CLASS };
  const group = { kind: 'VolumeGroupSnapshotClass', mark: IS_DEFAULT_GROUP_CLASS };
  const { snapshotClasses: classes, groupClasses } = cluster;
  return [
    ...classesFindings(single, classes),
    ...(groupClasses === undefined ? [] : classesFindings(group, groupClasses)),
  ];
};

interface ClassKind {
  readonly kind: string;
  /** The annotation that marks the default class. */
  readonly mark: string;
}

function classesFindings(
  { kind, mark }: ClassKind,
  asked: Asked<readonly SnapshotClass[]>,
): Finding[] {
  const check = 'snapshot classes';
  if (asked.kind !== 'known') return [unknownFinding(check, kind, asked)];
  if (asked.value.length === 0) {
    const next = `Create a ${kind} for the driver of your volumes: without one nothing is cut.`;
    return [{ check, result: 'warning', found: `there is no ${kind}`, next }];
  }
  const drivers = [...new Set(asked.value.map(({ driver }) => driver))];
  return drivers.map((driver) => driverFinding({ kind, mark, driver }, asked.value));
}

function driverFinding(
  { kind, mark, driver }: ClassKind & { readonly driver: string },
  all: readonly SnapshotClass[],
): Finding {
  const check = 'snapshot classes';
  const own = all.filter((each) => each.driver === driver);
  const names = own.map(({ metadata }) => metadata?.name ?? '').join(', ');
  const defaults = own.filter(({ metadata }) => metadata?.annotations?.[mark] === 'true');
  const [only] = defaults;
  if (only !== undefined && defaults.length === 1) {
    const found = `${kind} of driver ${driver}: ${names} (default: ${only.metadata?.name ?? ''})`;
    return { check, result: 'ok', found };
  }
  const count = only === undefined ? 'none is the default' : `${defaults.length} are the default`;
  const found = `${kind} of driver ${driver}: ${names}; ${count}`;
  const next = `Annotate exactly one with ${mark}=true, or name a class in each ApplicationSnapshot.`;
  return { check, result: 'warning', found, next };
}
