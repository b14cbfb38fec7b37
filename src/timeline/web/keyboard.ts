/** The keys of the page. In the tracks the arrow keys move from span to span; elsewhere the browser handles them. */
import type { Bar } from '../bar.ts';
import { follow, ZOOM_STEP } from './controls.ts';
import { byId } from './elements.ts';
import { showHelp } from './help.ts';
import type { Lane } from './lanes.ts';
import { panned, spanOf } from './time-window.ts';
import type { Actions } from './view.ts';
import { barSentence } from './words.ts';

export interface Focus {
  readonly search: () => void;
  readonly detail: () => void;
}

const STEPS: Readonly<Record<string, Step>> = {
  ArrowLeft: 'earlier',
  ArrowRight: 'later',
  ArrowUp: 'above',
  ArrowDown: 'below',
  Home: 'first',
  End: 'last',
};
const PAN_SHARE = 0.2;

export function followKeys(actions: Actions, focus: Focus): void {
  const anywhere = keysAnywhere(actions, focus);
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping =
      event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (document.querySelector('dialog[open]') !== null) return;
    const act = isTyping && event.key !== 'Escape' ? undefined : anywhere[event.key];
    if (act !== undefined) {
      event.preventDefault();
      act();
    } else if (isInLanes(event.target)) {
      stepByKey(actions, focus, event);
    }
  });
}

const isInLanes = (target: EventTarget | null): boolean =>
  target === document.body || target === byId('chart');

function keysAnywhere(
  actions: Actions,
  { search }: Focus,
): Readonly<Record<string, (() => void) | undefined>> {
  return {
    '/': search,
    '?': showHelp,
    '+': () => {
      actions.zoom(1 / ZOOM_STEP);
    },
    '=': () => {
      actions.zoom(1 / ZOOM_STEP);
    },
    '-': () => {
      actions.zoom(ZOOM_STEP);
    },
    0: () => {
      actions.fit(actions.scene().shown);
    },
    l: () => {
      follow(actions);
    },
    n: () => {
      goToNextFailure(actions);
    },
    t: () => {
      const { shows } = actions.scene().view;
      actions.change({ shows: shows === 'chart' ? 'table' : 'chart' });
    },
    Escape: () => {
      const { isOpen } = actions.scene().view;
      actions.change(isOpen ? { isOpen: false } : { selected: null });
      byId('chart').focus();
    },
  };
}

function stepByKey(actions: Actions, { detail }: Focus, event: KeyboardEvent): void {
  const { groups, selected, view } = actions.scene();
  const step = STEPS[event.key];
  if (event.shiftKey && (step === 'earlier' || step === 'later')) {
    const byMs = spanOf(view.window) * PAN_SHARE * (step === 'earlier' ? -1 : 1);
    actions.change({ window: panned(view.window, byMs), follows: false });
  } else if (step !== undefined) {
    go(
      actions,
      neighbour(
        groups.flatMap((group) => group.lanes),
        selected,
        step,
      ),
    );
  } else if (event.key === 'Enter' && selected !== null) {
    actions.change({ isOpen: true });
    detail();
  } else return;
  event.preventDefault();
}

export function goToNextFailure(actions: Actions): void {
  const { lanes, selected, view } = actions.scene();
  go(actions, nextFailure(lanes, selected, view.window.fromMs));
}

function go(actions: Actions, bar: Bar | null): void {
  if (bar === null) return;
  actions.select(bar);
  byId('said').textContent = barSentence(bar, actions.scene());
}

export type Step = 'earlier' | 'later' | 'above' | 'below' | 'first' | 'last';

/**
 * The span that an arrow key selects; null: there is none in that direction. Pure. If `from` is null, nothing is
 * selected, and the search starts at the newest span.
 */
export function neighbour(lanes: readonly Lane[], from: Bar | null, step: Step): Bar | null {
  const at = lanes.findIndex(({ bars }) => bars.some(({ id }) => id === from?.id));
  const lane = lanes[at];
  if (from === null || lane === undefined) return newest(lanes);
  if (step === 'above') return nearest(lanes[at - 1], from);
  if (step === 'below') return nearest(lanes[at + 1], from);
  const index = lane.bars.findIndex(({ id }) => id === from.id);
  const last = lane.bars.length - 1;
  const to = { earlier: index - 1, later: index + 1, first: 0, last }[step];
  return lane.bars[to] ?? null;
}

/**
 * The next failure after `from`: a span that failed or has an unknown outcome. After the last failure the first one
 * follows. If `from` is null: the first failure after `sinceMs`, else the last failure of all.
 */
export function nextFailure(lanes: readonly Lane[], from: Bar | null, sinceMs: number): Bar | null {
  const failed = lanes
    .flatMap(({ bars }) => bars)
    .filter(({ outcome }) => outcome === 'Failed' || outcome === 'Unknown')
    .toSorted((one, other) => one.startMs - other.startMs || (one.id < other.id ? -1 : 1));
  const at = failed.findIndex(({ id }) => id === from?.id);
  if (at !== -1) return failed[at + 1] ?? failed[0] ?? null;
  const afterMs = from?.startMs ?? sinceMs;
  return (
    failed.find(({ startMs }) => startMs > afterMs) ?? failed.at(from === null ? -1 : 0) ?? null
  );
}

function nearest(lane: Lane | undefined, { startMs }: Bar): Bar | null {
  const away = (bar: Bar): number => Math.abs(bar.startMs - startMs);
  return (
    lane?.bars.reduce((best, bar) => (away(bar) < away(best) ? bar : best), lane.bars[0] as Bar) ??
    null
  );
}

function newest(lanes: readonly Lane[]): Bar | null {
  return lanes
    .flatMap(({ bars }) => bars.slice(-1))
    .reduce<Bar | null>(
      (best, bar) => (best === null || bar.startMs > best.startMs ? bar : best),
      null,
    );
}
