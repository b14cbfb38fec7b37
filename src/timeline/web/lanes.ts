/** Bars as lanes: one for each target in each lifecycle, with as many rows as hooks ran beside each other. Pure. */
import { type Bar, type BarKind, LIFECYCLES, type Lifecycle } from '../bar.ts';

/** Bars in the order of their starts. */
export interface Row {
  readonly bars: readonly Bar[];
  /** Of each bar: how far it and those before it reach. Still open is infinite. Never falls. */
  readonly reachMs: readonly number[];
}

export interface Lane {
  readonly key: string;
  readonly lifecycle: Lifecycle;
  readonly name: string;
  /** All of them, in the order of their starts. */
  readonly bars: readonly Bar[];
  /** Those within others are below them. */
  readonly phases: readonly Row[];
  readonly frozen: Row;
  readonly cuts: Row;
  readonly hooks: readonly Row[];
  /** It stands still now. */
  readonly isFrozen: boolean;
}

/** What ran beside more than this shares the last rows. */
const ROWS_MAX = 12;
const PHASE_ROWS_MAX = 3;

/** By lifecycle, then by name, numbers in names as numbers. */
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
    // A key is made of its first bar.
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

/** A large number, and not infinity, so that two that are open are equal. */
const endOf = ({ endMs }: Bar): number => endMs ?? Number.MAX_SAFE_INTEGER;

/** Each bar into the first row that is free when it starts. */
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
