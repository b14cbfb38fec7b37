/** Outcomes of records and of statuses as those of bars. Pure. */
import type { BarOutcome } from '../bar.ts';

type Told = 'Succeeded' | 'Failed' | 'TimedOut' | 'Cancelled' | 'Aborted' | 'Unknown';

/** undefined: nothing has been told yet. */
export function outcomeOf(told: Told | undefined): BarOutcome {
  if (told === undefined) return 'Running';
  if (told === 'TimedOut') return 'Failed';
  return told === 'Aborted' ? 'Cancelled' : told;
}

/** Of an RFC 3339 text, milliseconds; null: there is none, or it is no time. */
export function msOf(time: string | undefined): number | null {
  const ms = Date.parse(time ?? '');
  return Number.isNaN(ms) ? null : ms;
}
