/**
 * Checks one object by itself: its kind, its fields, what a server would reject, and surprising effects of its hooks.
 * Pure.
 */
import { groupOf } from '../../../kube/object.ts';
import { GROUP } from '../../../model/api-version.ts';
import { nearestWord } from '../../../model/nearest-word.ts';
import type { Problem } from '../../../model/problem.ts';
import { shownPath } from '../../convert/conversion.ts';
import { checkShape, type ShapeFindings } from './check-shape.ts';
import { findKind } from './find-kind.ts';
import type { DefinedKind, DefinedKinds } from './kind-schemas.ts';
import { findingOf, type LintObject } from './lint-object.ts';
import type { ManifestRules, ManifestSettings } from './manifest-rules.ts';
import { checkForeign, checkOwn, isOfOtherProduct, isOwn } from './own-kinds.ts';
import { checkMetadata, checkServerRules, refusals } from './server-rules.ts';
import { usedVersion } from './used-version.ts';

export interface ObjectFindings {
  readonly problems: readonly Problem[];
  /** The reason why the object was not checked. */
  readonly note?: string;
}

interface ObjectSettings extends ManifestSettings {
  /** True: the object is a patch of a kustomization. Its fields are checked, but none is required. */
  readonly isPatch: boolean;
  readonly rules: readonly ManifestRules[];
}

export function checkObject(
  object: LintObject,
  kinds: DefinedKinds,
  settings: ObjectSettings,
): ObjectFindings {
  const anonymous = missingIdentity(object);
  if (anonymous.length > 0) return { problems: anonymous };
  if (isOfOtherProduct(object)) return { problems: checkForeign(object) };
  const defined = kinds.find(object.apiVersion, object.kind);
  if (defined !== undefined) return { problems: checkDefined(object, defined, settings) };
  const unknown = unknownInGroup(object, kinds);
  if (unknown !== null) return { problems: [unknown] };
  const found = findKind(object.apiVersion, object.kind, settings.serverMinor);
  if (found.kind === 'foreign') return foreign(object, settings);
  if (found.kind === 'wrong') {
    const { code, message, next, at } = found;
    return {
      problems: [findingOf(object, { code, severity: 'error', path: [at], message, next })],
    };
  }
  const shape = checkShape(object, found.type, usedVersion(settings.serverMinor));
  if (settings.isPatch) return { problems: withoutDirectives(shape.problems) };
  const hooks = hookProblems(object, settings);
  const refused = shape.isSound ? checkServerRules(object) : [];
  return { problems: withoutConsequences(shape, hooks, refused) };
}

function checkDefined(
  object: LintObject,
  defined: DefinedKind,
  { serverMinor, isPatch }: ObjectSettings,
): readonly Problem[] {
  const shape = checkShape(object, defined.type, usedVersion(serverMinor));
  if (isPatch) return withoutDirectives(shape.problems);
  const metadata = shape.isSound ? checkMetadata(object, defined.namespaced) : [];
  if (isOwn(object)) {
    // Omits LHM002, because the rules of Lifehook report the same mistake in more detail.
    const named = shape.problems.filter(({ code }) => code !== 'LHM002');
    return withoutConsequences(
      { ...shape, problems: named },
      [],
      [...metadata, ...checkOwn(object)],
    );
  }
  const refused = shape.isSound ? refusals(object, defined.validate(object.value)) : [];
  return withoutConsequences(shape, [], [...metadata, ...refused]);
}

/** Ignores directives such as `$patch: delete`. */
function withoutDirectives(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ path = '' }) => !/(?:^|\.)\$[\w/]+(?:\[\d+\])?$/u.test(path));
}

function hookProblems(object: LintObject, settings: ObjectSettings): readonly Problem[] {
  const found = settings.rules.flatMap((rules) => rules.checkHooks?.(object.value, settings) ?? []);
  return found.map(({ path, ...finding }) => ({
    ...finding,
    at: object.positionOf(path),
    path: shownPath(path),
  }));
}

/**
 * Reduces the findings to one for each mistake: leaves out consequences of a mistake, and prefers the more specific
 * rule.
 */
function withoutConsequences(
  shape: ShapeFindings,
  special: readonly Problem[],
  refused: readonly Problem[],
): readonly Problem[] {
  const mistakes = shape.problems.map(({ path = '' }) => path);
  const parents = shape.problems
    .filter(({ code }) => code === 'LHM001')
    .map(({ path = '' }) => parentOf(path));
  const isConsequence = ({ path = '' }: Problem): boolean =>
    shape.misspelt.some((one) => isWithin(path, one)) ||
    mistakes.some((one) => isWithin(path, one)) ||
    parents.includes(path);
  const hooks = special.filter((one) => !isConsequence(one));
  const judged = hooks.filter(({ severity }) => severity === 'error').map(({ path = '' }) => path);
  const rest = refused.filter(
    (one) => !isConsequence(one) && !judged.some((path) => isRelated(one.path ?? '', path)),
  );
  return [...shape.problems, ...hooks, ...rest];
}

/** True: one field contains the other. Two rules may report the same mistake at a field and at its parent. */
function isRelated(one: string, other: string): boolean {
  return isWithin(one, other) || isWithin(other, one);
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
}

function parentOf(path: string): string {
  return path.replace(/(?:^|\.)[^.[\]]+$/u, '');
}

/** The problem of an object without apiVersion or kind, whose type is therefore unknown. */
function missingIdentity(object: LintObject): readonly Problem[] {
  const keys = Object.keys(object.value);
  return (['apiVersion', 'kind'] as const).flatMap((field) => {
    if (object[field] !== '') return [];
    const near = nearestWord(
      field,
      keys.filter((key) => !['apiVersion', 'kind', 'metadata', 'spec'].includes(key)),
    );
    return [
      findingOf(object, {
        code: 'LHM008',
        severity: 'error',
        path: near === null ? [field] : [near],
        isKey: near !== null,
        message: `it has no ${field}: a string is required.`,
        next: near === null ? `Add ${field}.` : `Write ${field} instead of ${near}.`,
      }),
    ];
  });
}

/**
 * The problem of an unknown version of a known kind, or of an unknown kind in Lifehook's group, whose kinds are all
 * known; null: neither.
 */
function unknownInGroup(object: LintObject, kinds: DefinedKinds): Problem | null {
  const { apiVersion, kind } = object;
  const group = groupOf(apiVersion);
  const [newest] = kinds.versionsOf(group, kind);
  if (newest !== undefined) {
    return findingOf(object, {
      code: 'LHM005',
      severity: 'error',
      path: ['apiVersion'],
      message: `there is no apiVersion ${apiVersion} of ${kind}: the newest that is known is ${group}/${newest}.`,
      next: `Write apiVersion: ${group}/${newest}.`,
    });
  }
  if (group !== GROUP) return null;
  const near = nearestWord(kind, kinds.kindsOf(group));
  return findingOf(object, {
    code: 'LHM004',
    severity: 'error',
    path: ['kind'],
    message: `${apiVersion} has no kind ${JSON.stringify(kind)}.`,
    next:
      near === null ? `Its kinds: ${kinds.kindsOf(group).join(', ')}.` : `Did you mean ${near}?`,
  });
}

function foreign(object: LintObject, { strict }: ManifestSettings): ObjectFindings {
  const { apiVersion, kind } = object;
  const why = `the definition of ${apiVersion} ${kind} is not among the files`;
  if (!strict) return { problems: [], note: why };
  return {
    problems: [
      findingOf(object, {
        code: 'LHM009',
        severity: 'error',
        path: ['kind'],
        message: `${why}, so its fields are not checked.`,
        next: 'Name the file of its CustomResourceDefinition too.',
      }),
    ],
  };
}
