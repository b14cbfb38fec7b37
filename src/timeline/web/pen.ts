/** The drawing tools: the canvas, its colours and its scale, and the shapes that several parts draw. */
import type { Bar, BarOutcome } from '../bar.ts';
import type { Scale } from './drawn-bars.ts';
import type { Palette } from './palette.ts';

export interface Pen {
  readonly context: CanvasRenderingContext2D;
  readonly palette: Palette;
  readonly scale: Scale;
  /** The pattern that fills freeze windows. */
  readonly hatch: CanvasPattern | string;
  /** Current strength of the pulse of open freeze windows, from 0 to 1. */
  readonly pulse: number;
  /** Average width of a character on a bar, pixels. Measuring each text would take too long. */
  readonly characterPx: number;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A drawn box with its spans, to find the spans under the pointer. The box that was drawn last is on top. */
export interface Drawn extends Box {
  readonly bars: readonly Bar[];
}

/** Sets the size of the canvas in device pixels, so that lines are sharp; null: the browser cannot draw. */
export function prepareCanvas(
  canvas: HTMLCanvasElement,
  { width, height }: Pick<Box, 'width' | 'height'>,
): CanvasRenderingContext2D | null {
  const context = canvas.getContext('2d');
  if (context === null) return null;
  const ratio = devicePixelRatio;
  const [columns, rows] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== columns || canvas.height !== rows) {
    canvas.width = columns;
    canvas.height = rows;
    canvas.style.setProperty('width', `${width}px`);
    canvas.style.setProperty('height', `${height}px`);
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.textBaseline = 'middle';
  return context;
}

const SAMPLE = 'the quick brown fox jumps over the lazy dog 0123456789 - / .';

export function characterPx(context: CanvasRenderingContext2D, { font }: Palette): number {
  context.font = `500 11px ${font}`;
  return context.measureText(SAMPLE).width / SAMPLE.length;
}

/** Draws as much of the text as fits. Draws nothing if a longer text would be cut to fewer than four characters. */
export function drawText({ context, characterPx: each }: Pen, text: string, box: Box): void {
  const least = Math.min(text.length, 4);
  let length = Math.min(text.length, Math.floor(box.width / each));
  for (; length >= least; length -= 1) {
    const shown = length === text.length ? text : `${text.slice(0, length - 1)}\u2026`;
    // The average width is only an estimate, so a text that is still too wide is shortened.
    if (context.measureText(shown).width <= box.width) {
      context.fillText(shown, box.x, box.y + box.height / 2 + 0.5);
      return;
    }
  }
}

const HATCH_PX = 8;

/** A pattern of diagonal lines, by which a freeze window can be recognised without its colour. */
export function hatchOf(context: CanvasRenderingContext2D, colour: string): CanvasPattern | string {
  const tile = document.createElement('canvas');
  tile.width = HATCH_PX;
  tile.height = HATCH_PX;
  const inner = tile.getContext('2d');
  if (inner === null) return colour;
  inner.strokeStyle = colour;
  inner.lineWidth = 2;
  inner.beginPath();
  for (const shift of [-HATCH_PX, 0, HATCH_PX]) {
    inner.moveTo(shift, HATCH_PX);
    inner.lineTo(shift + HATCH_PX, 0);
  }
  inner.stroke();
  return context.createPattern(tile, 'repeat') ?? colour;
}

type Line = readonly [fromX: number, fromY: number, toX: number, toY: number];

const SIGNS: Readonly<Partial<Record<BarOutcome, readonly Line[]>>> = {
  Failed: [
    [0, -3.5, 7, 3.5],
    [0, 3.5, 7, -3.5],
  ],
  Cancelled: [[1, 4, 6, -4]],
};

/** Draws the shape of an outcome, which needs no colour: a cross, a slash, a question mark. Returns its width. */
export function drawSign({ context }: Pen, outcome: BarOutcome, { x, y, height }: Box): number {
  const middle = y + height / 2;
  if (outcome === 'Unknown') {
    context.fillText('?', x, middle + 0.5);
    return 11;
  }
  const lines = SIGNS[outcome];
  if (lines === undefined) return 0;
  context.lineWidth = 1.8;
  context.beginPath();
  for (const [fromX, fromY, toX, toY] of lines) {
    context.moveTo(x + fromX, middle + fromY);
    context.lineTo(x + toX, middle + toY);
  }
  context.stroke();
  return 12;
}
