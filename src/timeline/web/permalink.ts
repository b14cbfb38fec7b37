/** Converts the view of the page to the fragment of its address, and back. Pure. */
import { BAR_OUTCOMES, LIFECYCLES } from '../bar.ts';
import type { BarFilter } from './filter.ts';
import type { TimeWindow } from './time-window.ts';

export interface Place {
  /** Id of the open span; null: none. */
  readonly bar: string | null;
  /** null: the page chooses. */
  readonly window: TimeWindow | null;
  readonly filter: BarFilter;
  readonly shows: 'chart' | 'table';
}

/** Example: "#bar=pod%2F1&from=1764000000000&to=1764000004000&filter=web". Empty for the initial view. */
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

/** Ignores unknown parts: a link may be old, or cut off by a mail program. */
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
