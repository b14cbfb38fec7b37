/** The hours, days, weeks and months of a time zone. Pure. */
export type Period = 'hour' | 'day' | 'week' | 'month';

/** Returns a text that is the same for all times of a period. */
export type PeriodOf = (ms: number, period: Period) => string;

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;
/** Days from the Monday before the epoch to the epoch, a Thursday. */
const EPOCH_WEEKDAY = 3;

/** A week begins on Monday. An hour that occurs twice, because the clock is set back, is two hours. */
export function periodsIn(timeZone: string): PeriodOf {
  const offsetMs = offsetsOf(timeZone);
  return (ms, period) => {
    const offset = offsetMs(ms);
    const localMs = ms + offset;
    const day = Math.floor(localMs / DAY_MS);
    switch (period) {
      case 'hour':
        return `${Math.floor(localMs / HOUR_MS)}/${offset}`;
      case 'day':
        return String(day);
      case 'week':
        return String(Math.floor((day + EPOCH_WEEKDAY) / WEEK_DAYS));
      case 'month':
        return new Date(localMs).toISOString().slice(0, 7);
      default:
        return period satisfies never;
    }
  };
}

/** Returns the milliseconds to add to UTC for the local time. */
function offsetsOf(timeZone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const offsetAt = (ms: number): number => {
    const parts = format.formatToParts(ms);
    const [year = 0, month = 1, day, hour, minute, second] = FIELDS.map((field) =>
      Number(parts.find(({ type }) => type === field)?.value),
    );
    return Date.UTC(year, month - 1, day, hour, minute, second) - ms;
  };
  const known = new Map<number, number>();
  return (ms) => {
    const quarterMs = Math.floor(ms / QUARTER_MS) * QUARTER_MS;
    const offset = known.get(quarterMs) ?? offsetAt(quarterMs);
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(quarterMs, offset);
    return offset;
  };
}

/** Milliseconds; since 2023 time zones have changed their offset only at whole quarters of an hour. */
const QUARTER_MS = 900_000;
/** Maximum number of cached offsets. */
const KNOWN_MAX = 10_000;

const FIELDS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;
