/** Mouse, pen and touch input on the tracks: drag, wheel, click, and the tooltip of a span. */
import type { Chart } from './chart.ts';
import { msOf } from './drawn-bars.ts';
import { byId } from './elements.ts';
import { clamp, panned, spanOf, zoomed } from './time-window.ts';
import type { Actions } from './view.ts';

/** A move of at most this many pixels counts as a click. */
const DRAG_MIN_PX = 4;
const WHEEL_ZOOM = 0.0022;
const TOOLTIP_GAP_PX = 14;

export function followPointer(chart: Chart, actions: Actions): void {
  const { canvas } = chart;
  let drag: { readonly x: number; readonly moved: boolean } | null = null;
  canvas.addEventListener('pointerdown', ({ button, offsetX }) => {
    if (button === 0) drag = { x: offsetX, moved: false };
  });
  canvas.addEventListener('pointermove', (event) => {
    // The button may have been released outside the canvas: that captures the pointer only once the drag has moved.
    if (event.buttons === 0) drag = null;
    if (drag !== null && (drag.moved || Math.abs(event.offsetX - drag.x) > DRAG_MIN_PX)) {
      canvas.setPointerCapture(event.pointerId);
      pan(chart, actions, drag.x - event.offsetX);
      drag = { x: event.offsetX, moved: true };
    }
    showTooltip(drag?.moved === true ? '' : chart.tooltipAt(event.offsetX, event.offsetY), event);
    canvas.classList.toggle('is-over', chart.at(event.offsetX, event.offsetY).length > 0);
  });
  canvas.addEventListener('pointerup', ({ offsetX, offsetY }) => {
    if (drag?.moved === false) click(chart, actions, { x: offsetX, y: offsetY });
    drag = null;
  });
  canvas.addEventListener('pointercancel', () => {
    drag = null;
  });
  canvas.addEventListener('pointerleave', (event) => {
    showTooltip('', event);
  });
  // Not passive, so that the handler can prevent the browser from zooming the page.
  canvas.addEventListener(
    'wheel',
    (event) => {
      turn(chart, actions, event);
    },
    { passive: false },
  );
}

function click(chart: Chart, actions: Actions, { x, y }: { x: number; y: number }): void {
  const bars = chart.at(x, y);
  const [first] = bars;
  if (first === undefined) actions.change({ selected: null, isOpen: false });
  else if (bars.length === 1) actions.select(first, { isOpen: true });
  else actions.fit(bars);
}

function turn(chart: Chart, actions: Actions, event: WheelEvent): void {
  const { view } = actions.scene();
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    const factor = Math.exp(clamp(event.deltaY, -200, 200) * WHEEL_ZOOM);
    const window = zoomed(view.window, factor, msOf(chart.scale, event.offsetX));
    actions.change({ window, follows: false });
    return;
  }
  const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
  if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) {
    event.preventDefault();
    pan(chart, actions, sideways);
  }
}

function pan(chart: Chart, actions: Actions, byPx: number): void {
  const { window } = actions.scene().view;
  const byMs = (byPx / chart.scale.widthPx) * spanOf(window);
  actions.change({ window: panned(window, byMs), follows: false });
}

function showTooltip(text: string, { clientX, clientY, pointerType }: PointerEvent): void {
  const tooltip = byId('tooltip');
  // Hidden for touch, since the tooltip would only cover the track.
  tooltip.hidden = text === '' || pointerType === 'touch';
  if (tooltip.hidden) return;
  tooltip.textContent = text;
  const x = clamp(clientX + TOOLTIP_GAP_PX, 0, innerWidth - tooltip.offsetWidth - 8);
  const isLow = clientY + TOOLTIP_GAP_PX + tooltip.offsetHeight > innerHeight;
  const y = isLow ? clientY - TOOLTIP_GAP_PX - tooltip.offsetHeight : clientY + TOOLTIP_GAP_PX;
  tooltip.style.setProperty('transform', `translate(${x}px, ${y}px)`);
}
