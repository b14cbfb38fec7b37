/** The rules for the spec of an ApplicationSnapshot (SNAP-R11, SNAP-R30, SNAP-CASE38). */
import {
  checkLabels,
  checkObjectName,
  checkOnce,
} from '../../../controller/definitions/check-names.ts';
import {
  type FieldProblem,
  forbidden,
  required,
} from '../../../controller/definitions/field-problem.ts';
import type { ApplicationSnapshotSpec, ExecutionHookInfo } from '../kinds.ts';
import { checkRecipe, type ResolveRecipe } from './check-recipe.ts';
import { checkTargets } from './check-targets.ts';

export const WINDOW_OF_NAMED_CLAIMS =
  'a window of a guard creates no snapshots: give the names of its claims and its hooks, and no mode Group and no class';

export function checkSnapshotSpec(
  spec: ApplicationSnapshotSpec,
  resolveRecipe: ResolveRecipe,
): FieldProblem[] {
  const { executionHookInfos = [] } = spec;
  return [
    ...checkSource(spec.source),
    ...checkMode(spec),
    ...checkWindow(spec),
    ...checkClass('volumeSnapshotClassName', spec.volumeSnapshotClassName),
    ...checkClass('volumeGroupSnapshotClassName', spec.volumeGroupSnapshotClassName),
    ...checkHookInfos('spec.executionHookInfos', executionHookInfos, resolveRecipe),
  ];
}

/** Checks the infos of a snapshot, and those in a claim's annotation. Then `field` names the annotation. */
export function checkHookInfos(
  field: string,
  infos: readonly ExecutionHookInfo[],
  resolveRecipe: ResolveRecipe,
): FieldProblem[] {
  return infos.flatMap((info, index) => {
    const at = `${field}[${index}]`;
    return [...checkTargets(at, info), ...checkInfoSource(at, info, resolveRecipe)];
  });
}

function checkInfoSource(
  field: string,
  { executionHookTemplateName: template, recipe }: ExecutionHookInfo,
  resolveRecipe: ResolveRecipe,
): FieldProblem[] {
  const at = `${field}.executionHookTemplateName`;
  if (template !== undefined && recipe !== undefined) {
    return [forbidden(`${field}.recipe`, 'the template sets this: remove it, or the template')];
  }
  if (template !== undefined) return checkObjectName(at, template, 'the template');
  if (recipe === undefined) return [required(at, 'name a template, or a recipe')];
  return checkRecipe({ actions: {}, recipe, field: `${field}.recipe`, resolveRecipe });
}

function checkSource(source: ApplicationSnapshotSpec['source']): FieldProblem[] {
  const { persistentVolumeClaimNames: names, selector } = source;
  if ((names === undefined) === (selector === undefined)) {
    const detail = 'give exactly one of persistentVolumeClaimNames and selector';
    return names === undefined
      ? [required('spec.source', detail)]
      : [forbidden('spec.source.selector', `${detail}: remove one of them`)];
  }
  return names === undefined
    ? checkSelector('spec.source.selector', selector ?? {})
    : checkClaims('spec.source.persistentVolumeClaimNames', names);
}

function checkClaims(field: string, names: readonly string[]): FieldProblem[] {
  const at = (index: number): string => `${field}[${index}]`;
  const named = names.flatMap((name, index) => checkObjectName(at(index), name, 'the claim'));
  return [...named, ...checkOnce(names, at)];
}

type Selector = NonNullable<ApplicationSnapshotSpec['source']['selector']>;

/** matchExpressions are refused: the group snapshotter ignores them silently, and would cut other volumes. */
function checkSelector(field: string, selector: Selector): FieldProblem[] {
  const { matchLabels = {}, matchExpressions } = selector;
  if (matchExpressions !== undefined) {
    const detail = 'group snapshots ignore matchExpressions: select the claims by matchLabels';
    return [forbidden(`${field}.matchExpressions`, detail)];
  }
  if (Object.keys(matchLabels).length > 0) return checkLabels(`${field}.matchLabels`, matchLabels);
  return [required(`${field}.matchLabels`, 'give at least one label of the claims')];
}

function checkMode({ mode, source, ...classes }: ApplicationSnapshotSpec): FieldProblem[] {
  const { volumeSnapshotClassName: single, volumeGroupSnapshotClassName: group } = classes;
  const problems: FieldProblem[] = [];
  if (mode === 'Group') {
    if (source.selector === undefined) {
      const detail = 'mode Group selects its claims by labels: give a selector instead of names';
      problems.push(required('spec.source.selector', detail));
    }
    if (single !== undefined) {
      const detail =
        'mode Group does not use volumeSnapshotClassName: give volumeGroupSnapshotClassName instead';
      problems.push(forbidden('spec.volumeSnapshotClassName', detail));
    }
  } else if (group !== undefined) {
    const detail = 'it is for mode Group: set the mode, or give volumeSnapshotClassName';
    problems.push(forbidden('spec.volumeGroupSnapshotClassName', detail));
  }
  return problems;
}

/** A window takes no snapshots itself, and has the claims and the hooks of its guard. */
function checkWindow({
  window,
  mode,
  source,
  volumeSnapshotClassName,
  executionHookInfos = [],
}: ApplicationSnapshotSpec): FieldProblem[] {
  if (window === undefined) return [];
  const createsNone = mode !== 'Group' && volumeSnapshotClassName === undefined;
  if (createsNone && source.selector === undefined && executionHookInfos.length > 0) return [];
  return [forbidden('spec.window', WINDOW_OF_NAMED_CLAIMS)];
}

function checkClass(name: string, value: string | undefined): FieldProblem[] {
  if (value === undefined) return [];
  return checkObjectName(`spec.${name}`, value, 'the class');
}
