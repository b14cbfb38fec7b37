/**
 * Decides the next step of a schedule. Pure. Each step writes the status at most once, so that nothing is counted
 * twice.
 *
 *  SNAP-T2 The name of a run consists of its schedule's name and its minute, and is in the status before the run is
 *     created.
 *  SNAP-T23 Only snapshots that the schedule created itself count, by the UIDs in its status.
 *  SNAP-T18 A rehearsal restores the newest ApplicationConsistent snapshot; without one it is missed.
 *  SNAP-T19 One rehearsal at a time. Of those that have ended, the newest are kept.
 */
import { findCondition } from '../../../controller/conditions.ts';
import { isTerminating } from '../../../controller/finalizers.ts';
import type { SnapshotRestore } from '../restore/kinds.ts';
import { wantedOf } from './checked-spec.ts';
import {
  decideTimes,
  LOOK_AGAIN_MS,
  type Move,
  moveOf,
  type TimesFacts,
  type TimeStep,
} from './decide-times.ts';
import type { CronTimes } from './cron.ts';
import { type DueInput, nextDueMs } from './due.ts';
import type { ActiveFacts, OwnSnapshot, ScheduleFacts } from './facts.ts';
import { stateOf } from './judge-snapshot.ts';
import type { RunKind } from './kinds.ts';
import { runName, scheduledMsOf } from './made-runs.ts';
import { hasEnded, type RehearsalFacts } from './rehearsals.ts';
import { evictions, lastConsistent } from './retention.ts';
import { RUN_KINDS, runsOf } from './runs.ts';

export type Step =
  | { readonly kind: 'none' }
  | { readonly kind: 'refuse'; readonly problem: string }
  /** All moves are one write, since that write also records the spec from which the moves were decided. */
  | { readonly kind: 'move'; readonly moves: readonly RunMove[] }
  /** Count snapshots that have ended. */
  | { readonly kind: 'settle'; readonly ended: readonly ActiveFacts[] }
  /** Record the result of a rehearsal that has ended. */
  | { readonly kind: 'settleRehearsal'; readonly ended: RehearsalFacts }
  | RunStep
  | { readonly kind: 'evict'; readonly snapshots: readonly OwnSnapshot[] }
  /** Delete rehearsals that have ended. */
  | { readonly kind: 'forget'; readonly restores: readonly SnapshotRestore[] }
  | { readonly kind: 'wait'; readonly ms: number };

export type RunMove = Move & { readonly of: RunKind };
/** `snapshotName` is set only in the plan of a rehearsal. */
export type RunStep = TimeStep & { readonly of: RunKind; readonly snapshotName?: string };

/** Maximum number of active snapshots with the concurrencyPolicy Allow. */
export const ACTIVE_MAX = 10;
export const DEFAULT_HISTORY_LIMIT = 3;

export function decide(facts: ScheduleFacts): Step {
  const { schedule, problem, active, rehearsing } = facts;
  if (isTerminating(schedule)) return { kind: 'none' };
  if (problem !== null) return { kind: 'refuse', problem };
  // Moves come before any other write, since each write records the spec that is in force.
  const moves = RUN_KINDS.flatMap((of) => {
    const move = moveOf(timesFacts(facts, of));
    return move === null ? [] : [{ ...move, of }];
  });
  if (moves.length > 0) return { kind: 'move', moves };
  const ended = active.filter(
    ({ snapshot }) => snapshot === null || stateOf(snapshot) !== 'Active',
  );
  if (ended.length > 0) return { kind: 'settle', ended };
  const rehearsed = rehearsing.find(({ restore }) => restore === null || hasEnded(restore));
  if (rehearsed !== undefined) return { kind: 'settleRehearsal', ended: rehearsed };
  return decideRuns(facts) ?? decideIdle(facts);
}

/** null: nothing is due. */
function decideRuns(facts: ScheduleFacts): RunStep | null {
  const snapshot = decideTimes(timesFacts(facts, 'snapshot'));
  if (snapshot !== null) return { ...snapshot, of: 'snapshot' };
  const rehearsal = decideTimes(timesFacts(facts, 'rehearsal'));
  if (rehearsal === null) return null;
  if (rehearsal.kind !== 'plan') return { ...rehearsal, of: 'rehearsal' };
  const { nowMs, own } = facts;
  const newest = lastConsistent(nowMs, own)?.snapshot.metadata?.name;
  if (newest !== undefined) return { ...rehearsal, of: 'rehearsal', snapshotName: newest };
  const untilMs = rehearsal.due.scheduledMs;
  return { kind: 'handle', of: 'rehearsal', untilMs, missed: 1, reason: 'NoSnapshot' };
}

function decideIdle(facts: ScheduleFacts): Step {
  const { schedule, own, ownRehearsals, nowMs, periodOf } = facts;
  const { retention, rehearsal } = schedule.spec;
  const past = ownRehearsals
    .filter((restore) => hasEnded(restore) && !isTerminating(restore))
    .slice(rehearsal?.historyLimit ?? DEFAULT_HISTORY_LIMIT);
  if (past.length > 0) return { kind: 'forget', restores: past };
  const ended = own.filter(({ state, snapshot }) => state !== 'Active' && !isTerminating(snapshot));
  const snapshots = evictions({ retention, periodOf, nowMs }, ended);
  if (snapshots.length > 0) return { kind: 'evict', snapshots };
  return { kind: 'wait', ms: waitMs(facts) };
}

/** Milliseconds until the next reconcile if nothing changes. */
export function waitMs(facts: ScheduleFacts): number {
  const nexts = RUN_KINDS.map((of) => nextDueMs(timesFacts(facts, of).input) ?? Infinity);
  return Math.min(Math.min(...nexts) - facts.nowMs, LOOK_AGAIN_MS);
}

export function timesFacts(facts: ScheduleFacts, of: RunKind): TimesFacts {
  const { schedule, nowMs } = facts;
  const { metadata = {}, spec, status = {} } = schedule;
  const runs = runsOf(status, of);
  const { times, limits, existing, isFull, countsFromCreation } = FACTS[of](facts);
  const wanted = wantedOf(spec, of);
  const handledUntil = runs.handledUntil ?? metadata.creationTimestamp ?? '';
  return {
    runs,
    input: {
      spec: limits,
      uid: metadata.uid ?? '',
      times,
      handledMs: Date.parse(handledUntil),
      nowMs,
    },
    wanted,
    observed: runs.observedSchedule ?? (countsFromCreation ? wanted : null),
    isSuspended: spec.suspend === true,
    wasSuspended: findCondition(status.conditions ?? [], 'Suspended')?.status === 'True',
    exists: (scheduledMs) => existing.includes(runName(schedule, of, scheduledMs)),
    isFull,
  };
}

interface KindFacts {
  readonly times: CronTimes;
  readonly limits: DueInput['spec'];
  /** The names of the runs that exist. */
  readonly existing: readonly (string | undefined)[];
  readonly isFull: boolean;
  /**
   * Whether the times count from the creation of the schedule. Otherwise they count from the first reconcile with this
   * cron expression.
   */
  readonly countsFromCreation: boolean;
}

const FACTS: Readonly<Record<RunKind, (facts: ScheduleFacts) => KindFacts>> = {
  snapshot: ofSnapshots,
  rehearsal: ofRehearsals,
};

function ofSnapshots({ schedule, times, own, active }: ScheduleFacts): KindFacts {
  const { concurrencyPolicy = 'Forbid' } = schedule.spec;
  const most = concurrencyPolicy === 'Forbid' ? 1 : ACTIVE_MAX;
  return {
    times,
    limits: schedule.spec,
    existing: own.map(({ snapshot }) => snapshot.metadata?.name),
    isFull: active.length >= most,
    countsFromCreation: true,
  };
}

/**
 * Leaves out a rehearsal for a time after the last start: another client created it in advance, so it does not count as
 * a run (SNAP-T19).
 */
function ofRehearsals(facts: ScheduleFacts): KindFacts {
  const { schedule, ownRehearsals, rehearsalTimes, rehearsing } = facts;
  const lastMs = Date.parse(schedule.status?.rehearsal?.lastScheduleTime ?? '');
  const isStarted = (restore: SnapshotRestore): boolean =>
    (scheduledMsOf(schedule, 'rehearsal', restore) ?? Infinity) <= lastMs;
  return {
    times: rehearsalTimes,
    limits: schedule.spec.rehearsal ?? {},
    existing: ownRehearsals.filter(isStarted).map(({ metadata }) => metadata?.name),
    isFull: rehearsing.length > 0,
    countsFromCreation: false,
  };
}
