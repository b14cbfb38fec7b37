/** Decides the first phase of a new number. Pure. */
import type { Notice } from '../../../controller/event-correlator.ts';
import type { Direction, Phase, RolloutStatus } from '../kinds.ts';
import type { Managed } from './facts.ts';
import { marksOf } from './marks.ts';
import { failureOf } from './phases.ts';
import { hookOf } from './stage-hooks.ts';
import { releasedTemplate, revisionOf, setOf } from './templates.ts';

export interface Beginning {
  readonly phase: Phase;
  readonly more: Partial<RolloutStatus>;
  readonly notices: readonly Notice[];
}

const STAGES = ['pre', 'mid', 'post'] as const;

export function beginningOf(facts: Managed, number: number, digest: string): Beginning {
  const { wanted, retry } = marksOf(facts.deployment);
  const isRetry = retry === number - 1;
  if (!isRetry && wasAborted(facts, digest)) return abortedBefore(facts);
  // No pods were drained, so pods of this template run, and there is nothing to roll out.
  if (!isRetry && isRunning(facts, digest) && wanted === null) {
    return { phase: 'Releasing', more: { reason: 'Reverted' }, notices: [] };
  }
  const hasNone = STAGES.every((stage) => hookOf(facts, stage) === null);
  return { phase: 'Pre', more: hasNone ? { reason: 'NoHooks' } : {}, notices: [] };
}

/**
 * True: pods of this template run, because it was released and its rollout is complete. If its rollout was replaced
 * before that, its post hook may be pending, and the template is rolled out again.
 */
function isRunning(facts: Managed, digest: string): boolean {
  const released = releasedTemplate(facts);
  return released?.digest === digest && released.unfinished !== true;
}

/**
 * True: the template must not be rolled out again, because a loop could follow. Under Hold a loop is possible only if a
 * client repeats its write between the two writes of a restore.
 */
function wasAborted({ lifecycle }: Managed, digest: string): boolean {
  const { abortedDigests = [], rollout } = lifecycle.status ?? {};
  const counts = lifecycle.spec.onAbort === 'Rollback' || rollout?.phase === 'Restoring';
  return counts && abortedDigests.includes(digest);
}

function abortedBefore(facts: Managed): Beginning {
  const wasRestoring = facts.lifecycle.status?.rollout?.phase === 'Restoring';
  const isDrained = wasRestoring || marksOf(facts.deployment).wanted !== null;
  const message =
    'a rollout of this same template was aborted before: change the template, or request a retry';
  const failure = failureOf(facts, { reason: 'AbortedBefore', message });
  const notice = {
    type: 'Warning',
    reason: 'Held',
    message: `The rollout is held: ${message}.`,
  } as const;
  if (isDrained && releasedTemplate(facts) !== null) {
    return { phase: 'Restoring', more: { failure }, notices: [notice] };
  }
  return { phase: 'Held', more: { failure, finishedAt: failure.at }, notices: [notice] };
}

/** Rollback if an older ReplicaSet has the template, or if it is the saved earlier template. */
export function directionOf(facts: Managed, digest: string): Direction {
  const same = setOf(facts.sets, digest);
  const newest = Math.max(0, ...facts.sets.map(revisionOf));
  if (same !== null && revisionOf(same) < newest) return 'Rollback';
  const { released, rollout } = facts.lifecycle.status ?? {};
  if (rollout?.digest === digest) return 'Rollout';
  const before = [released?.digest, releasedTemplate(facts)?.digest];
  return before.includes(digest) ? 'Rollback' : 'Rollout';
}

/**
 * The revision that the Deployment controller will assign. If the template's own ReplicaSet has the highest revision,
 * that revision stays. Otherwise the new revision is one more than the highest.
 *
 * Worked example: revisions 1 (a), 2 (b): a new template gets 3, an undo to a gets 3, b stays 2.
 */
export function expectedRevision({ sets }: Managed, digest: string): string {
  const own = setOf(sets, digest);
  const others = Math.max(0, ...sets.filter((set) => set !== own).map(revisionOf));
  return String(Math.max(others + 1, own === null ? 0 : revisionOf(own)));
}
