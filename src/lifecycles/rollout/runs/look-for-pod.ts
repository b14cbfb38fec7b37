import type { Pod } from 'kubernetes-types/core/v1.js';

import { type Outcome, requeueAfter } from '../../../controller/reconcile.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import { pods } from '../../../kube/resources.ts';
import { identityOf, isSameIdentity } from '../hookpod/identity.ts';
import { podIdentity, podNameOf } from './hook-run.ts';
import { recordOutcome } from './record-outcome.ts';
import { recordPod } from './record-pod.ts';
import type { StageStep } from './stage.ts';
import type { StageActing } from './stage-acting.ts';

/** That a pod is there is told by the watch; this is for a watch that is late. */
const LOOK_AGAIN_MS = 1_000;

type Looking = Extract<StageStep, { kind: 'lookForPod' }>;

/** Asks the server for a pod that the list does not have. Where there is none either, that is the attempt's end. */
export async function lookForPod(acting: StageActing, step: Looking): Promise<Outcome> {
  const { run, attempt, ifMissing: end, abort } = step;
  const { namespace = '' } = run.metadata ?? {};
  const key = { namespace, name: podNameOf(run, attempt) };
  const pod = await getOrNull(acting.client, pods, key);
  if (!isWanted(step, pod)) return recordOutcome(acting, { run, attempt, pod: null, end, abort });
  const { podUID } = attemptOf(step) ?? {};
  if (podUID === undefined) return recordPod(acting, { run, attempt, pod });
  return requeueAfter(LOOK_AGAIN_MS, 'the list of pods is behind');
}

/** The very pod, where it is known which that was. */
function isWanted(step: Looking, pod: Pod | null): pod is Pod {
  if (pod === null) return false;
  if (!isSameIdentity(identityOf(pod), podIdentity(step.run, step.attempt))) return false;
  const { podUID } = attemptOf(step) ?? {};
  return podUID === undefined || podUID === pod.metadata?.uid;
}

function attemptOf({
  run,
  attempt,
}: Looking): NonNullable<Looking['run']['status']>['attempts'][number] | undefined {
  return run.status?.attempts.find(({ number }) => number === attempt);
}
