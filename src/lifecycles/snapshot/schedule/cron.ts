/**
 * The scheduled times of a cron expression in a time zone, computed by croner. Pure.
 *
 * Times are milliseconds of the wall clock, and each is a whole minute. SNAP-T1 has the rules for daylight saving time.
 */
import { Cron } from 'croner';

import { errorText } from '../../../platform/error-text.ts';

export const DEFAULT_TIME_ZONE = 'UTC';

export interface CronTimes {
  /** The first scheduled time after `ms`; null: none. */
  readonly after: (ms: number) => number | null;
  /** The last scheduled time at or before `ms`; null: none. */
  readonly until: (ms: number) => number | null;
}

export interface CronText {
  readonly schedule: string;
  readonly timeZone?: string | undefined;
}

/** Throws if the expression or the zone is invalid, so call `whyWrongCron` and `whyWrongZone` first. */
export function cronTimes({ schedule, timeZone = DEFAULT_TIME_ZONE }: CronText): CronTimes {
  const cron = new Cron(schedule, {
    timezone: timeZone,
    mode: '5-part',
    // With this rule, both times of "30 2,14 * * *" also occur on the day on which a clock is set forward.
    fixedTimeRule: 'no-wildcard',
    paused: true,
  });
  const after = (ms: number): number | null => cron.nextRun(new Date(ms))?.getTime() ?? null;
  // croner returns times before the given time, without that time itself.
  const until = (ms: number): number | null =>
    cron.previousRuns(1, new Date(ms + 1))[0]?.getTime() ?? null;
  // Cached, since almost all calls of a schedule are about the same few pairs of scheduled times.
  let pairs: readonly (readonly [number, number])[] = [];
  const find = (ms: number): readonly [number | null, number | null] => {
    const known = pairs.find(([fromMs, toMs]) => ms >= fromMs && ms < toMs);
    if (known !== undefined) return known;
    const [before, next] = [until(ms), after(ms)];
    if (before !== null && next !== null)
      pairs = [[before, next], ...pairs.slice(0, PAIRS_MAX - 1)];
    return [before, next];
  };
  return { after: (ms) => find(ms)[1], until: (ms) => find(ms)[0] };
}

const PAIRS_MAX = 4;

/** null: the zone is known. */
export function whyWrongZone(timeZone: string): string | null {
  const known = 'must be the name of a time zone, such as Europe/Berlin or UTC';
  if (!/^[A-Za-z]/.test(timeZone) || timeZone === 'Local') return known;
  try {
    void new Intl.DateTimeFormat('en', { timeZone });
    return null;
  } catch {
    return known;
  }
}

/** null: the expression is valid, and matches a date. */
export function whyWrongCron(schedule: string): string | null {
  const wanted =
    'must be five fields of cron (minute, hour, day of the month, month, day of the week), or @hourly, @daily, @weekly, @monthly, @yearly';
  if (!SHAPE.test(schedule)) return wanted;
  try {
    const never = cronTimes({ schedule }).after(FIRST_MS) === null;
    return never ? `${wanted}: no date matches it` : null;
  } catch (error) {
    return `${wanted}: ${errorText(error).replace(/^Cron\w+: /, '')}`;
  }
}

/** Rejects other texts that croner reads too, such as a date. */
const SHAPE = /^(@(hourly|daily|midnight|weekly|monthly|yearly|annually)|[^ ]+( +[^ ]+){4})$/;
/** Any time will do: croner looks for the next date until the year 9999. */
const FIRST_MS: number = Date.parse('2024-01-01T00:00:00Z');
