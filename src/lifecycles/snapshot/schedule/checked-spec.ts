/** The spec of a schedule, checked and compiled once for each object that was read. */
import { fieldProblemsMessage } from '../../../controller/definitions/field-problem.ts';
import { resolveRecipe } from '../recipes/all-recipes.ts';
import { judgeScheduleSpec } from '../schema/validate.ts';
import { type CronTimes, cronTimes, DEFAULT_TIME_ZONE } from './cron.ts';
import type { RunKind, SnapshotScheduleSpec } from './kinds.ts';
import { type PeriodOf, periodsIn } from './periods.ts';

export interface CheckedSpec {
  /** Why the spec is invalid, since the webhook may not have run; null: it is valid. */
  readonly problem: string | null;
  /** The times of snapshots; there are none if the spec is invalid. */
  readonly times: CronTimes;
  /** The times of rehearsals; there are none if the spec has no rehearsals. */
  readonly rehearsalTimes: CronTimes;
  readonly periodOf: PeriodOf;
}

export class CheckedSpecs {
  readonly #known = new WeakMap<SnapshotScheduleSpec, CheckedSpec>();

  of(spec: SnapshotScheduleSpec): CheckedSpec {
    const known = this.#known.get(spec) ?? check(spec);
    this.#known.set(spec, known);
    return known;
  }
}

function check(spec: SnapshotScheduleSpec): CheckedSpec {
  const { errors } = judgeScheduleSpec(spec, resolveRecipe);
  if (errors.length > 0) {
    const problem = fieldProblemsMessage(errors);
    return { problem, times: NO_TIMES, rehearsalTimes: NO_TIMES, periodOf: () => '' };
  }
  const { timeZone = DEFAULT_TIME_ZONE, rehearsal } = spec;
  return {
    problem: null,
    times: cronTimes(spec),
    rehearsalTimes: rehearsal === undefined ? NO_TIMES : cronTimes({ timeZone, ...rehearsal }),
    periodOf: periodsIn(timeZone),
  };
}

export const NO_TIMES: CronTimes = { after: () => null, until: () => null };

/** The cron expression and its time zone, such as `0 3 * * * Europe/Berlin`; null: the spec has no rehearsals. */
export function wantedOf(spec: SnapshotScheduleSpec, of: RunKind): string | null {
  const { timeZone = DEFAULT_TIME_ZONE, schedule } = spec;
  const cron = of === 'snapshot' ? { schedule } : spec.rehearsal;
  return cron === undefined ? null : `${cron.schedule} ${{ timeZone, ...cron }.timeZone}`;
}
