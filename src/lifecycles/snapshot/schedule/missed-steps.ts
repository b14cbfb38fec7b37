/** Records scheduled times without a run: counts them, and reports them. */
import { microTimeText, timeText } from '../../../controller/kube-time.ts';
import { again, type Outcome } from '../../../controller/reconcile.ts';
import { countText } from '../../../model/count-text.ts';
import { type Acting, recordEvent, writeStatus } from './acting.ts';
import type { Step } from './decide.ts';
import type { MissedReason } from './decide-times.ts';
import { MISSED_MAX } from './due.ts';
import type { RunKind, RunsStatus, SnapshotScheduleStatus } from './kinds.ts';
import { counted, RUN_TEXTS, runsOf, withoutPending, withRuns } from './runs.ts';

/** Records all moves in one write, so that times that were decided together are handled together. */
export async function move(
  acting: Acting,
  { moves }: Extract<Step, { kind: 'move' }>,
): Promise<Outcome> {
  const { status = {} } = acting.facts.schedule;
  const moved = moves.reduce<SnapshotScheduleStatus>(
    (before, { of, untilMs, reason }) =>
      withRuns(before, of, (runs) => ({
        ...runs,
        handledUntil: microTimeText(untilMs),
        ...(reason === 'ClockSetBack' ? {} : { since: timeText(untilMs) }),
      })),
    status,
  );
  const { nowMs } = acting.facts;
  const back = moves.filter(({ reason }) => reason === 'ClockSetBack').map(({ of }) => of);
  await writeStatus(acting, back.length === 0 ? moved : notAfter(moved, nowMs));
  if (back.length > 0) {
    const handled = back.map((of) => Date.parse(runsOf(status, of).handledUntil ?? ''));
    const until = timeText(Math.max(...handled));
    const nouns = back.map((of) => RUN_TEXTS[of].noun).join(' or ');
    const message = `The clock was set back: every time until ${until} was handled already. The times that the clock passes again get no second ${nouns}.`;
    recordEvent(acting, 'Warning', { reason: 'ClockSetBack', message });
  }
  return again;
}

/**
 * The status with each time that is in the future set to now: the clock was ahead when it was recorded. Otherwise no
 * schedule would be overdue before that time.
 */
function notAfter(status: SnapshotScheduleStatus, nowMs: number): SnapshotScheduleStatus {
  const now = timeText(nowMs);
  const bounded = <T extends object>(of: T, ...fields: readonly (keyof T)[]): T => {
    const ahead = fields.filter((field) => Date.parse(String(of[field])) > nowMs);
    return { ...of, ...Object.fromEntries(ahead.map((field) => [field, now])) };
  };
  const { rehearsal } = status;
  return {
    ...bounded(status, 'since', 'lastSuccessfulTime', 'lastSuccessfulRehearsalTime'),
    ...(rehearsal === undefined ? {} : { rehearsal: bounded(rehearsal, 'since') }),
  };
}

export async function handle(
  acting: Acting,
  { of, untilMs, missed, reason }: Extract<Step, { kind: 'handle' }>,
): Promise<Outcome> {
  const { status = {} } = acting.facts.schedule;
  const handled = withRuns(status, of, (runs) => ({
    ...runs,
    handledUntil: microTimeText(untilMs),
    totals: counted(runs, { missed }),
  }));
  if (reason === 'Exists') {
    await writeStatus(acting, handled);
    return again;
  }
  const { noun, missed: event } = RUN_TEXTS[of];
  const count = missed >= MISSED_MAX ? `${MISSED_MAX} or more ${noun}s` : countText(missed, noun);
  const why = WHY[reason](noun);
  // Superseded times have no result of their own, since the last due one still starts.
  const isLast = reason !== 'Superseded';
  await writeStatus(
    acting,
    isLast ? notRun(handled, { of, scheduledMs: untilMs, message: why }) : handled,
  );
  const message = `Missed ${count} until ${timeText(untilMs)}: ${why}.`;
  recordEvent(acting, 'Warning', { reason: event, message });
  return again;
}

const WHY: Readonly<Record<MissedReason, (noun: string) => string>> = {
  TooLate: () => 'startingDeadlineSeconds had passed',
  Superseded: (noun) =>
    `no controller ran, or the previous ${noun} was still active; only the ${noun} of the newest scheduled time starts`,
  NoSnapshot: () => 'the schedule has no ApplicationConsistent snapshot to restore',
};

interface Missed {
  readonly of: RunKind;
  readonly scheduledMs: number;
  readonly message: string;
}

export async function recordMissed(acting: Acting, missed: Missed): Promise<Outcome> {
  const { of, scheduledMs, message } = missed;
  const { status = {} } = acting.facts.schedule;
  const count = <T extends RunsStatus>(runs: T): T => ({
    ...withoutPending(runs),
    totals: counted(runs, { missed: 1 }),
  });
  await writeStatus(acting, notRun(withRuns(status, of, count), missed));
  const { noun, missed: reason } = RUN_TEXTS[of];
  const text = `Missed the ${noun} of ${timeText(scheduledMs)}: ${message}.`;
  recordEvent(acting, 'Warning', { reason, message: text });
  return again;
}

/** Adds to the status that the last rehearsal could not run (SNAP-T20). For a snapshot, the status is unchanged. */
function notRun(
  status: SnapshotScheduleStatus,
  { of, scheduledMs, message }: Missed,
): SnapshotScheduleStatus {
  if (of === 'snapshot') return status;
  const scheduledTime = timeText(scheduledMs);
  return { ...status, lastRehearsal: { scheduledTime, result: 'NotRun', message } };
}
