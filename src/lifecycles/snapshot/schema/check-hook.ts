/**
 * The rules for the spec of an ExecutionHook: its targets, and exactly one source of its actions (SNAP-R2, SNAP-R3,
 * SNAP-R4, SNAP-G1). The hook controller checks them too before a hook begins, for servers without our webhook.
 */
import { checkObjectName } from '../../../controller/definitions/check-names.ts';
import {
  type FieldProblem,
  forbidden,
  invalid,
  required,
} from '../../../controller/definitions/field-problem.ts';
import type { ExecutionHookSpec, HookActions } from '../kinds.ts';
import { checkActions } from './check-actions.ts';
import type { ResolveRecipe } from './check-recipe.ts';
import { checkSomeTarget, checkTargets } from './check-targets.ts';
import { whyTooLarge } from './status-budget.ts';

const ACTIONS: readonly (keyof HookActions)[] = [
  'policy',
  'preAction',
  'postAction',
  'probe',
  'lockScope',
  'rescue',
  'recipe',
  'expirationSeconds',
  'expirationTimeSeconds',
];

export function checkHookSpec(
  spec: ExecutionHookSpec,
  resolveRecipe: ResolveRecipe,
): FieldProblem[] {
  return [
    ...checkSomeTarget('spec', spec),
    ...checkTargets('spec', spec),
    ...checkSource(spec, resolveRecipe),
    ...checkSize(spec),
  ];
}

/** Counts only listed targets; those of a selector are counted when the hook begins. */
function checkSize(spec: ExecutionHookSpec): FieldProblem[] {
  const { podContainerNamesList: list = [] } = spec;
  const targets = list.flatMap(({ podName, containerNames }) =>
    containerNames.map((containerName) => ({ podName, containerName })),
  );
  const why = whyTooLarge({ hook: { spec }, targets });
  return why === null ? [] : [invalid('spec.podContainerNamesList', targets.length, why)];
}

/** SNAP-G1: a hook names a template, or defines its own actions. */
function checkSource(spec: ExecutionHookSpec, resolveRecipe: ResolveRecipe): FieldProblem[] {
  const field = 'spec.executionHookTemplateName';
  const own = ACTIONS.filter((name) => spec[name] !== undefined);
  const template = spec.executionHookTemplateName;
  if (template !== undefined) {
    const both = own.map((name) =>
      forbidden(`spec.${name}`, `the template sets this: remove it, or executionHookTemplateName`),
    );
    return [...checkObjectName(field, template, 'the template'), ...both];
  }
  if (own.length > 0) return checkActions({ actions: spec, field: 'spec', resolveRecipe });
  const detail = 'name a template, or give a preAction or a recipe';
  return [required(field, detail)];
}
