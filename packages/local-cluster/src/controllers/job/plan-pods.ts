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
import { succeededOf, type Tally } from './tally.ts';

export type PodPlan =
  | { readonly kind: 'even' }
  | { readonly kind: 'delete'; readonly pods: readonly Pod[] }
  | { readonly kind: 'create'; readonly count: number };

const EVEN: PodPlan = { kind: 'even' };

export function planPods(job: Job, tally: Tally, nowMs: number): PodPlan {
  const { active } = tally;
  const wanted = wantedActive(job, tally);
  const tooMany = Math.min(active.length - wanted, BURST);
  if (tooMany > 0)
    return { kind: 'delete', pods: rankForDeletion(active, nowMs).slice(0, tooMany) };
  const missing = Math.min(wanted - active.length - replacedLater(job, tally).length, BURST);
  return missing <= 0 ? EVEN : { kind: 'create', count: missing };
}

function wantedActive(job: Job, tally: Tally): number {
  const { suspend, completions, parallelism = 1 } = job.spec ?? {};
  if (suspend === true) return 0;
  const succeeded = succeededOf(tally);
  // Once one has succeeded no more are made, and what runs is left to run.
  if (completions === undefined) return succeeded > 0 ? tally.active.length : parallelism;
  return Math.max(0, Math.min(parallelism, completions - succeeded));
}

/** Pods whose place is taken until they have really ended. */
function replacedLater({ spec }: Job, { terminating }: Tally): readonly Pod[] {
  return spec?.podReplacementPolicy === 'Failed' ? terminating : [];
}
