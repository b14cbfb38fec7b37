/** What of a row is drawn where: bars too narrow to be told apart become one cluster. Pure. */
import { type Bar, type BarOutcome, WORST_FIRST } from '../bar.ts';
import type { Row } from './lanes.ts';
import { spanOf, type TimeWindow } from './time-window.ts';

export interface DrawnBar {
  /** From the left edge of the window; it may begin before it and end behind it. */
  readonly x: number;
  readonly widthPx: number;
  /** One, or all of a cluster: a part of the row. */
  readonly from: number;
  readonly to: number;
}

export interface Scale {
  readonly window: TimeWindow;
  readonly widthPx: number;
  readonly nowMs: number;
}

/** Below this, neighbours are drawn as one. */
const NARROW_PX = 2;
/** What can still be seen and hit. */
const WIDTH_MIN_PX = 3;
/** A canvas is exact only within bounds. */
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
    // Two narrow ones that touch: the cluster grows by one.
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

/** Within what a canvas can draw. */
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

/** A cluster has the colour of the worst in it: no failure hides among successes. */
export function worstOf({ bars }: Row, { from, to }: DrawnBar): BarOutcome {
  let worst = WORST_FIRST.length - 1;
  for (let index = from; index < to; index += 1) {
    worst = Math.min(worst, WORST_FIRST.indexOf(bars[index]?.outcome ?? 'Skipped'));
  }
  return WORST_FIRST[worst] ?? 'Skipped';
}
