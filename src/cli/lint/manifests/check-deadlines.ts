/** Deadlines of one object that leave the hooks of another no time. Pure. */
import { numberAt, objectsAt, textAt } from '../../../kube/fields.ts';
import type { DeploymentLifecycle } from '../../../lifecycles/rollout/kinds.ts';
import { DEFAULT_PROGRESS_DEADLINE_SECONDS } from '../../../lifecycles/rollout/names.ts';
import { hooksOf } from '../../../lifecycles/rollout/schema/hooks-of.ts';
import { DEFAULT_CUT_DEADLINE_SECONDS } from '../../../lifecycles/snapshot/names.ts';
import type { Problem } from '../../../model/problem.ts';
import { findingOf, type LintObject, pathOfField, titleOf } from './lint-object.ts';
import type { ObjectIndex } from './object-index.ts';

/** A stage ends with progressDeadlineSeconds of the Deployment, whatever its hook may take. */
export function checkStageDeadlines(
  lifecycle: LintObject,
  deployment: LintObject,
): readonly Problem[] {
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
        message: `${field}.timeoutSeconds is ${timeoutSeconds}, and the stage ${stage} ends after ${deadline} s, progressDeadlineSeconds of the ${titleOf(deployment)}.`,
        next: `Raise spec.progressDeadlineSeconds of the Deployment to ${timeoutSeconds} or more, or lower the timeout.`,
      }),
    ];
  });
}

/** A thaw that may come before the deadline of the cut makes the snapshot inconsistent. */
export function checkCutDeadline(snapshot: LintObject, index: ObjectIndex): readonly Problem[] {
  const cut =
    numberAt(snapshot.value, 'spec', 'cutDeadlineSeconds') ?? DEFAULT_CUT_DEADLINE_SECONDS;
  return objectsAt(snapshot.value, 'spec', 'executionHookInfos').flatMap((info, at) => {
    const name = textAt(info, 'executionHookTemplateName');
    const wanted = { group: 'lifehook.dev', kind: 'ExecutionHookTemplate', name };
    const template = index.find(wanted, snapshot);
    const seconds = numberAt(template?.value, 'expirationSeconds');
    if (template === undefined || seconds === undefined || seconds >= cut) return [];
    return [
      findingOf(snapshot, {
        code: 'LHM016',
        severity: 'warning',
        path: ['spec', 'executionHookInfos', at, 'executionHookTemplateName'],
        message: `the ${titleOf(template)} thaws ${seconds} s after its preAction begins (expirationSeconds), and the cut may take ${cut} s (cutDeadlineSeconds).`,
        next: `Raise expirationSeconds of the template to ${cut} or more, or lower cutDeadlineSeconds.`,
      }),
    ];
  });
}
