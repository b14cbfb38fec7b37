/** Selects the spans that are shown. Pure. */
import type { Bar, BarOutcome, Lifecycle } from '../bar.ts';

export interface BarFilter {
  /** Words that must all occur in the text of a span. */
  readonly text: string;
  /** Only these lifecycles; empty: all. */
  readonly lifecycles: readonly Lifecycle[];
  /** Only these outcomes; empty: all. */
  readonly outcomes: readonly BarOutcome[];
  /** Only this namespace; null: all spans, also those without a namespace. */
  readonly namespace: string | null;
  /** Only spans that are open or ended within this time before now, milliseconds; null: all. */
  readonly lastMs: number | null;
}

export const EVERYTHING: BarFilter = {
  text: '',
  lifecycles: [],
  outcomes: [],
  namespace: null,
  lastMs: null,
};

export const isEverything = (filter: BarFilter): boolean =>
  filter.text.trim() === '' &&
  filter.lifecycles.length === 0 &&
  filter.outcomes.length === 0 &&
  filter.namespace === null &&
  filter.lastMs === null;

export function matching(bars: readonly Bar[], filter: BarFilter, nowMs: number): readonly Bar[] {
  if (isEverything(filter)) return bars;
  const { lifecycles, outcomes, namespace, lastMs } = filter;
  const sinceMs = lastMs === null ? -Infinity : nowMs - lastMs;
  const words = filter.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return bars.filter(
    (bar) =>
      includesOrAll(lifecycles, bar.lifecycle) &&
      includesOrAll(outcomes, bar.outcome) &&
      (namespace === null || namespaceOf(bar) === namespace) &&
      (bar.endMs ?? Infinity) >= sinceMs &&
      words.every((word) => textOf(bar).includes(word)),
  );
}

/** The namespace of a span's target; null: the target is not in a namespace. */
export function namespaceOf({ lifecycle, lane }: Bar): string | null {
  const end = lane.indexOf('/');
  return lifecycle === 'pipeline' || lifecycle === 'container' || end === -1
    ? null
    : lane.slice(0, end);
}

/** The namespaces of the spans, sorted by name. */
export function namespacesOf(bars: readonly Bar[]): readonly string[] {
  const found = new Set(bars.map(namespaceOf));
  found.delete(null);
  return ([...found] as string[]).toSorted();
}

/** Adds the value if it is missing, else removes it. */
export function toggled<Value>(values: readonly Value[], value: Value): readonly Value[] {
  return values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
}

const includesOrAll = <Value>(values: readonly Value[], value: Value): boolean =>
  values.length === 0 || values.includes(value);

/**
 * The text of each span in lower case. Cached, since a search reads every span at each key press, and a span never
 * changes.
 */
const texts = new WeakMap<Bar, string>();

function textOf(bar: Bar): string {
  const known = texts.get(bar);
  if (known !== undefined) return known;
  const { lifecycle, lane, kind, run, point, name, outcome } = bar;
  const { reason, where, next, signal, stderr, stdout, evidence = {} } = bar;
  const facts = Object.entries(evidence).flat();
  const parts = [lifecycle, lane, kind, run, point, name, outcome, reason, where, next, signal];
  const text = [...parts, stderr, stdout, ...facts]
    .filter((part) => part !== undefined)
    .join('\n')
    .toLowerCase();
  texts.set(bar, text);
  return text;
}
