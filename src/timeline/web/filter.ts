/** Which bars are shown. Pure. */
import type { Bar, BarOutcome, Lifecycle } from '../bar.ts';

export interface BarFilter {
  /** Words, all of which must occur in what a bar says. */
  readonly text: string;
  /** Empty: all. */
  readonly lifecycles: readonly Lifecycle[];
  /** Empty: all. */
  readonly outcomes: readonly BarOutcome[];
}

export const EVERYTHING: BarFilter = { text: '', lifecycles: [], outcomes: [] };

export const isEverything = ({ text, lifecycles, outcomes }: BarFilter): boolean =>
  text.trim() === '' && lifecycles.length === 0 && outcomes.length === 0;

export function matching(bars: readonly Bar[], filter: BarFilter): readonly Bar[] {
  if (isEverything(filter)) return bars;
  const words = filter.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return bars.filter(
    (bar) =>
      includesOrAll(filter.lifecycles, bar.lifecycle) &&
      includesOrAll(filter.outcomes, bar.outcome) &&
      (words.length === 0 || saysAll(bar, words)),
  );
}

/** With it if it was without, without it if it was with it. */
export function toggled<Value>(values: readonly Value[], value: Value): readonly Value[] {
  return values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
}

const includesOrAll = <Value>(values: readonly Value[], value: Value): boolean =>
  values.length === 0 || values.includes(value);

function saysAll(bar: Bar, words: readonly string[]): boolean {
  const { lifecycle, lane, kind, run, point, name, reason = '', where = '' } = bar;
  const said = [lifecycle, lane, kind, run, point, name, reason, where].join(' ').toLowerCase();
  return words.every((word) => said.includes(word));
}
