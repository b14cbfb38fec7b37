/** Checks the rules for a DeploymentLifecycle that its schema cannot express (ROLL-DH1 to ROLL-DH8, ROLL-C9). Pure. */
import { checkObjectName } from '../../../controller/definitions/check-names.ts';
import {
  type FieldProblem,
  forbidden,
  invalid,
} from '../../../controller/definitions/field-problem.ts';
import type { DeploymentLifecycleSpec } from '../kinds.ts';
import { checkHook } from './check-hook.ts';
import { hooksOf } from './hooks-of.ts';

/** Error for a mid hook of a rolling update (ROLL-C9). */
export const NO_ROLLING_MID =
  'old and new pods of a rolling update run side by side, so it has no mid stage: give the Deployment the strategy Recreate and move the hook to recreate.mid, or make it pre';
/** Error for the policy Abort in the post hook of a rolling update (ROLL-DH3, ROLL-C9). */
export const NO_ROLLING_POST_ABORT =
  'when a rolling update is complete the old pods are deleted, and nothing is left to abort: use Retry or Ignore, or the strategy Recreate';
/** The name is immutable, because the rollouts, the label and the saved template belong to that Deployment. */
export const FIXED_DEPLOYMENT =
  'the Deployment of a DeploymentLifecycle cannot be changed: delete the DeploymentLifecycle, and create one for the other Deployment';

/** Checks a spec that the schema has accepted. */
export function checkLifecycleSpec(spec: DeploymentLifecycleSpec): FieldProblem[] {
  const { deploymentName, rollingUpdate } = spec;
  return [
    ...checkObjectName('spec.deploymentName', deploymentName, 'the Deployment'),
    ...(rollingUpdate?.mid === undefined
      ? []
      : [forbidden('spec.rollingUpdate.mid', NO_ROLLING_MID)]),
    ...(rollingUpdate?.post?.failurePolicy === 'Abort'
      ? [invalid('spec.rollingUpdate.post.failurePolicy', 'Abort', NO_ROLLING_POST_ABORT)]
      : []),
    ...hooksOf(spec).flatMap(({ field, hook }) => checkHook(field, hook)),
  ];
}

/** Checks that `spec.deploymentName`, the only immutable field, is unchanged. */
export function checkLifecycleChange(
  before: DeploymentLifecycleSpec,
  after: DeploymentLifecycleSpec,
): FieldProblem[] {
  if (before.deploymentName === after.deploymentName) return [];
  return [invalid('spec.deploymentName', after.deploymentName, FIXED_DEPLOYMENT)];
}
