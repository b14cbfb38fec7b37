/** Draws the visible tracks. Of the other tracks it only knows the height. */
import type { LaneGroup } from './arranged-lanes.ts';
import { clusterText, drawLane, drawSelected } from './draw-lane.ts';
import { pxOf, type Scale } from './drawn-bars.ts';
import { byId } from './elements.ts';
import { LaneNames } from './lane-names.ts';
import { type Palette, readPalette } from './palette.ts';
import { characterPx, type Drawn, hatchOf, type Pen, prepareCanvas } from './pen.ts';
import { BAR_PX, heightOf, type Placed, placedBetween, placeLanes } from './placed-lanes.ts';
import type { Moment } from './page-clock.ts';
import { spanOf, type TimeWindow } from './time-window.ts';
import type { Actions, Scene } from './view.ts';
import { barSentence, clockText, dateText, dayText, durationText, zoneText } from './words.ts';
import type { Bar } from '../bar.ts';

const PULSE_MS = 1_600;

export class Chart {
  readonly canvas = byId('lanes') as HTMLCanvasElement;
  readonly #scroller = byId('scroller');
  readonly #content = byId('content');
  readonly #names: LaneNames;
  #palette: Palette = readPalette();
  #placedFor: { groups: readonly LaneGroup[]; names: 'beside' | 'above' } | null = null;
  #placed: readonly Placed[] = [];
  #drawn: readonly Drawn[] = [];
  #moment: Moment = { nowMs: 0, isStopped: false };
  #scale: Scale = { window: { fromMs: 0, toMs: 1 }, widthPx: 1, nowMs: 0 };

  constructor(actions: Actions) {
    this.#names = new LaneNames(actions);
  }

  /** Scale of the current drawing. */
  get scale(): Scale {
    return this.#scale;
  }

  /** Reads the colours again. Call it after a change between light and dark. */
  recolour(): void {
    this.#palette = readPalette();
  }

  render(scene: Scene): void {
    this.#moment = scene;
    const names = this.#names.widthPx() === 0 ? 'above' : 'beside';
    this.#place(scene.groups, names);
    const height = this.#scroller.clientHeight;
    const width = Math.max(this.#scroller.clientWidth - this.#names.widthPx(), 1);
    this.#scale = { window: scene.view.window, widthPx: width, nowMs: scene.nowMs };
    drawAxis(this.#palette, this.#scale);
    const context = prepareCanvas(this.canvas, { width, height });
    if (context === null) return;
    const pen: Pen = {
      context,
      palette: this.#palette,
      scale: this.#scale,
      hatch: hatchOf(context, this.#palette.frozen),
      pulse: scene.isStopped ? 0 : pulseAt(scene.nowMs),
      characterPx: characterPx(context, this.#palette),
    };
    drawGrid(pen, height);
    const top = this.#scroller.scrollTop;
    const visible = placedBetween(this.#placed, top, top + height);
    this.#names.render(visible);
    this.#drawn = visible.flatMap((one) => drawPlaced(pen, one, { top, width }));
    drawNow(pen, height);
    this.#drawSelection(pen, scene.selected);
  }

  /** The spans at a point of the canvas; several if they are too narrow to be drawn separately. */
  at(x: number, y: number): readonly Bar[] {
    const found = this.#drawn.findLast(
      (one) =>
        x >= one.x - 2 && x <= one.x + one.width + 2 && y >= one.y && y <= one.y + one.height,
    );
    return found?.bars ?? [];
  }

  tooltipAt(x: number, y: number): string {
    const bars = this.at(x, y);
    const [first] = bars;
    if (first === undefined) return '';
    return bars.length > 1
      ? clusterText(bars, this.#moment.nowMs)
      : barSentence(first, this.#moment);
  }

  /** Scrolls as little as needed to show the track of this span. */
  reveal(bar: Bar): void {
    const one = this.#placed.find(
      (placed) => placed.kind === 'lane' && placed.lane.bars.some(({ id }) => id === bar.id),
    );
    if (one === undefined) return;
    const { scrollTop, clientHeight } = this.#scroller;
    if (one.y < scrollTop) this.#scroller.scrollTop = one.y;
    else if (one.y + one.heightPx > scrollTop + clientHeight) {
      this.#scroller.scrollTop = one.y + one.heightPx - clientHeight;
    }
  }

  #place(groups: readonly LaneGroup[], names: 'beside' | 'above'): void {
    if (this.#placedFor?.groups === groups && this.#placedFor.names === names) return;
    this.#placedFor = { groups, names };
    this.#placed = placeLanes(groups, names);
    this.#content.style.setProperty('height', `${heightOf(this.#placed)}px`);
  }

  #drawSelection(pen: Pen, selected: Bar | null): void {
    const drawn = this.#drawn.find(({ bars }) => bars.some(({ id }) => id === selected?.id));
    if (selected === null || drawn === undefined) return;
    const isTall = selected.kind !== 'hook';
    drawSelected(pen, selected, isTall ? drawn : { y: drawn.y, height: BAR_PX });
  }
}

function drawPlaced(
  pen: Pen,
  one: Placed,
  { top, width }: { readonly top: number; readonly width: number },
): Drawn[] {
  const { context, palette } = pen;
  const y = one.y - top;
  if (one.kind !== 'lane') {
    context.fillStyle = one.kind === 'heading' ? palette.raised : palette.paper;
    context.fillRect(0, y, width, one.heightPx);
    return [];
  }
  const drawn = drawLane(pen, { lane: one.lane, bands: one.bands, y, height: one.heightPx });
  context.fillStyle = palette.grid;
  context.fillRect(0, Math.round(y + one.heightPx) - 1, width, 1);
  return drawn;
}

function drawGrid({ context, palette, scale }: Pen, height: number): void {
  context.fillStyle = palette.grid;
  for (const { atMs } of ticks(scale.window, scale.widthPx)) {
    context.fillRect(Math.round(pxOf(scale, atMs)), 0, 1, height);
  }
}

function drawNow({ context, palette, scale }: Pen, height: number): void {
  const x = pxOf(scale, scale.nowMs);
  if (x < 0 || x > scale.widthPx) return;
  context.fillStyle = palette.muted;
  context.fillRect(Math.round(x), 0, 1, height);
}

function pulseAt(nowMs: number): number {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  return isStill ? 1 : (1 + Math.cos((nowMs / PULSE_MS) * 2 * Math.PI)) / 2;
}

/** Height of the time axis, pixels. The axis shows round times, the date and the length of the window. */
const HEIGHT_PX = 30;

function drawAxis(palette: Palette, scale: Scale): void {
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

interface Tick {
  readonly atMs: number;
  readonly label: string;
  /** Whether this is the first tick of a day. */
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
/** Minimum distance of two labels, pixels, so that they never touch. */
const LABEL_ROOM_PX = 96;
const TICKS_MAX = 200;

/**
 * The ticks of the axis and their labels, at round local times, with space for a label between two ticks. Pure, except
 * for the time zone of the browser. `widthPx` is the width of the whole window.
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
