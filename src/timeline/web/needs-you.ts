/**
 * The panel at the top, with everything on which a user has to act: each with its object, its reason and a command to
 * copy.
 */
import type { Bar } from '../bar.ts';
import type { Attention, AttentionKind } from './attention.ts';
import { nextStepOf } from './commands.ts';
import { button, byId, copy, element, keepingFocus } from './elements.ts';
import type { Moment } from './page-clock.ts';
import type { Actions, Scene } from './view.ts';
import { asOfText, barDurationMs, clockText, durationText, stateText } from './words.ts';

/** Maximum number of rows before a click on "Show all", and after it. */
const FEW_ROWS = 3;
const ROWS_MAX = 50;

const COUNTED: Readonly<Record<AttentionKind, string>> = {
  overdue: 'thaw overdue',
  frozen: 'frozen',
  held: 'held',
  failed: 'failed in the last hour',
  settled: 'failed and then succeeded',
};

export class NeedsYou {
  readonly #panel = byId('needs-you');
  readonly #actions: Actions;
  #shownFor = '';
  #showsAll = false;

  constructor(actions: Actions) {
    this.#actions = actions;
  }

  render({ attention, bars, nowMs, isStopped }: Scene): void {
    this.#panel.hidden = bars.length === 0;
    // Only the durations are updated: otherwise a screen reader would read the whole panel aloud every second.
    this.#panel.querySelectorAll<HTMLElement>('[data-since]').forEach((since) => {
      since.textContent = durationText(nowMs - Number(since.dataset['since']));
    });
    const shownFor = JSON.stringify([
      attention.map(({ kind, bar: { id, reason, next, outcome } }) => [
        kind,
        id,
        reason,
        next,
        outcome,
      ]),
      isStopped ? nowMs : null,
      this.#showsAll,
    ]);
    if (shownFor === this.#shownFor) return;
    this.#shownFor = shownFor;
    keepingFocus(this.#panel, () => {
      this.#panel.replaceChildren(...this.#parts(attention, { nowMs, isStopped }));
    });
  }

  #parts(attention: readonly Attention[], moment: Moment): Node[] {
    const when = moment.isStopped ? ` ${asOfText(moment.nowMs)}` : '';
    const title = element('h2', { id: 'needs-you-title' }, [`Needs you${when}`]);
    if (attention.length === 0) {
      const none = `Nothing${when === '' ? '' : ','} is frozen, overdue or held, and nothing failed in the last hour.`;
      return [element('div', { class: 'needs-head' }, [title, said(none)])];
    }
    const shown = attention.slice(0, this.#showsAll ? ROWS_MAX : FEW_ROWS);
    const rows = shown.map((one) => this.#row(one, moment));
    const head = [title, said(countsText(attention)), ...this.#more(attention.length)];
    return [
      element('div', { class: 'needs-head' }, head),
      element('ul', { class: 'needs-rows' }, rows),
    ];
  }

  #more(count: number): Node[] {
    if (count <= FEW_ROWS) return [];
    const label = this.#showsAll ? 'Show fewer' : `Show all ${Math.min(count, ROWS_MAX)}`;
    const attributes = { 'aria-expanded': String(this.#showsAll), 'data-focus': 'needs-you/more' };
    return [
      button(label, attributes, () => {
        this.#showsAll = !this.#showsAll;
        this.#actions.change({});
      }),
    ];
  }

  #row({ kind, bar }: Attention, moment: Moment): HTMLElement {
    const { note, command } = nextStepOf(bar.next);
    const go = button(bar.lane, { class: 'link', 'data-focus': `needs-you/${bar.id}` }, () => {
      this.#actions.select(bar, { isOpen: true });
    });
    return element('li', { class: `needs-row needs-${kind}` }, [
      element('strong', { class: 'needs-state' }, [stateOf(kind, bar, moment)]),
      element('span', { class: 'needs-object' }, [go, ' ', ...sinceParts(kind, bar, moment)]),
      element('span', { class: 'needs-reason' }, [
        sentences([bar.reason ?? '', note === null || command === null ? note : `${note} run:`]),
      ]),
      ...(command === null ? [] : [commandElement(command)]),
    ]);
  }
}

const said = (text: string): HTMLElement => element('p', { role: 'status' }, [text]);

/** Joins the parts to sentences, with a capital letter and a full stop where one is missing. */
function sentences(parts: readonly (string | null)[]): string {
  return parts
    .flatMap((part) => (part === null || part === '' ? [] : [part.trim()]))
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .map((part) => (/[.:!?]$/.test(part) ? part : `${part}.`))
    .join(' ');
}

/** The number of reasons of each kind, such as "1 thaw overdue, 2 frozen". */
function countsText(attention: readonly Attention[]): string {
  const counts = new Map<AttentionKind, number>();
  for (const { kind } of attention) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => `${count} ${COUNTED[kind]}`).join(', ');
}

function stateOf(kind: AttentionKind, bar: Bar, moment: Moment): string {
  switch (kind) {
    case 'overdue':
      return 'Thaw overdue';
    case 'frozen':
      return moment.isStopped ? stateText(bar, moment) : 'Frozen now';
    case 'held':
      return 'Held';
    case 'failed':
      return bar.outcome;
    case 'settled':
      return `${bar.outcome}, succeeded later`;
    default:
      return kind satisfies never;
  }
}

/** The duration of a freeze, or the time at which something failed. */
function sinceParts(kind: AttentionKind, bar: Bar, { nowMs }: Moment): (Node | string)[] {
  if (kind === 'failed' || kind === 'settled') {
    return [`${bar.name} at ${clockText(bar.endMs ?? bar.startMs, 's')}`];
  }
  const sinceMs = kind === 'held' ? (bar.endMs ?? bar.startMs) : bar.startMs;
  const counted = element('span', { 'data-since': String(sinceMs), 'aria-live': 'off' }, [
    durationText(barDurationMs({ ...bar, startMs: sinceMs, endMs: null }, nowMs)),
  ]);
  return [`since ${clockText(sinceMs, 's')} (`, counted, ')'];
}

/** A command with a button that copies it. */
export function commandElement(command: string): HTMLElement {
  const copyIt = button('Copy', { 'aria-label': `Copy: ${command}` }, () => {
    void copy(command, copyIt);
  });
  return element('span', { class: 'command' }, [element('code', {}, [command]), copyIt]);
}
