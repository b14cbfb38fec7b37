/** The time window of the page, and its zooming, panning and fitting. Pure. */
import type { Bar } from '../bar.ts';

export interface TimeWindow {
  /** Wall clock, milliseconds since 1970; always before `toMs`. */
  readonly fromMs: number;
  readonly toMs: number;
}

const SPAN_MIN_MS = 4;
const SPAN_MAX_MS = 1_000 * 86_400_000;
/** Milliseconds. A longer pause separates spans that are unrelated. */
const REST_MS = 10 * 60_000;
/** Margin on each side of the fitted spans, as a fraction of their duration. */
const MARGIN = 0.04;
/** Duration of the window of a page without spans, milliseconds. */
const EMPTY_SPAN_MS = 60_000;

export const spanOf = ({ fromMs, toMs }: TimeWindow): number => toMs - fromMs;

/** The zoomed window. `factor` 0.5 shows half of the time; `aroundMs` keeps its position on the screen. */
export function zoomed(window: TimeWindow, factor: number, aroundMs: number): TimeWindow {
  const span = clamp(spanOf(window) * factor, SPAN_MIN_MS, SPAN_MAX_MS);
  const share = clamp((aroundMs - window.fromMs) / spanOf(window), 0, 1);
  const fromMs = aroundMs - span * share;
  return { fromMs, toMs: fromMs + span };
}

export function panned({ fromMs, toMs }: TimeWindow, byMs: number): TimeWindow {
  return { fromMs: fromMs + byMs, toMs: toMs + byMs };
}

/** The window moved to now, with the same duration, and a little more space for open spans to grow. */
export function following(window: TimeWindow, nowMs: number): TimeWindow {
  const span = spanOf(window);
  const toMs = nowMs + span * MARGIN;
  return { fromMs: toMs - span, toMs };
}

/**
 * A window from the first of these spans up to now. It shows at least a minute: a span that has just started would
 * otherwise fill the window, and then grow out of it.
 */
export function followed(bars: readonly Bar[], nowMs: number): TimeWindow {
  const lastedMs = bars.reduce((longest, { startMs }) => Math.max(longest, nowMs - startMs), 0);
  const span = clamp(lastedMs * (1 + 2 * MARGIN), EMPTY_SPAN_MS, SPAN_MAX_MS);
  return following({ fromMs: nowMs - span, toMs: nowMs }, nowMs);
}

/** The window moved as little as needed to show `bar`. */
export function revealing(window: TimeWindow, bar: Bar, nowMs: number): TimeWindow {
  const endMs = bar.endMs ?? nowMs;
  const margin = spanOf(window) * MARGIN;
  if (endMs > window.fromMs && bar.startMs < window.toMs) return window;
  return bar.startMs < window.fromMs
    ? panned(window, bar.startMs - margin - window.fromMs)
    : panned(window, Math.min(endMs + margin, bar.startMs + spanOf(window) / 2) - window.toMs);
}

/** A window of all these spans, with a margin on both sides. */
export function fitted(bars: readonly Bar[], nowMs: number): TimeWindow {
  let fromMs = Infinity;
  let toMs = -Infinity;
  for (const { startMs, endMs } of bars) {
    fromMs = Math.min(fromMs, startMs);
    toMs = Math.max(toMs, endMs ?? nowMs);
  }
  if (toMs < fromMs) return { fromMs: nowMs - EMPTY_SPAN_MS, toMs: nowMs };
  const span = clamp((toMs - fromMs) * (1 + 2 * MARGIN), SPAN_MIN_MS, SPAN_MAX_MS);
  const middle = (fromMs + toMs) / 2;
  return { fromMs: middle - span / 2, toMs: middle + span / 2 };
}

/** The latest spans, back to the last long pause before them: a user probably wants to see these first. */
export function newestStory(bars: readonly Bar[], nowMs: number): readonly Bar[] {
  const newestFirst = bars.toSorted((one, other) => other.startMs - one.startMs);
  let earliest = newestFirst[0]?.startMs ?? 0;
  const rest = newestFirst.findIndex(({ startMs, endMs }) => {
    const isApart = (endMs ?? nowMs) < earliest - REST_MS;
    if (!isApart) earliest = Math.min(earliest, startMs);
    return isApart;
  });
  return rest === -1 ? newestFirst : newestFirst.slice(0, rest);
}

export function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
