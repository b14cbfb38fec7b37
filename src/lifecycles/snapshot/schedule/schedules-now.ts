/** The values of all schedules for metrics, from their specs and statuses. */
import type { Clock } from '../../../platform/platform.ts';
import { identify } from '../app/identify.ts';
import { CheckedSpecs } from './checked-spec.ts';
import type { CronTimes } from './cron.ts';
import type { SnapshotSchedule } from './kinds.ts';

export interface ScheduleNow {
  readonly namespace: string;
  readonly name: string;
  /**
   * Time of the cut of the last good snapshot, seconds since 1970. If there is none, the time at which the schedule was
   * created.
   */
  readonly lastGoodSeconds: number;
  /** Longest interval between two of the next scheduled times, seconds. */
  readonly intervalSeconds: number;
  readonly active: number;
  readonly isSuspended: boolean;
  readonly good: number;
  readonly failed: number;
  readonly missed: number;
  readonly late: number;
  /** null: the schedule has no rehearsals. */
  readonly rehearsals: RehearsalsNow | null;
}

interface RehearsalsNow {
  /**
   * Time of the last rehearsal that passed, or the time from which rehearsals count, whichever is later: seconds since
   * 1970.
   */
  readonly lastGoodSeconds: number;
  /** Longest interval between two of the next rehearsals, seconds. */
  readonly intervalSeconds: number;
  readonly good: number;
  readonly failed: number;
  readonly missed: number;
}

/** Number of intervals to look at, so that a schedule of working days shows the longer interval of its weekend. */
const GAPS = 10;

const NONE = { good: 0, failed: 0, missed: 0, late: 0 };

export class SchedulesNow {
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #specs = new CheckedSpecs();

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.#clock = clock;
  }

  of(schedules: readonly SnapshotSchedule[]): readonly ScheduleNow[] {
    return schedules.map((schedule) => this.#figuresOf(schedule));
  }

  #figuresOf(schedule: SnapshotSchedule): ScheduleNow {
    const { metadata = {}, spec, status = {} } = schedule;
    const { namespace, name } = identify(schedule);
    const { totals = {}, active = [], lastSuccessfulTime } = status;
    const lastGoodMs = Date.parse(lastSuccessfulTime ?? metadata.creationTimestamp ?? '');
    const nowMs = this.#clock.nowMs();
    const { times, rehearsalTimes } = this.#specs.of(spec);
    return {
      namespace,
      name,
      lastGoodSeconds: lastGoodMs / 1_000,
      intervalSeconds: longestGapMs(times, nowMs) / 1_000,
      active: active.length,
      isSuspended: spec.suspend ?? false,
      ...NONE,
      ...totals,
      rehearsals:
        spec.rehearsal === undefined
          ? null
          : rehearsalsNow(schedule, longestGapMs(rehearsalTimes, nowMs)),
    };
  }
}

function rehearsalsNow(
  { metadata = {}, status = {} }: SnapshotSchedule,
  gapMs: number,
): RehearsalsNow {
  const { lastSuccessfulRehearsalTime = '', rehearsal = {} } = status;
  const { good, failed, missed } = { ...NONE, ...rehearsal.totals };
  const sinceMs = Date.parse(rehearsal.since ?? metadata.creationTimestamp ?? '');
  const lastMs = Date.parse(lastSuccessfulRehearsalTime);
  return {
    lastGoodSeconds: (lastMs > sinceMs ? lastMs : sinceMs) / 1_000,
    intervalSeconds: gapMs / 1_000,
    good,
    failed,
    missed,
  };
}

/**
 * The longest of the next intervals. For a schedule of office hours it is the night, and before a weekend the weekend.
 */
function longestGapMs(times: CronTimes, nowMs: number): number {
  let longest = 0;
  let at = times.until(nowMs);
  for (let count = 0; count < GAPS && at !== null; count += 1) {
    const next = times.after(at);
    if (next !== null) longest = Math.max(longest, next - at);
    at = next;
  }
  return longest;
}
