/** Shows the same spans as a table, newest first, for users who do not see the tracks, and for reading. */
import type { Bar, BarOutcome } from '../bar.ts';
import { swatchOf } from './detail.ts';
import { button, byId, element, keepingFocus } from './elements.ts';
import type { Moment } from './page-clock.ts';
import type { Actions, Scene } from './view.ts';
import {
  barDurationMs,
  barTitle,
  clockText,
  countText,
  dateText,
  durationText,
  LIFECYCLE_TITLES,
  stateText,
} from './words.ts';

const PAGE_ROWS = 100;

export class Table {
  readonly #section = byId('table');
  readonly #actions: Actions;
  #shownFor: readonly unknown[] = [];
  #sorted: readonly Bar[] = [];
  #order = NEWEST_FIRST;
  #page = 0;

  constructor(actions: Actions) {
    this.#actions = actions;
  }

  render({ shown, view, nowMs, isStopped }: Scene): void {
    this.#section.hidden = view.shows !== 'table';
    if (this.#section.hidden) return;
    const shownFor = [shown, this.#order, this.#page, view.selected, isStopped];
    if (shownFor.every((value, index) => value === this.#shownFor[index])) return;
    if (this.#shownFor[0] !== shown || this.#shownFor[1] !== this.#order) {
      this.#sorted = ordered(shown, this.#order, nowMs);
    }
    this.#shownFor = shownFor;
    const pages = Math.max(Math.ceil(this.#sorted.length / PAGE_ROWS), 1);
    this.#page = Math.min(this.#page, pages - 1);
    const first = this.#page * PAGE_ROWS;
    const rows = this.#sorted.slice(first, first + PAGE_ROWS).map((bar) => {
      return this.#row(bar, { nowMs, isStopped, isSelected: bar.id === view.selected });
    });
    keepingFocus(this.#section, () => {
      this.#section.replaceChildren(this.#pager(pages), this.#table(rows));
    });
  }

  #pager(pages: number): HTMLElement {
    const go = (by: number): void => {
      this.#page += by;
      this.#actions.change({});
    };
    const previous = { disabled: this.#page === 0, 'data-focus': 'table/previous' };
    const next = { disabled: this.#page >= pages - 1, 'data-focus': 'table/next' };
    const where = `${countText(this.#sorted.length, 'span')}, page ${this.#page + 1} of ${pages}`;
    return element('div', { class: 'pager' }, [
      button('Previous', previous, () => {
        go(-1);
      }),
      element('span', { role: 'status' }, [where]),
      button('Next', next, () => {
        go(1);
      }),
    ]);
  }

  #row(bar: Bar, { isSelected, ...moment }: Moment & { isSelected: boolean }): HTMLElement {
    const open = button(barTitle(bar), { class: 'link', 'data-focus': bar.id }, () => {
      this.#actions.select(bar, { isOpen: true });
    });
    const outcome = element('span', {}, [
      element('span', { class: `swatch is-${swatchOf(bar)}`, 'aria-hidden': 'true' }),
      stateText(bar, moment),
    ]);
    const cells: Readonly<Record<TableColumn, Node | string>> = {
      Outcome: outcome,
      Started: `${dateText(bar.startMs)} ${clockText(bar.startMs, 'ms')}`,
      Track: bar.lane,
      Name: open,
      Reason: element('span', { title: bar.reason ?? '' }, [bar.reason ?? '']),
      Point: bar.point,
      Duration: bar.kind === 'cut' ? '' : durationText(barDurationMs(bar, moment.nowMs)),
      Lifecycle: LIFECYCLE_TITLES[bar.lifecycle],
      Run: bar.run,
    };
    const cellElements = TABLE_COLUMNS.map((column) =>
      element('td', { class: `is-${column.toLowerCase()}` }, [cells[column]]),
    );
    return element('tr', { 'aria-current': isSelected }, cellElements);
  }

  #table(rows: readonly HTMLElement[]): HTMLElement {
    const heads = TABLE_COLUMNS.map((column) => this.#head(column));
    return element('div', { class: 'table-scroller', tabindex: '0' }, [
      element('table', {}, [
        element('caption', { class: 'hidden' }, ['Spans of the timeline']),
        element('thead', {}, [element('tr', {}, heads)]),
        element('tbody', {}, rows),
      ]),
    ]);
  }

  #head(column: TableColumn): HTMLElement {
    const isSorted = this.#order.column === column;
    const direction = this.#order.isDescending ? 'descending' : 'ascending';
    const sort = button(column, { class: 'sort', 'data-focus': `table/${column}` }, () => {
      this.#order = { column, isDescending: isSorted ? !this.#order.isDescending : false };
      this.#page = 0;
      this.#actions.change({});
    });
    return element('th', { scope: 'col', 'aria-sort': isSorted ? direction : 'none' }, [sort]);
  }
}

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

/** The order of the rows of the table. */
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

/** Sorts the rows by a column. Rows that are equal in that column stay sorted by time, newest first. */
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

/** The rank of a span's outcome. A target that is frozen now is the worst. */
const worth = ({ kind, endMs, outcome }: Bar): number =>
  kind === 'frozen' && endMs === null ? -1 : WORST_FIRST.indexOf(outcome);

/** In ascending order, spans without a reason come after the spans that have one. */
const byReason: Compare = (one, other) =>
  Number(one.reason === undefined) - Number(other.reason === undefined) ||
  names.compare(one.reason ?? '', other.reason ?? '');
