/** The order of the rows of the table. Pure. */
import type { Bar, BarOutcome } from '../bar.ts';
import { barDurationMs } from './words.ts';

export const TABLE_COLUMNS = [
  'Outcome',
  'Started',
  'Track',
  'Name',
  'Reason',
  'Point',
  'Duration',
  'Lifecycle',
  'Run',
] as const;
export type TableColumn = (typeof TABLE_COLUMNS)[number];

export interface TableOrder {
  readonly column: TableColumn;
  readonly isDescending: boolean;
}

export const NEWEST_FIRST: TableOrder = { column: 'Started', isDescending: true };

const WORST_FIRST: readonly BarOutcome[] = [
  'Failed',
  'Unknown',
  'Running',
  'Cancelled',
  'Skipped',
  'Succeeded',
];

type Compare = (one: Bar, other: Bar) => number;

const names = new Intl.Collator('en', { numeric: true });
const byText =
  (text: (bar: Bar) => string): Compare =>
  (one, other) =>
    names.compare(text(one), text(other));

/** Rows that are equal in the column stay in the order newest first. */
export function ordered(
  bars: readonly Bar[],
  { column, isDescending }: TableOrder,
  nowMs: number,
): readonly Bar[] {
  const newestFirst = bars.toSorted((one, other) => other.startMs - one.startMs);
  const compare = comparing(column, nowMs);
  const sign = isDescending ? -1 : 1;
  return newestFirst.toSorted((one, other) => sign * compare(one, other));
}

function comparing(column: TableColumn, nowMs: number): Compare {
  switch (column) {
    case 'Outcome':
      return (one, other) => worth(one) - worth(other);
    case 'Started':
      return (one, other) => one.startMs - other.startMs;
    case 'Track':
      return byText(({ lane }) => lane);
    case 'Name':
      return byText(({ name }) => name);
    case 'Reason':
      return byReason;
    case 'Point':
      return byText(({ point }) => point);
    case 'Duration':
      return (one, other) => barDurationMs(one, nowMs) - barDurationMs(other, nowMs);
    case 'Lifecycle':
      return byText(({ lifecycle }) => lifecycle);
    case 'Run':
      return byText(({ run }) => run);
    default:
      return column satisfies never;
  }
}

/** What is frozen now is worst. */
const worth = ({ kind, endMs, outcome }: Bar): number =>
  kind === 'frozen' && endMs === null ? -1 : WORST_FIRST.indexOf(outcome);

/** Bars without a reason come after those with one. */
const byReason: Compare = (one, other) =>
  Number(one.reason === undefined) - Number(other.reason === undefined) ||
  names.compare(one.reason ?? '', other.reason ?? '');
