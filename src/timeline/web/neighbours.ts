/** Which bar an arrow key leads to. Pure. */
import type { Bar } from '../bar.ts';
import type { Lane } from './lanes.ts';

export type Step = 'earlier' | 'later' | 'above' | 'below' | 'first' | 'last';

/** null: there is nothing in that direction. `from` null: nothing is selected, so it begins at the newest. */
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
 * The next in time, round to the first, that failed or of which nobody knows how it ended; without `from` the first
 * after `sinceMs`.
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
