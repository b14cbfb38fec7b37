/** Times, durations and names as text for users. Pure, except for the time zone of the browser. */
import type { Bar, BarKind, Lifecycle } from '../bar.ts';
import type { Moment } from './page-clock.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** A duration as text: 812 is "812 ms", 3210 is "3.2 s", 64000 is "1 min 4 s". */
export function durationText(ms: number): string {
  if (ms < SECOND_MS) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10 * SECOND_MS) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  if (ms < MINUTE_MS) return `${Math.floor(ms / SECOND_MS)} s`;
  if (ms < HOUR_MS) return twoUnits(ms, [MINUTE_MS, 'min'], [SECOND_MS, 's']);
  if (ms < DAY_MS) return twoUnits(ms, [HOUR_MS, 'h'], [MINUTE_MS, 'min']);
  return twoUnits(ms, [DAY_MS, 'd'], [HOUR_MS, 'h']);
}

type Unit = readonly [ms: number, name: string];

function twoUnits(ms: number, [largeMs, large]: Unit, [smallMs, small]: Unit): string {
  const rest = Math.floor((ms % largeMs) / smallMs);
  return `${Math.floor(ms / largeMs)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`;
}

const padded = (value: number, digits = 2): string => String(value).padStart(digits, '0');

/** A time of day such as "14:03:07", to the minute, the second or the millisecond, in local time. */
export function clockText(ms: number, to: 'min' | 's' | 'ms'): string {
  const at = new Date(ms);
  const minutes = `${padded(at.getHours())}:${padded(at.getMinutes())}`;
  if (to === 'min') return minutes;
  const seconds = `${minutes}:${padded(at.getSeconds())}`;
  return to === 's' ? seconds : `${seconds}.${padded(at.getMilliseconds(), 3)}`;
}

/** A day such as "22 Nov", in local time. */
export function dayText(ms: number): string {
  const at = new Date(ms);
  return `${at.getDate()} ${MONTHS[at.getMonth()] ?? ''}`;
}

/** A date such as "22 Nov 2026". */
export function dateText(ms: number): string {
  return `${dayText(ms)} ${new Date(ms).getFullYear()}`;
}

/**
 * The time zone of the browser, such as "UTC", "UTC+1" or "UTC-3:30", since a report may be read in another time zone.
 */
export function zoneText(ms: number): string {
  const minutes = -new Date(ms).getTimezoneOffset();
  if (minutes === 0) return 'UTC';
  const rest = Math.abs(minutes) % 60;
  const hours = Math.trunc(Math.abs(minutes) / 60);
  return `UTC${minutes < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : `:${padded(rest)}`}`;
}

export function countText(count: number, one: string): string {
  return `${count.toLocaleString('en-US')} ${one}${count === 1 ? '' : 's'}`;
}

export const LIFECYCLE_TITLES: Readonly<Record<Lifecycle, string>> = {
  pipeline: 'Pipeline',
  rollout: 'Rollout',
  snapshot: 'Snapshot',
  pod: 'Pod',
  container: 'Container',
};

export const KIND_TITLES: Readonly<Record<BarKind, string>> = {
  hook: 'Hook',
  frozen: 'Freeze window',
  phase: 'Phase',
  cut: 'Snapshot cut',
};

/** The text on a bar: the name of the span, and from the second attempt on its number. */
export function barTitle({ name, attempt }: Bar): string {
  return attempt !== null && attempt > 1 ? `${name} #${attempt}` : name;
}

/** The text on a bar without the target, which is the name of the track: "before/0" of "build/web/before/0". */
export function barLabel(bar: Bar): string {
  const title = barTitle(bar);
  return title.startsWith(`${bar.lane}/`) ? title.slice(bar.lane.length + 1) : title;
}

export function barDurationMs({ startMs, endMs }: Bar, nowMs: number): number {
  return Math.max(0, (endMs ?? nowMs) - startMs);
}

/** The state of a span for the table and the badge: "Failed", "Phase, Running", "Still frozen". */
export function stateText({ kind, endMs, outcome }: Bar, moment: Moment): string {
  if (kind === 'frozen' && endMs === null) {
    return moment.isStopped ? `Frozen ${asOfText(moment.nowMs)}` : 'Still frozen';
  }
  return kind === 'hook' ? outcome : `${KIND_TITLES[kind]}, ${outcome}`;
}

/** Text about the last known state. Example: "as of 03:12:07", for a state that is unknown after that time. */
export const asOfText = (ms: number): string => `as of ${clockText(ms, 's')}`;

/** One sentence with everything that a bar shows, for users who do not see it. */
export function barSentence(bar: Bar, moment: Moment): string {
  const attempt = bar.attempt === null ? '' : `, attempt ${bar.attempt}`;
  const length = bar.kind === 'cut' ? '' : `, ${durationText(barDurationMs(bar, moment.nowMs))}`;
  return `${KIND_TITLES[bar.kind]} ${bar.name} (${bar.point}) on ${bar.lane}${attempt}: ${stateText(bar, moment)}${length}, from ${clockText(bar.startMs, 's')}`;
}
