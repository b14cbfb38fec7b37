import type { Pod } from 'kubernetes-types/core/v1.js';

import { type Outcome, requeueAfter } from '../../../controller/reconcile.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import { pods } from '../../../kube/resources.ts';
import { attemptIn, isPodOfAttempt, podNameOf } from './hook-run.ts';
import { revoke } from './permit.ts';
import { recordOutcome, recordPod } from './record-attempt.ts';
import type { StageStep } from './stage.ts';
import type { StageActing } from './stage-acting.ts';

/** Milliseconds. The watch reports a new pod; this delay is for a late watch. */
const LOOK_AGAIN_MS = 1_000;

type Looking = Extract<StageStep, { kind: 'lookForPod' }>;

/**
 * Asks the server for a pod that the list does not have. If the server has none, the attempt has ended: a pod that is
 * created later finds no permit. Asks twice, since a pod may be created just before the permit is revoked.
 */
export async function lookForPod(acting: StageActing, step: Looking): Promise<Outcome> {
  const { run, attempt, ifMissing: end, abort } = step;
  let pod = await look(acting, step);
  if (pod === null) {
    await revoke(acting.client, run, attempt);
    pod = await look(acting, step);
  }
  if (pod === null) return recordOutcome(acting, { run, attempt, pod: null, end, abort });
  const { podUID } = attemptIn(run, attempt);
  if (podUID === undefined) return recordPod(acting, { run, attempt, pod });
  return requeueAfter(LOOK_AGAIN_MS, 'the list of pods is behind');
}

/** null: there is none, or another client created it. */
async function look({ client }: StageActing, step: Looking): Promise<Pod | null> {
  const { run, attempt } = step;
  const { namespace = '' } = run.metadata ?? {};
  const pod = await getOrNull(client, pods, { namespace, name: podNameOf(run, attempt) });
  return pod !== null && isPodOfAttempt(run, attemptIn(run, attempt), pod) ? pod : null;
}
