/** Arranges spans in tracks: one for each target in each lifecycle, with a row for each concurrent hook. Pure. */
import { type Bar, type BarKind, LIFECYCLES, type Lifecycle } from '../bar.ts';

/** A row of spans, in the order of their starts. */
export interface Row {
  readonly bars: readonly Bar[];
  /**
   * For each span the latest end among itself and all spans before it, milliseconds; never decreases. An open span ends
   * at infinity.
   */
  readonly reachMs: readonly number[];
}

export interface Lane {
  readonly key: string;
  readonly lifecycle: Lifecycle;
  readonly name: string;
  /** All spans of the track, in the order of their starts. */
  readonly bars: readonly Bar[];
  /** Rows of phases; a phase inside another one is in a lower row. */
  readonly phases: readonly Row[];
  readonly frozen: Row;
  readonly cuts: Row;
  readonly hooks: readonly Row[];
  /** Whether the target is frozen now. */
  readonly isFrozen: boolean;
}

/** Maximum number of rows of concurrent hooks; further hooks share the last row. */
const ROWS_MAX = 12;
const PHASE_ROWS_MAX = 3;

/** The tracks, sorted by lifecycle and then by name. Numbers in names are compared as numbers. */
export function lanesOf(bars: readonly Bar[]): readonly Lane[] {
  const found = new Map<string, Bar[]>();
  for (const bar of bars) {
    const key = `${bar.lifecycle} ${bar.lane}`;
    const known = found.get(key);
    if (known === undefined) found.set(key, [bar]);
    else known.push(bar);
  }
  const names = new Intl.Collator('en', { numeric: true });
  return [...found]
    .map(([key, own]) => laneOf(key, own))
    .toSorted(
      (one, other) =>
        LIFECYCLES.indexOf(one.lifecycle) - LIFECYCLES.indexOf(other.lifecycle) ||
        names.compare(one.name, other.name),
    );
}

function laneOf(key: string, unsorted: readonly Bar[]): Lane {
  const bars = unsorted.toSorted(
    (one, other) =>
      one.startMs - other.startMs || endOf(other) - endOf(one) || (one.id < other.id ? -1 : 1),
  );
  const ofKind = (kind: BarKind): Bar[] => bars.filter((bar) => bar.kind === kind);
  const frozen = ofKind('frozen');
  return {
    key,
    // All spans have the same lifecycle and track, since both are in the key.
    lifecycle: bars[0]?.lifecycle ?? 'pipeline',
    name: bars[0]?.lane ?? '',
    bars,
    phases: packed(ofKind('phase'), PHASE_ROWS_MAX).map(rowOf),
    frozen: rowOf(frozen),
    cuts: rowOf(ofKind('cut')),
    hooks: packed(ofKind('hook'), ROWS_MAX).map(rowOf),
    isFrozen: frozen.some(({ endMs }) => endMs === null),
  };
}

/** The end of a span for sorting. It is not infinity, so that the difference of two open spans is 0. */
const endOf = ({ endMs }: Bar): number => endMs ?? Number.MAX_SAFE_INTEGER;

/** Puts each span into the first row that is free at its start. */
function packed(bars: readonly Bar[], rowsMax: number): Bar[][] {
  const rows: { bars: Bar[]; endMs: number }[] = [];
  for (const bar of bars) {
    const endMs = endOf(bar);
    const free = rows.find((row) => row.endMs <= bar.startMs);
    const row = free ?? (rows.length < rowsMax ? undefined : rows.at(-1));
    if (row === undefined) {
      rows.push({ bars: [bar], endMs });
    } else {
      row.bars.push(bar);
      row.endMs = Math.max(row.endMs, endMs);
    }
  }
  return rows.map((row) => row.bars);
}

function rowOf(bars: readonly Bar[]): Row {
  let reach = -Infinity;
  const reachMs = bars.map(({ endMs }) => (reach = Math.max(reach, endMs ?? Infinity)));
  return { bars, reachMs };
}
