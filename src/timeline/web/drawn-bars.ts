/** Places the spans of a row. Spans that are too narrow to be drawn separately become one cluster. Pure. */
import { type Bar, type BarOutcome, WORST_FIRST } from '../bar.ts';
import type { Row } from './lanes.ts';
import { spanOf, type TimeWindow } from './time-window.ts';

export interface DrawnBar {
  /** Pixels from the left edge of the window; a bar may start before the window and end after it. */
  readonly x: number;
  readonly widthPx: number;
  /** Index in the row of the drawn span, or of the first span of the drawn cluster. */
  readonly from: number;
  readonly to: number;
}

export interface Scale {
  readonly window: TimeWindow;
  readonly widthPx: number;
  readonly nowMs: number;
}

/** Adjacent spans that are narrower than this are drawn as one, pixels. */
const NARROW_PX = 2;
/** Minimum width that a user can see and click, pixels. */
const WIDTH_MIN_PX = 3;
/** Pixels by which a bar may exceed the window: the coordinates of a canvas are exact only within limits. */
const BEYOND_PX = 50;

export const pxOf = ({ window, widthPx }: Scale, ms: number): number =>
  ((ms - window.fromMs) / spanOf(window)) * widthPx;

export const msOf = ({ window, widthPx }: Scale, px: number): number =>
  window.fromMs + (px / Math.max(widthPx, 1)) * spanOf(window);

export function drawnBars({ bars, reachMs }: Row, scale: Scale): DrawnBar[] {
  const drawn: DrawnBar[] = [];
  let index = firstReaching(reachMs, scale.window.fromMs);
  for (; index < bars.length; index += 1) {
    const bar = bars[index];
    if (bar === undefined || bar.startMs > scale.window.toMs) break;
    const exact = extent(bar, scale);
    const last = drawn.at(-1);
    // A narrow span right after a narrow span or a cluster: the cluster grows by one.
    if (
      last !== undefined &&
      exact.widthPx < NARROW_PX &&
      (last.widthPx <= WIDTH_MIN_PX || last.to - last.from > 1) &&
      exact.x < last.x + last.widthPx + 1
    ) {
      const right = Math.max(last.x + last.widthPx, exact.x + exact.widthPx);
      drawn[drawn.length - 1] = { ...last, widthPx: right - last.x, to: index + 1 };
    } else {
      const widthPx = Math.max(exact.widthPx, WIDTH_MIN_PX);
      drawn.push({ x: exact.x, widthPx, from: index, to: index + 1 });
    }
  }
  return drawn;
}

/** The position and the width of a span, limited to what a canvas can draw. */
export function extent(bar: Bar, scale: Scale): { readonly x: number; readonly widthPx: number } {
  const left = Math.max(pxOf(scale, bar.startMs), -BEYOND_PX);
  const right = Math.min(pxOf(scale, bar.endMs ?? scale.nowMs), scale.widthPx + BEYOND_PX);
  return { x: left, widthPx: Math.max(right - left, 0) };
}

function firstReaching(reachMs: readonly number[], ms: number): number {
  let low = 0;
  let high = reachMs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((reachMs[middle] ?? Infinity) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The outcome that colours a cluster: its worst one, so that successes hide no failure. */
export function worstOf({ bars }: Row, { from, to }: DrawnBar): BarOutcome {
  let worst = WORST_FIRST.length - 1;
  for (let index = from; index < to; index += 1) {
    worst = Math.min(worst, WORST_FIRST.indexOf(bars[index]?.outcome ?? 'Skipped'));
  }
  return WORST_FIRST[worst] ?? 'Skipped';
}

/** Maximum number of spans. As on the server, the oldest ended ones are dropped first, and open ones last. */
export const BARS_MAX = 20_000;

export class KnownBars {
  readonly #bars = new Map<string, Bar>();
  #list: readonly Bar[] | null = null;

  /** All spans; the same array until something changes. */
  get list(): readonly Bar[] {
    this.#list ??= [...this.#bars.values()];
    return this.#list;
  }

  get(id: string): Bar | null {
    return this.#bars.get(id) ?? null;
  }

  add(bars: readonly Bar[]): void {
    for (const bar of bars) this.#bars.set(bar.id, bar);
    const tooMany = this.#bars.size - BARS_MAX;
    if (tooMany > 0) {
      const oldest = [...this.#bars.values()].toSorted(
        (one, other) =>
          Number(one.endMs === null) - Number(other.endMs === null) || one.startMs - other.startMs,
      );
      for (const { id } of oldest.slice(0, tooMany)) this.#bars.delete(id);
    }
    this.#list = null;
  }

  remove(id: string): void {
    this.#bars.delete(id);
    this.#list = null;
  }

  /** Stores these spans, and drops all others. */
  replaceAll(bars: readonly Bar[]): void {
    this.#bars.clear();
    this.add(bars);
  }
}
