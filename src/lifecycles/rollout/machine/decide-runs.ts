/** HookRuns and hook pods outside of the current stage. Pure. */
import { isTerminating } from '../../../controller/finalizers.ts';
import type { HookRun } from '../kinds.ts';
import { adoptions, release } from '../runs/tidy.ts';
import type { StageAbort } from '../runs/stage.ts';
import { decideEnding } from '../runs/ending.ts';
import { surplusPods, surplusRuns } from '../runs/retention.ts';
import type { Rolling, RolloutFacts } from './facts.ts';
import type { MachineStep } from './step.ts';
import { setOf } from './templates.ts';

const LOOK_AGAIN_MS = 5_000;

/** Ends the matching HookRuns that have not ended, or whose pods have our finalizer. */
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

/** Removes a pod without a HookRun. */
export function dropStrays(
  { hookPods: pods, hookRuns: runs }: RolloutFacts,
  openNumber: number | null,
): MachineStep | null {
  const [step] = release({ pods, runs, openNumber });
  return step === undefined ? null : { kind: 'stage', step, reason: 'no rollout uses the pod' };
}

/** Deletes hook pods until none is left. */
export function clearPods(facts: RolloutFacts, reason: string): MachineStep | null {
  const stray = dropStrays(facts, null);
  if (stray !== null) return stray;
  const { hookPods } = facts;
  const there = hookPods.find((pod) => !isTerminating(pod));
  if (there !== undefined) return { kind: 'deletePod', pod: there, reason };
  if (hookPods.length === 0) return null;
  return { kind: 'waitFor', ms: LOOK_AGAIN_MS, reason: `${hookPods.length} hook pods go` };
}

/** The ReplicaSet of the new template owns the pods of its rollout, once it exists (ROLL-DH19). */
export function adoptPods({ hookPods: pods, number, rollout, sets }: Rolling): MachineStep | null {
  const replicaSet = setOf(sets, rollout.digest);
  if (replicaSet === null) return null;
  const [step] = adoptions({ pods, number, replicaSet });
  return step === undefined ? null : { kind: 'stage', step, reason: 'its ReplicaSet owns the pod' };
}

/** Deletes pods and HookRuns beyond the kept numbers (ROLL-DH20). */
export function dropSurplus({ hookPods, hookRuns, lifecycle }: Rolling): MachineStep | null {
  const { podsKept } = lifecycle.spec;
  const [pod] = surplusPods({ pods: hookPods, runs: hookRuns, podsKept });
  if (pod !== undefined) return { kind: 'deletePod', pod, reason: 'newer ones are kept' };
  const [run] = surplusRuns(hookRuns);
  return run === undefined ? null : { kind: 'deleteRun', run, reason: 'newer ones are kept' };
}
