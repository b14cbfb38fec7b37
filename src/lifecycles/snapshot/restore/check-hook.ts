/** The rules for a hook of a SnapshotRestore that its schema cannot express (SNAP-V8). Pure. */
import {
  checkLabels,
  checkObjectName,
  checkOnce,
} from '../../../controller/definitions/check-names.ts';
import { checkCommand } from '../../../controller/definitions/check-values.ts';
import {
  type FieldProblem,
  forbidden,
  invalid,
  required,
} from '../../../controller/definitions/field-problem.ts';
import { checkVerify, type ResolveRecipe } from '../schema/check-recipe.ts';
import type { RestoreExec, RestoreHook, RestorePod, RestoreStage } from './kinds.ts';

/** The name is part of a pod's name. */
const HOOK_NAME = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;

export interface Place {
  readonly field: string;
  readonly stage: RestoreStage;
  readonly resolveRecipe: ResolveRecipe;
}

export function checkHook(
  hook: RestoreHook,
  { field, stage, resolveRecipe }: Place,
): FieldProblem[] {
  const { name, scale, exec, pod } = hook;
  const handlers = [scale, exec, pod].filter((each) => each !== undefined);
  const problems: FieldProblem[] = [];
  if (!HOOK_NAME.test(name)) {
    const detail =
      'must have only lower-case letters, digits and "-", and begin and end with a letter or digit';
    problems.push(invalid(`${field}.name`, name, detail));
  }
  if (handlers.length !== 1) {
    problems.push(required(field, 'give exactly one of scale, exec and pod'));
  }
  if (scale !== undefined) {
    if (stage !== 'preRestore') {
      problems.push(forbidden(`${field}.scale`, 'it stops a workload: move it to preRestore'));
    }
    problems.push(...checkObjectName(`${field}.scale.name`, scale.name, 'the workload'));
  }
  if (exec !== undefined) problems.push(...checkExec(`${field}.exec`, exec));
  if (pod !== undefined)
    problems.push(...checkPod(pod, { field: `${field}.pod`, stage, resolveRecipe }));
  return problems;
}

function checkExec(field: string, { podName, podSelector, command }: RestoreExec): FieldProblem[] {
  const problems = checkCommand(`${field}.command`, command);
  if ((podName === undefined) === (podSelector === undefined)) {
    return [...problems, required(field, 'give exactly one of podName and podSelector')];
  }
  if (podName !== undefined) {
    return [...problems, ...checkObjectName(`${field}.podName`, podName, 'the pod')];
  }
  const { matchLabels = {} } = podSelector ?? {};
  const at = `${field}.podSelector.matchLabels`;
  return Object.keys(matchLabels).length === 0
    ? [...problems, required(at, 'give at least one label of the pod')]
    : [...problems, ...checkLabels(at, matchLabels)];
}

function checkPod(pod: RestorePod, place: Place): FieldProblem[] {
  const { field, stage } = place;
  const { command, recipe, mounts = [] } = pod;
  const problems = recipe === undefined ? [] : checkRecipe(recipe, pod, place);
  if (command !== undefined) problems.push(...checkCommand(`${field}.command`, command));
  if (stage === 'preRestore' && mounts.length > 0) {
    const detail = 'no claim exists before postRestore: remove the mounts, or move the hook';
    problems.push(forbidden(`${field}.mounts`, detail));
  }
  return [...problems, ...checkMounts(`${field}.mounts`, mounts)];
}

function checkRecipe(
  recipe: NonNullable<RestorePod['recipe']>,
  { command, args, mounts }: RestorePod,
  { field, stage, resolveRecipe }: Place,
): FieldProblem[] {
  const at = `${field}.recipe`;
  const problems: FieldProblem[] = [];
  if (stage !== 'verify') {
    problems.push(forbidden(at, 'a recipe checks the copy: move the hook to verify'));
  }
  if (command !== undefined || args !== undefined) {
    problems.push(
      forbidden(at, 'the recipe has its own command: remove command and args, or the recipe'),
    );
  }
  if (mounts?.length === 0) {
    const detail = 'a recipe checks the first mounted claim: give one, or leave mounts out for all';
    problems.push(required(`${field}.mounts`, detail));
  }
  return [...problems, ...checkVerify(at, recipe, resolveRecipe)];
}

function checkMounts(field: string, mounts: NonNullable<RestorePod['mounts']>): FieldProblem[] {
  const wrong = mounts.flatMap(({ path }, index) => {
    if (!path.includes(':') && !path.split('/').includes('..')) return [];
    const detail = 'must be a path without ":" and ".."';
    return [invalid(`${field}[${index}].path`, path, detail)];
  });
  const claims = mounts.map(({ sourceClaimName }) => sourceClaimName);
  const paths = mounts.map(({ path }) => path);
  return [
    ...wrong,
    ...checkOnce(claims, (index) => `${field}[${index}].sourceClaimName`),
    ...checkOnce(paths, (index) => `${field}[${index}].path`),
  ];
}
