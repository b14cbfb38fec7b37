/** Arranges spans in tracks: one for each target in each lifecycle, with a row for each concurrent hook. Pure. */
import { type Bar, type BarKind, LIFECYCLES, type Lifecycle } from '../bar.ts';

/** Spans in the order of their starts. */
export interface Row {
  readonly bars: readonly Bar[];
  /**
   * For each span: the latest end of it and of all before it, milliseconds; never decreases. An open span counts as
   * infinite.
   */
  readonly reachMs: readonly number[];
}

export interface Lane {
  readonly key: string;
  readonly lifecycle: Lifecycle;
  readonly name: string;
  /** All of them, in the order of their starts. */
  readonly bars: readonly Bar[];
  /** Phases within others are in lower rows. */
  readonly phases: readonly Row[];
  readonly frozen: Row;
  readonly cuts: Row;
  readonly hooks: readonly Row[];
  /** True: the target is frozen now. */
  readonly isFrozen: boolean;
}

/** Hooks beyond this number of concurrent ones share the last rows. */
const ROWS_MAX = 12;
const PHASE_ROWS_MAX = 3;

/** Sorted by lifecycle, then by name, with numbers in names compared as numbers. */
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
    // The key is built from the first span.
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

/** A large number, and not infinity, so that two open spans are equal. */
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
