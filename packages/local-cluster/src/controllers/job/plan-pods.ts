/**
 * Which pods a job needs now. Pure.
 *
 * With 5 completions and parallelism 2, 4 done and 1 active, 1 is wanted and nothing is made; with 3 done
 * and 1 active 2 are wanted, and one more is made. Removing goes before making: a pass does one of both.
 */
import type { Job } from 'kubernetes-types/batch/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import { rankForDeletion } from '../workload/rank-pods.ts';
import { BURST } from '../workload/slow-start.ts';
import { freeIndexes, indexOfPod, isIndexed } from './indexes.ts';
import { succeededOf, type Tally } from './tally.ts';

export type PodPlan =
  | { readonly kind: 'even' }
  | { readonly kind: 'delete'; readonly pods: readonly Pod[] }
  /** `index` is null in jobs without indexes. */
  | { readonly kind: 'create'; readonly indexes: readonly (number | null)[] };

const EVEN: PodPlan = { kind: 'even' };

export function planPods(job: Job, tally: Tally, nowMs: number): PodPlan {
  const { active } = tally;
  const wanted = wantedActive(job, tally);
  const unfit = unfitPods(job, active);
  const fit = active.filter((pod) => !unfit.includes(pod));
  const tooMany = rankForDeletion(fit, nowMs).slice(0, Math.max(0, fit.length - wanted));
  const going = [...unfit, ...tooMany].slice(0, BURST);
  if (going.length > 0) return { kind: 'delete', pods: going };
  const missing = Math.min(wanted - active.length - replacedLater(job, tally).length, BURST);
  if (missing <= 0) return EVEN;
  if (!isIndexed(job))
    return { kind: 'create', indexes: Array.from({ length: missing }, () => null) };
  const indexes = freeIndexes(missing, job.spec?.completions ?? 0, takenIndexes(job, tally));
  return indexes.length === 0 ? EVEN : { kind: 'create', indexes };
}

function wantedActive(job: Job, tally: Tally): number {
  const { suspend, completions, parallelism = 1 } = job.spec ?? {};
  if (suspend === true) return 0;
  const succeeded = succeededOf(job, tally);
  // Once one has succeeded no more are made, and what runs is left to run.
  if (completions === undefined) return succeeded > 0 ? tally.active.length : parallelism;
  return Math.max(0, Math.min(parallelism, completions - succeeded));
}

/** Pods whose place is taken until they have really ended. */
function replacedLater({ spec }: Job, { terminating }: Tally): readonly Pod[] {
  return spec?.podReplacementPolicy === 'Failed' ? terminating : [];
}

function takenIndexes(job: Job, tally: Tally): ReadonlySet<number> {
  const completions = job.spec?.completions ?? 0;
  const held = [...tally.active, ...replacedLater(job, tally)];
  return new Set([
    ...tally.completedIndexes,
    ...tally.failedIndexes,
    ...held.flatMap((pod) => indexOfPod(pod, completions) ?? []),
  ]);
}

/** In an indexed job: pods without a place, and all but one of those that share one. */
function unfitPods(job: Job, active: readonly Pod[]): readonly Pod[] {
  if (!isIndexed(job)) return [];
  const seen = new Set<number>();
  return active.filter((pod) => {
    const index = indexOfPod(pod, job.spec?.completions ?? 0);
    if (index === null || seen.has(index)) return true;
    seen.add(index);
    return false;
  });
}
