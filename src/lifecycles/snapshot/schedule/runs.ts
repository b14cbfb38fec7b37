/** The part of a schedule's status for its snapshots, and the part of the same form for its rehearsals. Pure. */
import type { RunKind, RunsStatus, ScheduleTotals, SnapshotScheduleStatus } from './kinds.ts';

/** Snapshots come first. If both are due, the rehearsal waits one reconcile. */
export const RUN_KINDS: readonly RunKind[] = ['snapshot', 'rehearsal'];

export function runsOf(status: SnapshotScheduleStatus, of: RunKind): RunsStatus {
  return of === 'snapshot' ? status : (status.rehearsal ?? {});
}

/** The status with the part of that kind changed. */
export function withRuns(
  status: SnapshotScheduleStatus,
  of: RunKind,
  change: <T extends RunsStatus>(runs: T) => T,
): SnapshotScheduleStatus {
  if (of === 'snapshot') return change(status);
  return { ...status, rehearsal: change(status.rehearsal ?? {}) };
}

export function withoutPending<T extends RunsStatus>(runs: T): T {
  const rest = { ...runs };
  delete rest.pending;
  return rest;
}

/** The totals with some of them increased. */
export function counted(
  { totals = { good: 0, failed: 0, missed: 0, late: 0 } }: RunsStatus,
  more: Partial<ScheduleTotals>,
): ScheduleTotals {
  const { good = 0, failed = 0, missed = 0, late = 0 } = more;
  return {
    good: totals.good + good,
    failed: totals.failed + failed,
    missed: totals.missed + missed,
    late: totals.late + late,
  };
}

interface RunText {
  readonly noun: string;
  /** Kind of the objects in the API. */
  readonly kind: string;
  /** Reasons of Kubernetes Events. */
  readonly created: string;
  readonly missed: string;
  readonly late: string;
  readonly notCreated: string;
}

export const RUN_TEXTS: Readonly<Record<RunKind, RunText>> = {
  snapshot: {
    noun: 'snapshot',
    kind: 'ApplicationSnapshot',
    created: 'SnapshotCreated',
    missed: 'Missed',
    late: 'Late',
    notCreated: 'NotCreated',
  },
  rehearsal: {
    noun: 'rehearsal',
    kind: 'SnapshotRestore',
    created: 'RehearsalCreated',
    missed: 'RehearsalMissed',
    late: 'RehearsalLate',
    notCreated: 'RehearsalNotCreated',
  },
};
