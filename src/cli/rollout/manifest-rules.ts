/** Checks DeploymentLifecycles in manifests, by themselves and together with their Deployment. Pure. */
import { numberAt, fieldsAt, textAt } from '../../kube/fields.ts';
import type { DeploymentLifecycle } from '../../lifecycles/rollout/kinds.ts';
import { DEFAULT_PROGRESS_DEADLINE_SECONDS } from '../../lifecycles/rollout/names.ts';
import { checkAgainstDeployment } from '../../lifecycles/rollout/schema/check-against-deployment.ts';
import { hooksOf } from '../../lifecycles/rollout/schema/hooks-of.ts';
import { validateLifecycle } from '../../lifecycles/rollout/schema/validate.ts';
import type { Problem } from '../../model/problem.ts';
import type { ManifestConversion } from '../convert/conversion.ts';
import { findingOf, type LintObject, pathOfField, titleOf } from '../lint/manifests/lint-object.ts';
import type { ManifestRules } from '../lint/manifests/manifest-rules.ts';
import type { ObjectIndex } from '../lint/manifests/object-index.ts';
import { problemsOf } from '../lint/manifests/server-findings.ts';
import { convertDeploymentConfig, isDeploymentConfig } from './deployment-config.ts';

export const manifestRules: ManifestRules = {
  validators: { DeploymentLifecycle: (object) => validateLifecycle({ object }) },
  checkTogether: (object, index) =>
    object.kind === 'DeploymentLifecycle' ? checkLifecycle(object, index) : [],
};

export const manifestConversions: readonly ManifestConversion[] = [
  { isConvertible: isDeploymentConfig, convert: convertDeploymentConfig },
];

function checkLifecycle(lifecycle: LintObject, index: ObjectIndex): readonly Problem[] {
  const isRight = validateLifecycle({ object: lifecycle.value }).errors.length === 0;
  // Further findings would only be consequences of these errors.
  if (!isRight) return [];
  const name = textAt(fieldsAt(lifecycle.value['spec'])['deploymentName']);
  const deployment = index.find({ group: 'apps', kind: 'Deployment', name }, lifecycle);
  if (deployment === undefined || !hasTemplate(deployment)) return [];
  const own = lifecycle.value as unknown as DeploymentLifecycle;
  const details = problemsOf(lifecycle, checkAgainstDeployment(own, deployment.value));
  return [...details, ...checkStageDeadlines(lifecycle, deployment)];
}

function hasTemplate({ value }: LintObject): boolean {
  const template = fieldsAt(fieldsAt(value['spec'])['template']);
  return Array.isArray(fieldsAt(template['spec'])['containers']);
}

/**
 * Warns of a hook timeout that is longer than its stage: a stage ends at the latest after the Deployment's
 * progressDeadlineSeconds.
 */
function checkStageDeadlines(lifecycle: LintObject, deployment: LintObject): readonly Problem[] {
  const deadline =
    numberAt(deployment.value, 'spec', 'progressDeadlineSeconds') ??
    DEFAULT_PROGRESS_DEADLINE_SECONDS;
  const { spec } = lifecycle.value as unknown as DeploymentLifecycle;
  return hooksOf(spec).flatMap(({ field, stage, hook }) => {
    const { timeoutSeconds } = hook;
    if (timeoutSeconds === undefined || timeoutSeconds <= deadline) return [];
    return [
      findingOf(lifecycle, {
        code: 'LHM015',
        severity: 'warning',
        path: pathOfField(lifecycle.value, `${field}.timeoutSeconds`),
        message: `${field}.timeoutSeconds is ${timeoutSeconds}, but the stage ${stage} ends after ${deadline} s (progressDeadlineSeconds of the ${titleOf(deployment)}).`,
        next: `Raise spec.progressDeadlineSeconds of the Deployment to ${timeoutSeconds} or more, or lower the timeout.`,
      }),
    ];
  });
}
