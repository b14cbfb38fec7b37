/** The time axis above the tracks: round times, the date, and the shown time span. */
import { pxOf, type Scale } from './drawn-bars.ts';
import { byId } from './elements.ts';
import type { Palette } from './palette.ts';
import { prepareCanvas } from './pen.ts';
import { spanOf, type TimeWindow } from './time-window.ts';
import { clockText, dateText, dayText, durationText, zoneText } from './words.ts';

const HEIGHT_PX = 30;

export function drawAxis(palette: Palette, scale: Scale): void {
  const canvas = byId('axis') as HTMLCanvasElement;
  const context = prepareCanvas(canvas, { width: scale.widthPx, height: HEIGHT_PX });
  if (context === null) return;
  for (const { atMs, label, isDay } of ticks(scale.window, scale.widthPx)) {
    const x = Math.round(pxOf(scale, atMs));
    context.fillStyle = palette.line;
    context.fillRect(x, HEIGHT_PX - 8, 1, 8);
    context.font = `${isDay ? '600 ' : ''}11px ${palette.font}`;
    context.fillStyle = isDay ? palette.ink : palette.muted;
    const right = x + 4 + context.measureText(label).width;
    if (right <= scale.widthPx) context.fillText(label, x + 4, HEIGHT_PX / 2);
  }
  const date = byId('axis-date');
  const { fromMs } = scale.window;
  const text = `${dateText(fromMs)} ${zoneText(fromMs)}, ${durationText(spanOf(scale.window))}`;
  if (date.textContent !== text) date.textContent = text;
}

export interface Tick {
  readonly atMs: number;
  readonly label: string;
  /** True: the first tick of a day. */
  readonly isDay: boolean;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const STEPS_MS: readonly number[] = [
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 7, 14, 28, 91].map((days) => days * DAY_MS),
];
/** Pixels, so that two labels never touch. */
const LABEL_ROOM_PX = 96;
const TICKS_MAX = 200;

/**
 * The ticks of the axis and their labels. Pure, except for the time zone of the browser.
 * Round local times, at least a label apart. `widthPx`: of the whole window.
 */
export function ticks(window: TimeWindow, widthPx: number): Tick[] {
  const roomMs = (spanOf(window) / Math.max(widthPx, 1)) * LABEL_ROOM_PX;
  const stepMs = STEPS_MS.find((step) => step >= roomMs) ?? 365 * DAY_MS;
  // Steps are counted from local midnight, not from midnight UTC.
  const zoneMs = new Date(window.fromMs).getTimezoneOffset() * MINUTE_MS;
  const found: Tick[] = [];
  let atMs = Math.ceil((window.fromMs - zoneMs) / stepMs) * stepMs + zoneMs;
  for (; atMs <= window.toMs && found.length < TICKS_MAX; atMs += stepMs) {
    const isDay = (atMs - zoneMs) % DAY_MS === 0;
    found.push({ atMs, isDay, label: isDay ? dayText(atMs) : clockText(atMs, precision(stepMs)) });
  }
  return found;
}

function precision(stepMs: number): 'min' | 's' | 'ms' {
  if (stepMs >= MINUTE_MS) return 'min';
  return stepMs >= SECOND_MS ? 's' : 'ms';
}
