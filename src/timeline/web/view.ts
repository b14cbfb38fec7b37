/** The data and the view of the page at one moment. The parts of the page draw from them, and nothing else. */
import { type Bar, BAR_OUTCOMES, LIFECYCLES, type SourceState } from '../bar.ts';
import type { Arrangement, LaneGroup } from './arranged-lanes.ts';
import type { Attention } from './attention.ts';
import type { BarFilter } from './filter.ts';
import type { Connection } from './feed.ts';
import type { Lane } from './lanes.ts';
import type { Moment } from './page-clock.ts';
import type { TimeWindow } from './time-window.ts';

/** The choices of the user. */
export interface View {
  readonly window: TimeWindow;
  /** Whether the right edge of the window stays at the current time. */
  readonly follows: boolean;
  readonly filter: BarFilter;
  readonly selected: string | null;
  /** Whether the details of the selected span are open. */
  readonly isOpen: boolean;
  readonly shows: 'chart' | 'table';
  readonly arrangement: Arrangement;
}

export interface Scene extends Moment {
  readonly view: View;
  /** All spans. */
  readonly bars: readonly Bar[];
  /** The spans that match the filter. */
  readonly shown: readonly Bar[];
  readonly lanes: readonly Lane[];
  /** The tracks in the order of the page, without the hidden ones. */
  readonly groups: readonly LaneGroup[];
  /** Reasons for attention from all spans, whatever the filter; the most urgent first. */
  readonly attention: readonly Attention[];
  readonly selected: Bar | null;
  /** Whether the link names a span that does not exist. */
  readonly isLinkLost: boolean;
  readonly connection: Connection | 'exported';
  /** Advice from the server for a client without a session. */
  readonly advice: string;
  /** Number of spans that the server has dropped as the oldest ones. */
  readonly forgotten: number;
  readonly sources: readonly SourceState[];
}

/** The actions by which a part of the page changes the data or the view. */
export interface Actions {
  change(view: Partial<View>): void;
  /** Selects the span and scrolls to it. */
  select(bar: Bar, more?: Pick<Partial<View>, 'isOpen'>): void;
  /** Changes the window to the time of these spans. */
  fit(bars: readonly Bar[]): void;
  zoom(factor: number): void;
  scene(): Scene;
}

/** The part of the view that is kept in the fragment of the page's address. */
export interface Place {
  /** Id of the open span; null: none. */
  readonly bar: string | null;
  /** The time window of the link; null: the page chooses one. */
  readonly window: TimeWindow | null;
  readonly filter: BarFilter;
  readonly shows: 'chart' | 'table';
}

/**
 * The fragment for a place: "#bar=pod%2F1&from=1764000000000&to=1764000004000&filter=web". Empty for the initial view.
 */
export function placeHash({ bar, window, filter, shows }: Place): string {
  const found = new URLSearchParams();
  if (bar !== null) found.set('bar', bar);
  if (window !== null) {
    found.set('from', String(Math.round(window.fromMs)));
    found.set('to', String(Math.round(window.toMs)));
  }
  if (filter.text.trim() !== '') found.set('filter', filter.text.trim());
  if (filter.lifecycles.length > 0) found.set('lifecycle', filter.lifecycles.join(','));
  if (filter.outcomes.length > 0) found.set('outcome', filter.outcomes.join(','));
  if (filter.namespace !== null) found.set('namespace', filter.namespace);
  if (filter.lastMs !== null) found.set('last', String(filter.lastMs));
  if (shows === 'table') found.set('view', 'table');
  const text = found.toString();
  return text === '' ? '' : `#${text}`;
}

/** The place in a fragment. Unknown parts are ignored: a link may be old, or cut off by a mail program. */
export function placeOf(hash: string): Place {
  const found = new URLSearchParams(hash.replace(/^#/, ''));
  return {
    bar: found.get('bar'),
    window: windowOf(found.get('from'), found.get('to')),
    filter: {
      text: found.get('filter') ?? '',
      lifecycles: listed(found.get('lifecycle'), LIFECYCLES),
      outcomes: listed(found.get('outcome'), BAR_OUTCOMES),
      namespace: found.get('namespace'),
      lastMs: lengthOf(found.get('last')),
    },
    shows: found.get('view') === 'table' ? 'table' : 'chart',
  };
}

function windowOf(from: string | null, to: string | null): TimeWindow | null {
  const fromMs = Number(from ?? Number.NaN);
  const toMs = Number(to ?? Number.NaN);
  return Number.isFinite(fromMs) && Number.isFinite(toMs) && fromMs < toMs
    ? { fromMs, toMs }
    : null;
}

function lengthOf(text: string | null): number | null {
  const ms = Number(text ?? Number.NaN);
  return ms > 0 && Number.isFinite(ms) ? ms : null;
}

function listed<Value extends string>(text: string | null, known: readonly Value[]): Value[] {
  const asked = (text ?? '').split(',');
  return known.filter((value) => asked.includes(value));
}
