/** Decides about HookRuns and hook pods outside of the current stage. Pure. */
import { isTerminating } from '../../../controller/finalizers.ts';
import { countText } from '../../../model/count-text.ts';
import type { HookRun } from '../kinds.ts';
import { adoptions, release } from '../runs/tidy.ts';
import type { StageAbort } from '../runs/stage.ts';
import { decideEnding } from '../runs/ending.ts';
import { surplusPods, surplusRuns } from '../runs/retention.ts';
import type { Rolling, RolloutFacts } from './facts.ts';
import type { MachineStep } from './step.ts';
import { setOf } from './templates.ts';

const LOOK_AGAIN_MS = 5_000;

/** Ends the matching HookRuns: those that have not ended, and those whose pods still have Lifehook's finalizer. */
export function endRuns(
  { hookRuns, hookPods, nowMs }: RolloutFacts,
  abort: StageAbort,
  concerns: (run: HookRun) => boolean,
): MachineStep | null {
  for (const run of hookRuns.filter(concerns)) {
    const step = decideEnding({ run, pods: hookPods, nowMs, abort });
    if (step.kind !== 'settled') return { kind: 'stage', step, reason: abort.message };
  }
  return null;
}

/** Removes a pod that no rollout uses: it has no HookRun, or its outcome is recorded. */
export function dropStrays(
  { hookPods: pods, hookRuns: runs }: RolloutFacts,
  openNumber: number | null,
): MachineStep | null {
  const [step] = release({ pods, runs, openNumber });
  return step === undefined ? null : { kind: 'stage', step, reason: 'no rollout uses the pod' };
}

/** Deletes hook pods until none is left; null: none is left. */
export function clearPods(facts: RolloutFacts, reason: string): MachineStep | null {
  const stray = dropStrays(facts, null);
  if (stray !== null) return stray;
  const { hookPods } = facts;
  const there = hookPods.find((pod) => !isTerminating(pod));
  if (there !== undefined) return { kind: 'deletePod', pod: there, reason };
  const { length } = hookPods;
  if (length === 0) return null;
  const reasonOfWait = `${countText(length, 'hook pod')} ${length === 1 ? 'is' : 'are'} being deleted`;
  return { kind: 'waitFor', ms: LOOK_AGAIN_MS, reason: reasonOfWait };
}

/** Makes the ReplicaSet of the new template the owner of the rollout's pods, once it exists (ROLL-DH19). */
export function adoptPods({ hookPods: pods, number, rollout, sets }: Rolling): MachineStep | null {
  const replicaSet = setOf(sets, rollout.digest);
  if (replicaSet === null) return null;
  const [step] = adoptions({ pods, number, replicaSet });
  return step === undefined ? null : { kind: 'stage', step, reason: 'its ReplicaSet owns the pod' };
}

/** Deletes the pods and HookRuns that exceed the numbers to keep (ROLL-DH20). */
export function dropSurplus({ hookPods, hookRuns, lifecycle }: Rolling): MachineStep | null {
  const { podsKept } = lifecycle.spec;
  const [pod] = surplusPods({ pods: hookPods, runs: hookRuns, podsKept });
  if (pod !== undefined) return { kind: 'deletePod', pod, reason: 'newer ones are kept' };
  const [run] = surplusRuns(hookRuns);
  return run === undefined ? null : { kind: 'deleteRun', run, reason: 'newer ones are kept' };
}
