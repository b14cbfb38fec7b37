import { afterEach, expect, it, vi } from 'vitest';

import { sampleBar } from '../../../test/fixtures/timeline/sample-bar.ts';
import type { Chart } from './chart.ts';
import { followPointer } from './pointer.ts';
import type { Actions, View } from './view.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

type Handler = (event: object) => void;

/** A chart without a document: `point` sends an event to its canvas. */
function bench() {
  const handlers = new Map<string, Handler>();
  const changes: Partial<View>[] = [];
  const canvas = {
    addEventListener: (name: string, handler: Handler) => handlers.set(name, handler),
    setPointerCapture: () => undefined,
    classList: { toggle: () => false },
  };
  const scale = { window: { fromMs: 0, toMs: 1_000 }, widthPx: 1_000, nowMs: 0 };
  const chart = { canvas, scale, at: () => [sampleBar('a', {})], tooltipAt: () => '' };
  const view = { window: scale.window } as View;
  const actions = {
    scene: () => ({ view }),
    change: (change: Partial<View>) => changes.push(change),
    select: () => undefined,
  };
  vi.stubGlobal('document', { getElementById: () => ({ hidden: true }) });
  followPointer(chart as unknown as Chart, actions as unknown as Actions);
  const point = (name: string, event: object): void => handlers.get(name)?.(event);
  return { point, changes };
}

it('pans by a drag with the button down', () => {
  const { point, changes } = bench();
  point('pointerdown', { button: 0, offsetX: 100, offsetY: 5 });
  point('pointermove', { buttons: 1, offsetX: 90, offsetY: 5 });
  expect(changes).toEqual([{ window: { fromMs: 10, toMs: 1_010 }, follows: false }]);
});

it('does not pan when the button was released outside the tracks', () => {
  const { point, changes } = bench();
  point('pointerdown', { button: 0, offsetX: 2, offsetY: 5 });
  point('pointerleave', { offsetX: -1, offsetY: 5 });
  point('pointermove', { buttons: 0, offsetX: 90, offsetY: 5 });
  expect(changes).toEqual([]);
});
