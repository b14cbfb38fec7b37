/** The same bars as a table, the newest first: for who does not see the lanes, and for who wants to read. */
import type { Bar } from '../bar.ts';
import { button, byId, element } from './elements.ts';
import { swatchOf } from './detail.ts';
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
const COLUMNS = ['Started', 'Lifecycle', 'Track', 'Point', 'Name', 'Outcome', 'Duration', 'Run'];

export class Table {
  readonly #section = byId('table');
  readonly #actions: Actions;
  #shownFor: readonly unknown[] = [];
  #sorted: readonly Bar[] = [];
  #page = 0;

  constructor(actions: Actions) {
    this.#actions = actions;
  }

  render({ shown, view, nowMs, isStopped }: Scene): void {
    this.#section.hidden = view.shows !== 'table';
    if (this.#section.hidden) return;
    const shownFor = [shown, this.#page, view.selected, isStopped];
    if (shownFor.every((value, index) => value === this.#shownFor[index])) return;
    if (this.#shownFor[0] !== shown) {
      this.#sorted = shown.toSorted((one, other) => other.startMs - one.startMs);
    }
    this.#shownFor = shownFor;
    const pages = Math.max(Math.ceil(this.#sorted.length / PAGE_ROWS), 1);
    this.#page = Math.min(this.#page, pages - 1);
    const first = this.#page * PAGE_ROWS;
    const rows = this.#sorted.slice(first, first + PAGE_ROWS).map((bar) => {
      return this.#row(bar, { nowMs, isStopped, isSelected: bar.id === view.selected });
    });
    const focused = document.activeElement?.getAttribute('data-focus') ?? null;
    this.#section.replaceChildren(this.#pager(pages), table(rows));
    if (focused !== null) {
      this.#section.querySelector<HTMLElement>(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
    }
  }

  #pager(pages: number): HTMLElement {
    const go = (by: number): void => {
      this.#page += by;
      this.#actions.change({});
    };
    const newer = { disabled: this.#page === 0, 'data-focus': 'newer' };
    const older = { disabled: this.#page >= pages - 1, 'data-focus': 'older' };
    const where = `${countText(this.#sorted.length, 'span')}, page ${this.#page + 1} of ${pages}`;
    return element('div', { class: 'pager' }, [
      button('Newer', newer, () => {
        go(-1);
      }),
      element('span', { role: 'status' }, [where]),
      button('Older', older, () => {
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
    const cells: readonly (Node | string)[] = [
      `${dateText(bar.startMs)} ${clockText(bar.startMs, 'ms')}`,
      LIFECYCLE_TITLES[bar.lifecycle],
      bar.lane,
      bar.point,
      open,
      outcome,
      bar.kind === 'cut' ? '' : durationText(barDurationMs(bar, moment.nowMs)),
      bar.run,
    ];
    const cellElements = cells.map((cell) => element('td', {}, [cell]));
    return element('tr', { 'aria-current': isSelected }, cellElements);
  }
}

function table(rows: readonly HTMLElement[]): HTMLElement {
  const heads = COLUMNS.map((name) => element('th', { scope: 'col' }, [name]));
  return element('div', { class: 'table-scroller' }, [
    element('table', {}, [
      element('caption', { class: 'hidden' }, ['Spans of the timeline, newest first']),
      element('thead', {}, [element('tr', {}, heads)]),
      element('tbody', {}, rows),
    ]),
  ]);
}
