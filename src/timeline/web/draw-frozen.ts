/** Draws freeze windows. Only freeze windows are hatched and have side lines, and each one shows its duration. */
import { type DrawnBar, drawnBars } from './drawn-bars.ts';
import type { Lane } from './lanes.ts';
import type { Palette } from './palette.ts';
import type { Box, Drawn, Pen } from './pen.ts';
import { BAND_PX } from './placed-lanes.ts';
import { barDurationMs, durationText } from './words.ts';
import type { Bar } from '../bar.ts';

const WALL_PX = 2;
/** Pixels from the middle of a cut's lozenge to its left and right corner. */
export const CUT_PX = 6;

export function drawFrozen(
  pen: Pen,
  { frozen: row, cuts }: Pick<Lane, 'frozen' | 'cuts'>,
  { top, bottom }: { readonly top: number; readonly bottom: number },
): Drawn[] {
  const windows = drawnBars(row, pen.scale);
  const marksX = drawnBars(cuts, pen.scale).map(({ x }) => x);
  let labelledTo = -Infinity;
  return windows.map((one, index) => {
    const bars = row.bars.slice(one.from, one.to);
    const box = { x: one.x, y: top, width: one.widthPx, height: bottom - top };
    drawHatched(
      pen,
      box,
      bars.some(({ endMs }) => endMs === null),
    );
    const next = windows[index + 1]?.x ?? Infinity;
    const label = labelBox(pen, { one, text: labelOf(bars, pen.scale.nowMs), top, marksX });
    if (label.x >= labelledTo && (label.isInside || label.x + label.width < next)) {
      drawLabel(pen, label);
      labelledTo = label.x + label.width;
    }
    return { ...box, bars };
  });
}

function drawHatched({ context, palette, hatch, pulse }: Pen, box: Box, isOpen: boolean): void {
  const { x, y, width, height } = box;
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  context.globalAlpha = 0.14 + (isOpen ? 0.2 * pulse : 0);
  context.fillStyle = palette.frozen;
  context.fillRect(x, y, width, height);
  context.globalAlpha = 0.55;
  context.fillStyle = hatch;
  context.fillRect(x, y, width, height);
  context.restore();
  context.fillStyle = palette.frozen;
  context.fillRect(x, y, WALL_PX, height);
  if (!isOpen) context.fillRect(x + width - WALL_PX, y, WALL_PX, height);
  context.fillRect(x, y, width, WALL_PX);
}

function labelOf(bars: readonly Bar[], nowMs: number): string {
  const longest = durationText(Math.max(...bars.map((bar) => barDurationMs(bar, nowMs))));
  if (bars.length > 1) return `${bars.length} x frozen, to ${longest}`;
  return bars[0]?.endMs === null ? `FROZEN ${longest}` : `frozen ${longest}`;
}

interface Label extends Box {
  readonly text: string;
  readonly isInside: boolean;
}

interface Labelled {
  readonly one: DrawnBar;
  readonly text: string;
  readonly top: number;
  /** X of the middle of each cut; cuts are drawn above everything else. */
  readonly marksX: readonly number[];
}

/**
 * The place of the label. It is inside the freeze window if it fits there without touching a cut. If not, it is right
 * of the freeze window, or left of it at the edge of the canvas.
 */
function labelBox({ context, palette, scale }: Pen, { one, text, top, marksX }: Labelled): Label {
  context.font = labelFont(palette);
  const width = context.measureText(text).width + 10;
  const right = one.x + one.widthPx;
  const begin = Math.max(one.x, 0);
  const isFree = (x: number): boolean =>
    marksX.every((mark) => mark + CUT_PX < x || mark - CUT_PX > x + width);
  const places = [begin, ...marksX.map((mark) => mark + CUT_PX + 2)];
  const left = places.find((x) => x >= begin && isFree(x)) ?? begin;
  const isInside = width <= Math.min(right, scale.widthPx) - left;
  const beside = right + width > scale.widthPx ? one.x - width : right;
  return { text, isInside, x: isInside ? left : beside, y: top, width, height: BAND_PX - 2 };
}

const labelFont = ({ font }: Palette): string => `600 11px ${font}`;

function drawLabel({ context, palette }: Pen, { text, isInside, ...box }: Label): void {
  const { x, y, width, height } = box;
  context.font = labelFont(palette);
  context.fillStyle = isInside ? palette.frozen : palette.paper;
  context.fillRect(x, y, width, height);
  context.fillStyle = isInside ? palette.frozenInk : palette.frozen;
  context.fillText(text, x + 5, y + height / 2 + 0.5);
}
