/** Validates objects of Lifehook's kinds as the webhook does, and finds objects of other products to convert. Pure. */
import { fieldProblemMessage } from '../../../controller/definitions/field-problem.ts';
import type { Findings } from '../../../controller/definitions/schema-problems.ts';
import type { DeploymentLifecycle } from '../../../lifecycles/rollout/kinds.ts';
import { checkAgainstDeployment } from '../../../lifecycles/rollout/schema/check-against-deployment.ts';
import { validateLifecycle } from '../../../lifecycles/rollout/schema/validate.ts';
import { resolveRecipe } from '../../../lifecycles/snapshot/recipes/all-recipes.ts';
import {
  validateHook,
  type ValidateInput,
  validateSnapshot,
  validateTemplate,
} from '../../../lifecycles/snapshot/schema/validate.ts';
import type { Problem } from '../../../model/problem.ts';
import { isDeploymentConfig } from '../../rollout/deployment-config.ts';
import { isForeignHook, isHookedSnapshot } from '../../snapshot/execution-hook.ts';
import { findingOf, type LintObject, pathOfField } from './lint-object.ts';

const API_VERSION = 'lifehook.dev/v1alpha1';

const VALIDATORS: Readonly<Record<string, (input: ValidateInput) => Findings>> = {
  ExecutionHook: validateHook,
  ExecutionHookTemplate: validateTemplate,
  ApplicationSnapshot: validateSnapshot,
  DeploymentLifecycle: validateLifecycle,
};

export function isOwn({ apiVersion, kind }: LintObject): boolean {
  return apiVersion === API_VERSION && Object.hasOwn(VALIDATORS, kind);
}

export function checkOwn(object: LintObject): readonly Problem[] {
  return problemsOf(object, judge(object));
}

/** False: further findings would follow from its errors. */
export function isRight(object: LintObject): boolean {
  return judge(object).errors.length === 0;
}

/** `lifecycle`: a valid one; `deployment`: the one that it names. */
export function checkBesideDeployment(
  lifecycle: LintObject,
  deployment: LintObject,
): readonly Problem[] {
  const own = lifecycle.value as unknown as DeploymentLifecycle;
  return problemsOf(lifecycle, checkAgainstDeployment(own, deployment.value));
}

/** An object of another product, whose hooks do not run here. */
export function checkForeign(object: LintObject): readonly Problem[] {
  if (!isOfOtherProduct(object)) return [];
  return [
    findingOf(object, {
      code: 'LHG066',
      severity: 'warning',
      path: ['kind'],
      message: 'it is of another product, and none of its hooks runs here.',
      next: 'Run `lifehook convert` on the file.',
    }),
  ];
}

export function isOfOtherProduct({ value }: LintObject): boolean {
  return [isDeploymentConfig, isForeignHook, isHookedSnapshot].some((is) => is(value));
}

function judge({ kind, value }: LintObject): Findings {
  return VALIDATORS[kind]?.({ object: value, resolveRecipe }) ?? { errors: [], warnings: [] };
}

function problemsOf(object: LintObject, { errors, warnings }: Findings): readonly Problem[] {
  return [
    ...errors.map((problem) =>
      findingOf(object, {
        code: 'LHG064',
        severity: 'error',
        path: pathOfField(object.value, problem.field),
        message: `a server would refuse it: ${fieldProblemMessage(problem).replace(/\.$/u, '')}.`,
        next: 'Correct this field; docs/reference has all of them.',
      }),
    ),
    // The check of the type finds unknown fields, with their places.
    ...warnings
      .filter((warning) => !warning.startsWith('unknown field'))
      .map((warning) =>
        findingOf(object, {
          code: 'LHG065',
          severity: 'warning',
          path: pathOfField(object.value, FIELD.exec(warning)?.[0] ?? ''),
          message: `${warning}.`,
          next: 'Correct it where it is not meant.',
        }),
      ),
  ];
}

/** A warning begins with its field. */
const FIELD = /^[\w.[\]]+(?=:)/u;
