/** Selects the spans of a request. Pure. */
import { type Bar, LIFECYCLES } from './bar.ts';
import { type BarStore, type KeptBar, MAX_BARS } from './bar-store.ts';

export interface BarQuery {
  /** Only changes with a number above this one; 0: all changes. */
  readonly after: number;
  readonly limit: number;
  /** Only these lifecycles; empty: all. */
  readonly lifecycles: readonly string[];
  /** Only these tracks; empty: all. */
  readonly lanes: readonly string[];
  /** Spans that were open at some time between `fromMs` and `toMs`, milliseconds since 1970. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** Reads the query; returns a text if it has an error. */
export function readBarQuery(query: URLSearchParams): BarQuery | string {
  const numbers = {
    after: numberIn(query, 'after', 0),
    limit: numberIn(query, 'limit', MAX_BARS),
    fromMs: numberIn(query, 'from', 0),
    toMs: numberIn(query, 'to', Number.MAX_SAFE_INTEGER),
  };
  const wrong = Object.values(numbers).find((value) => typeof value === 'string');
  if (wrong !== undefined) return wrong;
  const lifecycles = listIn(query, 'lifecycle');
  const unknown = lifecycles.find((name) => !LIFECYCLES.some((known) => known === name));
  if (unknown !== undefined) return `lifecycle must be one of ${LIFECYCLES.join(', ')}`;
  // The cast is safe: a value that is not a number was rejected above.
  const { after, limit, fromMs, toMs } = numbers as Record<keyof typeof numbers, number>;
  const lanes = listIn(query, 'lane');
  return { after, limit: Math.min(limit, MAX_BARS), fromMs, toMs, lifecycles, lanes };
}

function numberIn(query: URLSearchParams, name: string, otherwise: number): number | string {
  const text = query.get(name);
  if (text === null) return otherwise;
  return /^\d{1,16}$/.test(text) ? Number(text) : `${name} must be a whole number`;
}

function listIn(query: URLSearchParams, name: string): string[] {
  return query.getAll(name).flatMap((value) => value.split(',').filter((one) => one !== ''));
}

export interface Selection {
  /** The selected spans, in the order of their last change. */
  readonly kept: readonly KeptBar[];
  readonly seq: number;
  readonly truncated: boolean;
}

export function selectBars(
  store: Pick<BarStore, 'all' | 'seq'>,
  { after, limit, ...which }: BarQuery,
): Selection {
  const kept: KeptBar[] = [];
  for (const one of store.all()) {
    if (one.seq <= after || !isMeant(one.bar, which)) continue;
    if (kept.length === limit) return { kept, seq: kept.at(-1)?.seq ?? after, truncated: true };
    kept.push(one);
  }
  return { kept, seq: store.seq, truncated: false };
}

function isMeant(
  { lifecycle, lane, startMs, endMs }: Bar,
  { lifecycles, lanes, fromMs, toMs }: Omit<BarQuery, 'after' | 'limit'>,
): boolean {
  return (
    (lifecycles.length === 0 || lifecycles.includes(lifecycle)) &&
    (lanes.length === 0 || lanes.includes(lane)) &&
    startMs <= toMs &&
    (endMs ?? Number.MAX_SAFE_INTEGER) >= fromMs
  );
}
