/**
 * Draws the whole time as one strip: hooks, failures and freezes, and a frame around the time that the window shows.
 */
import type { Bar } from '../bar.ts';
import { extent, msOf, pxOf, type Scale } from './drawn-bars.ts';
import { byId } from './elements.ts';
import { readPalette, type Palette } from './palette.ts';
import { prepareCanvas } from './pen.ts';
import { fitted, spanOf } from './time-window.ts';
import type { Actions, Scene } from './view.ts';

const HEIGHT_PX = 36;
const FROZEN_PX = 8;

export class Overview {
  readonly #canvas = byId('overview') as HTMLCanvasElement;
  #palette: Palette = readPalette();
  #scale: Scale | null = null;

  constructor(actions: Actions) {
    const go = (event: PointerEvent): void => {
      if (this.#scale === null || event.buttons === 0) return;
      const { window } = actions.scene().view;
      const middleMs = msOf(this.#scale, event.offsetX);
      const half = spanOf(window) / 2;
      const moved = { fromMs: middleMs - half, toMs: middleMs + half };
      actions.change({ window: moved, follows: false });
    };
    this.#canvas.addEventListener('pointerdown', (event) => {
      this.#canvas.setPointerCapture(event.pointerId);
      go(event);
    });
    this.#canvas.addEventListener('pointermove', go);
  }

  recolour(): void {
    this.#palette = readPalette();
  }

  render({ shown, view, nowMs }: Scene): void {
    const width = this.#canvas.parentElement?.clientWidth ?? 0;
    const context = prepareCanvas(this.#canvas, { width, height: HEIGHT_PX });
    if (context === null || width === 0) return;
    const all = fitted(shown, nowMs);
    this.#scale = { window: all, widthPx: width, nowMs };
    drawBars(context, { palette: this.#palette, bars: shown, scale: this.#scale });
    const left = pxOf(this.#scale, view.window.fromMs);
    const right = Math.max(pxOf(this.#scale, view.window.toMs), left + 3);
    context.fillStyle = this.#palette.paper;
    context.globalAlpha = 0.62;
    context.fillRect(0, 0, left, HEIGHT_PX);
    context.fillRect(right, 0, width - right, HEIGHT_PX);
    context.globalAlpha = 1;
    context.strokeStyle = this.#palette.focus;
    context.lineWidth = 1.5;
    context.strokeRect(left, 1, right - left, HEIGHT_PX - 2);
  }
}

interface Strip {
  readonly palette: Palette;
  readonly bars: readonly Bar[];
  readonly scale: Scale;
}

/** Draws hooks in grey (the more at one time, the higher), failures over them, and freezes along the top edge. */
function drawBars(context: CanvasRenderingContext2D, { palette, bars, scale }: Strip): void {
  const columns = new Uint32Array(Math.ceil(scale.widthPx) + 1);
  const failed: number[] = [];
  context.fillStyle = palette.frozen;
  for (const bar of bars) {
    const { x, widthPx } = extent(bar, scale);
    if (bar.kind === 'frozen') context.fillRect(x, 0, Math.max(widthPx, 2), FROZEN_PX);
    else if (bar.kind === 'hook') {
      const last = Math.min(x + widthPx, columns.length - 1);
      for (let column = Math.max(Math.floor(x), 0); column <= last; column += 1) {
        columns[column] = (columns[column] ?? 0) + 1;
      }
    }
    if (bar.outcome === 'Failed') failed.push(x);
  }
  const most = columns.reduce((max, count) => Math.max(max, count), 1);
  context.fillStyle = palette.outcomes.Skipped;
  columns.forEach((count, x) => {
    const height = count === 0 ? 0 : 3 + (15 * Math.log1p(count)) / Math.log1p(most);
    context.fillRect(x, HEIGHT_PX - 4 - height, 1, height);
  });
  context.fillStyle = palette.outcomes.Failed;
  for (const x of failed) context.fillRect(x, FROZEN_PX + 2, 2, HEIGHT_PX - FROZEN_PX - 6);
}
