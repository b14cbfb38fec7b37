/** The axis over the lanes: round times, the date, and how much time is in sight. */
import { pxOf, type Scale } from './drawn-bars.ts';
import { byId } from './elements.ts';
import type { Palette } from './palette.ts';
import { prepareCanvas } from './pen.ts';
import { ticks } from './ticks.ts';
import { spanOf } from './time-window.ts';
import { dateText, durationText, zoneText } from './words.ts';

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
