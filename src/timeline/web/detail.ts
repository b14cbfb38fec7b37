/** The details of one span: what happened, why, its output, the other spans of its run, and the next step. */
import type { Bar } from '../bar.ts';
import { runKeyOf } from '../run-summary.ts';
import { commandsOf, nextStepOf } from './commands.ts';
import { comparison } from './compare-runs.ts';
import { button, byId, copy, element } from './elements.ts';
import { commandElement } from './needs-you.ts';
import type { Moment } from './page-clock.ts';
import type { Actions, Scene } from './view.ts';
import {
  asOfText,
  barDurationMs,
  barTitle,
  clockText,
  dateText,
  durationText,
  LIFECYCLE_TITLES,
  stateText,
  zoneText,
} from './words.ts';

/** Maximum number of spans of the same run that are listed; the table has all. */
const SIBLINGS_MAX = 40;

export class Detail {
  readonly #panel = byId('detail');
  readonly #actions: Actions;
  #shownFor: readonly Bar[] = [];
  #wasStopped = false;

  constructor(actions: Actions) {
    this.#actions = actions;
  }

  render(scene: Scene): void {
    const { selected: bar, bars, nowMs, isStopped, view } = scene;
    this.#panel.hidden = bar === null || !view.isOpen;
    if (bar === null || !view.isOpen) return;
    this.#countUp(bar, nowMs);
    const key = runKeyOf(bar);
    const siblings = bars
      .filter((one) => one.run === bar.run && runKeyOf(one) === key)
      .toSorted((one, other) => one.startMs - other.startMs);
    const shownFor = [bar, ...siblings];
    if (isStopped === this.#wasStopped && isSame(shownFor, this.#shownFor)) return;
    this.#wasStopped = isStopped;
    const hadFocus = this.#panel.contains(document.activeElement);
    const scrollTop = this.#shownFor[0]?.id === bar.id ? this.#panel.scrollTop : 0;
    this.#shownFor = shownFor;
    this.#panel.replaceChildren(
      ...this.#parts({ bar, siblings, bars, moment: { nowMs, isStopped } }),
    );
    this.#panel.scrollTop = scrollTop;
    if (hadFocus) this.focus();
  }

  /** Updates only the duration of an open span. */
  #countUp(bar: Bar, nowMs: number): void {
    const duration = this.#panel.querySelector('[data-duration]');
    if (bar.endMs !== null || duration === null || this.#shownFor[0]?.id !== bar.id) return;
    duration.textContent = durationText(barDurationMs(bar, nowMs));
  }

  focus(): void {
    this.#panel.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true });
  }

  #parts({ bar, siblings, moment, bars }: Subject & { readonly bars: readonly Bar[] }): Node[] {
    return [
      this.#heading(bar, moment),
      ...reasonParts(bar),
      facts(bar, moment),
      ...outputParts(bar),
      ...evidenceParts(bar),
      ...commandParts(bar),
      ...comparison(this.#actions, { run: siblings, bars, nowMs: moment.nowMs }),
      ...this.#siblingParts({ bar, siblings, moment }),
      this.#commands(bar, siblings),
    ];
  }

  #heading(bar: Bar, moment: Moment): HTMLElement {
    const close = button('Close', { class: 'close', 'aria-keyshortcuts': 'Escape' }, () => {
      this.#actions.change({ isOpen: false });
      byId('chart').focus();
    });
    return element('div', { class: 'detail-head' }, [
      element('h2', { tabindex: '-1' }, [barTitle(bar)]),
      close,
      element('p', { class: 'soft' }, [
        `${LIFECYCLE_TITLES[bar.lifecycle]} / ${bar.lane} / ${bar.point}`,
      ]),
      element('p', {}, [badge(bar, moment)]),
    ]);
  }

  #siblingParts({ bar, siblings, moment }: Subject): Node[] {
    if (siblings.length < 2) return [];
    const items = siblings.slice(0, SIBLINGS_MAX).map((one) => {
      const label = `${one.point}: ${barTitle(one)}`;
      const go = button('', { 'aria-current': one.id === bar.id }, () => {
        this.#actions.select(one, { isOpen: true });
      });
      go.append(
        element('span', { class: `swatch is-${swatchOf(one)}`, 'aria-hidden': 'true' }),
        element('span', { class: 'grow' }, [label]),
        element('span', { class: 'soft' }, [
          one.kind === 'cut' ? 'cut' : durationText(barDurationMs(one, moment.nowMs)),
        ]),
      );
      return element('li', {}, [go]);
    });
    const left = siblings.length - items.length;
    const more = left > 0 ? [element('p', { class: 'soft' }, [`and ${left} more`])] : [];
    const title = element('h3', {}, [`Run ${bar.run}`]);
    return [title, element('ol', { class: 'siblings' }, items), ...more];
  }

  #commands(bar: Bar, siblings: readonly Bar[]): HTMLElement {
    const link = button('Copy link', {}, () => {
      void copy(location.href, link);
    });
    const toBar = button('Zoom to the span', {}, () => {
      this.#actions.fit([bar]);
    });
    const toRun = button('Zoom to the run', {}, () => {
      this.#actions.fit(siblings);
    });
    return element('div', { class: 'commands' }, [link, toBar, toRun]);
  }
}

interface Subject {
  readonly bar: Bar;
  /** The spans of the same run, including this one. */
  readonly siblings: readonly Bar[];
  readonly moment: Moment;
}

const isSame = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((value, index) => value === other[index]);

export const swatchOf = ({ kind, outcome }: Bar): string =>
  kind === 'frozen' ? 'frozen' : outcome.toLowerCase();

function badge(bar: Bar, moment: Moment): HTMLElement {
  return element('span', { class: `badge is-${swatchOf(bar)}` }, [stateText(bar, moment)]);
}

function reasonParts({ reason, next }: Bar): Node[] {
  const parts: Node[] = [];
  if (reason !== undefined) parts.push(element('p', { class: 'reason' }, [reason]));
  if (next !== undefined) {
    const { note, command } = nextStepOf(next);
    const heading = element('h3', {}, ['Next step']);
    const said = note === null ? [] : [element('p', {}, [note])];
    const step = command === null ? [] : [commandElement(command)];
    parts.push(element('div', { class: 'next' }, [heading, ...said, ...step]));
  }
  return parts;
}

function commandParts(bar: Bar): Node[] {
  const rows = commandsOf(bar).map(
    ({ label, command }) => [label, commandElement(command)] as const,
  );
  return rows.length === 0 ? [] : [element('h3', {}, ['Commands']), definitions(rows)];
}

function facts(bar: Bar, moment: Moment): HTMLElement {
  const { startMs, endMs, attempt, exitCode, signal, where } = bar;
  const duration = element('span', { 'data-duration': true }, [
    durationText(barDurationMs(bar, moment.nowMs)),
  ]);
  const rows: [string, Node | string | null][] = [
    [bar.kind === 'cut' ? 'At' : 'Started', startedText(startMs)],
    ['Ended', bar.kind === 'cut' ? null : endedText(endMs, moment)],
    ['Duration', bar.kind === 'cut' ? null : duration],
    ['Attempt', attempt === null ? null : String(attempt)],
    ['Exit code', exitCode === undefined ? null : String(exitCode)],
    ['Signal', signal ?? null],
    ['Where', where === undefined ? null : element('code', {}, [where])],
    ['Run', bar.run],
  ];
  return definitions(rows);
}

const startedText = (ms: number): string =>
  `${dateText(ms)}, ${clockText(ms, 'ms')} ${zoneText(ms)}`;

function endedText(endMs: number | null, { nowMs, isStopped }: Moment): string {
  if (endMs !== null) return clockText(endMs, 'ms');
  return isStopped ? `not ${asOfText(nowMs)}` : 'not yet';
}

function outputParts({ stderr, stdout }: Bar): Node[] {
  const parts = (title: string, text: string | undefined): Node[] => {
    if (text === undefined || text === '') return [];
    const copyText = button('Copy', {}, () => {
      void copy(text, copyText);
    });
    return [
      element('div', { class: 'output-head' }, [element('h3', {}, [title]), copyText]),
      element('pre', { tabindex: '0', 'aria-label': title }, [text.trimEnd()]),
    ];
  };
  return [...parts('Errors (stderr)', stderr), ...parts('Output (stdout)', stdout)];
}

function evidenceParts({ evidence = {} }: Bar): Node[] {
  const rows = Object.entries(evidence);
  return rows.length === 0 ? [] : [element('h3', {}, ['Evidence']), definitions(rows)];
}

function definitions(rows: readonly (readonly [string, Node | string | null])[]): HTMLElement {
  return element(
    'dl',
    {},
    rows.flatMap(([name, value]) =>
      value === null ? [] : [element('dt', {}, [name]), element('dd', {}, [value])],
    ),
  );
}
