/** Draws one track on the canvas: phases behind, then freeze windows, then hooks, and cuts on top. */
import { barLabel, countText, durationText } from './words.ts';
import { type DrawnBar, drawnBars, extent, worstOf } from './drawn-bars.ts';
import { CUT_PX, drawFrozen } from './draw-frozen.ts';
import type { Lane, Row } from './lanes.ts';
import { type Box, type Drawn, drawSign, drawText, type Pen } from './pen.ts';
import { BAND_PX, BAR_PX, type Bands, ROW_PX } from './placed-lanes.ts';
import type { Bar } from '../bar.ts';

const RADIUS_PX = 3;
const GAP_FROM_PX = 4;

export interface LaneBox {
  readonly lane: Lane;
  readonly bands: Bands;
  readonly y: number;
  readonly height: number;
}

export function drawLane(pen: Pen, { lane, bands, y, height }: LaneBox): Drawn[] {
  const drawn: Drawn[] = [];
  const { phasesY, frozenY, hooksY } = bands;
  const bottom = y + height - 3;
  if (phasesY !== null) {
    lane.phases.forEach((row, index) => {
      drawn.push(...drawPhases(pen, row, { top: y + phasesY + index * BAND_PX, bottom }));
    });
  }
  if (frozenY !== null) {
    drawn.push(...drawFrozen(pen, lane, { top: y + frozenY, bottom }));
  }
  lane.hooks.forEach((row, index) => {
    drawn.push(...drawHooks(pen, row, y + hooksY + index * ROW_PX));
  });
  drawn.push(...drawCuts(pen, lane.cuts, { top: y + (frozenY ?? hooksY), bottom }));
  return drawn.length > 0 ? drawn : drawElsewhere(pen, lane, y + (phasesY ?? frozenY ?? hooksY));
}

/** Draws how many spans a track without a visible span has before and after the window. */
function drawElsewhere(pen: Pen, { bars }: Lane, y: number): Drawn[] {
  const { context, palette, scale } = pen;
  const earlier = bars.filter(({ startMs }) => startMs < scale.window.fromMs);
  const later = bars.slice(earlier.length);
  context.font = `11px ${palette.font}`;
  context.fillStyle = palette.muted;
  const said = (text: string, hidden: readonly Bar[], isLeft: boolean): Drawn[] => {
    if (hidden.length === 0) return [];
    const { width } = context.measureText(text);
    const box = { x: isLeft ? 8 : scale.widthPx - width - 8, y, width, height: BAND_PX };
    context.fillText(text, box.x, y + BAND_PX / 2);
    return [{ ...box, bars: hidden }];
  };
  return [
    ...said(`\u2039 ${earlier.length} earlier`, earlier, true),
    ...said(`${later.length} later \u203a`, later, false),
  ];
}

function drawPhases(
  pen: Pen,
  row: Row,
  { top, bottom }: { readonly top: number; readonly bottom: number },
): Drawn[] {
  const { context, palette } = pen;
  return drawnBars(row, pen.scale).map((one) => {
    const box = { x: one.x, y: top, width: one.widthPx, height: bottom - top };
    context.fillStyle = palette.phase;
    context.fillRect(box.x + 0.5, box.y, Math.max(box.width - 1, 1), box.height);
    // The left and the right edge of a phase, which also show a phase inside another one.
    context.fillStyle = palette.line;
    for (const x of [box.x, box.x + box.width - 1]) context.fillRect(x, box.y, 1, box.height);
    context.fillStyle = palette.outcomes[worstOf(row, one)];
    context.fillRect(box.x, box.y, Math.max(box.width, 1), 2);
    context.fillStyle = palette.phaseInk;
    context.font = `11px ${palette.font}`;
    const bars = row.bars.slice(one.from, one.to);
    const [first] = bars;
    const left = Math.max(box.x, 0) + 5;
    drawText(pen, bars.length === 1 && first !== undefined ? first.name : `${bars.length} phases`, {
      x: left,
      y: top + 2,
      width: box.x + box.width - left - 3,
      height: BAND_PX - 2,
    });
    return { ...box, bars };
  });
}

function drawHooks(pen: Pen, row: Row, y: number): Drawn[] {
  return drawnBars(row, pen.scale).map((one) => {
    // One pixel less, so that there is a gap between two adjacent spans.
    const width = one.widthPx > GAP_FROM_PX ? one.widthPx - 1 : one.widthPx;
    const box = { x: one.x, y: y + 2, width, height: BAR_PX };
    const bars = row.bars.slice(one.from, one.to);
    const [first] = bars;
    if (bars.length > 1 || first === undefined) drawCluster(pen, row, { one, box });
    else drawHook(pen, first, box);
    return { ...box, bars };
  });
}

function drawHook(pen: Pen, bar: Bar, box: Box): void {
  const { context, palette } = pen;
  const colour = palette.outcomes[bar.outcome];
  context.beginPath();
  context.roundRect(box.x, box.y, box.width, box.height, Math.min(RADIUS_PX, box.width / 2));
  if (bar.outcome === 'Skipped') {
    context.fillStyle = palette.paper;
    context.fill();
    context.setLineDash([3, 2]);
    context.strokeStyle = colour;
    context.lineWidth = 1;
    context.stroke();
    context.setLineDash([]);
  } else {
    context.fillStyle = colour;
    context.fill();
  }
  if (bar.outcome === 'Running') drawOpenEnd(pen, box);
  context.fillStyle = bar.outcome === 'Skipped' ? palette.muted : palette.barInk;
  context.strokeStyle = context.fillStyle;
  context.font = `500 11px ${palette.font}`;
  const left = Math.max(box.x, 0) + 5;
  const widthLeft = box.x + box.width - left - 4;
  if (widthLeft < 8) {
    if (bar.outcome === 'Failed') drawFlag(pen, box);
    return;
  }
  const sign = drawSign(pen, bar.outcome, { ...box, x: left });
  drawText(pen, barLabel(bar), { ...box, x: left + sign, width: widthLeft - sign });
}

/** Draws a flag above a failed span that is too narrow for its cross. */
function drawFlag({ context, palette }: Pen, { x, y, width }: Box): void {
  const middle = x + width / 2;
  context.fillStyle = palette.outcomes.Failed;
  context.beginPath();
  context.moveTo(middle - 5, y - 3);
  context.lineTo(middle + 5, y - 3);
  context.lineTo(middle, y + 4);
  context.fill();
}

/** Draws two bright notches at the right edge of an open span. */
function drawOpenEnd({ context, palette }: Pen, { x, y, width, height }: Box): void {
  if (width < 14) return;
  context.fillStyle = palette.paper;
  for (const back of [4, 9]) context.fillRect(x + width - back, y, 2, height);
}

/**
 * Draws many spans in one place as a box that is lower than a bar. It has their number, and the colour of the worst
 * outcome.
 */
function drawCluster(
  pen: Pen,
  row: Row,
  { one, box }: { readonly one: DrawnBar; readonly box: Box },
): void {
  const { context, palette } = pen;
  const outcome = worstOf(row, one);
  context.fillStyle = palette.outcomes[outcome];
  context.fillRect(box.x, box.y + 3, box.width, box.height - 6);
  if (outcome === 'Failed') drawFlag(pen, { ...box, width: Math.min(box.width, 10) });
  context.fillStyle = palette.barInk;
  context.font = `500 10px ${palette.font}`;
  const left = Math.max(box.x, 0) + 6;
  drawText(pen, `${one.to - one.from}`, { ...box, x: left, width: box.x + box.width - left });
}

/** Draws snapshot cuts as lines with a lozenge, since a cut has no duration. */
function drawCuts(
  pen: Pen,
  row: Row,
  { top, bottom }: { readonly top: number; readonly bottom: number },
): Drawn[] {
  const { context, palette } = pen;
  return drawnBars(row, pen.scale).map((one) => {
    const x = Math.round(one.x) + 0.5;
    const colour = palette.outcomes[worstOf(row, one)];
    context.strokeStyle = palette.ink;
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(x, top);
    context.lineTo(x, bottom);
    context.stroke();
    context.fillStyle = colour;
    context.beginPath();
    context.moveTo(x, top - 1);
    context.lineTo(x + CUT_PX, top + 6);
    context.lineTo(x, top + 13);
    context.lineTo(x - CUT_PX, top + 6);
    context.closePath();
    context.fill();
    context.stroke();
    const bars = row.bars.slice(one.from, one.to);
    return { x: x - CUT_PX, y: top, width: 2 * CUT_PX, height: bottom - top, bars };
  });
}

/** Draws a frame around the selected span, however narrow the span is. */
export function drawSelected(pen: Pen, bar: Bar, { y, height }: Pick<Box, 'y' | 'height'>): void {
  const { context, palette } = pen;
  const { x, widthPx } = extent(bar, pen.scale);
  context.strokeStyle = palette.focus;
  context.lineWidth = 2;
  context.beginPath();
  context.roundRect(x - 2.5, y - 2.5, Math.max(widthPx, 4) + 5, height + 5, 5);
  context.stroke();
}

export function clusterText(bars: readonly Bar[], nowMs: number): string {
  const failed = bars.filter(({ outcome }) => outcome === 'Failed').length;
  const longest = Math.max(...bars.map(({ startMs, endMs }) => (endMs ?? nowMs) - startMs));
  const failures = failed === 0 ? '' : `${failed} failed, `;
  return `${countText(bars.length, 'span')}: ${failures}the longest takes ${durationText(longest)}. Click to zoom in.`;
}
