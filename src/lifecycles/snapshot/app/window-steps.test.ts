import { expect, it } from 'vitest';

import { sampleHook } from '../../../../test/fixtures/snapshot/app-facts.ts';
import { sampleEntry, sampleWindow } from '../../../../test/fixtures/snapshot/guard-samples.ts';
import { SimBench } from '../../../../test/sim/controller/sim-bench.ts';
import { applicationSnapshots, executionHooks } from '../kinds.ts';
import { CUT_RELEASE } from '../names.ts';
import { isProven, tokenIn } from '../cut-mark.ts';
import type { Acting } from './acting.ts';
import { timeIn } from './thaw-order.ts';
import { closeWindow } from './window-steps.ts';

/** Closes a window whose hooks have these names. Returns the objects that the server has afterwards. */
async function close(...names: readonly string[]) {
  const bench = new SimBench();
  const { client } = bench;
  const fresh = sampleWindow(1, { admitted: [sampleEntry('a')], cutRequestedAt: 'before' });
  const snapshot = await bench.until(client.create(applicationSnapshots, fresh));
  const hooks = await Promise.all(
    names.map(async (name) => ({
      name,
      hook: await bench.until(client.create(executionHooks, sampleHook({ name }))),
    })),
  );
  const remember = (): void => {};
  const caches = { writtenApplications: { remember }, writtenHooks: { remember } };
  const context = {
    platform: { clock: bench.host.clock },
    observe: () => {},
    recorder: { record: () => {} },
  };
  const facts = { snapshot, hooks };
  const acting = { client, caches, context, cutSecret: 'x', facts } as unknown as Acting;
  await bench.until(closeWindow(acting, new Map([['a', 'Cut']])));
  const { status } = bench.api.list(applicationSnapshots)[0] as unknown as typeof snapshot;
  const written = bench.api.list(executionHooks) as unknown as (typeof hooks)[number]['hook'][];
  return {
    status,
    isReleased: written.map(({ metadata }) => metadata?.annotations?.[CUT_RELEASE]),
  };
}

it('closes a window and asks for the thaw in one reconcile (SNAP-W4)', async () => {
  const { status, isReleased } = await close('hook-0');
  expect(status).toMatchObject({ phase: 'Thawing', admitted: [{ uid: 'a', outcome: 'Cut' }] });
  expect(status?.closedAt).toBeDefined();
  const mark = isReleased[0] ?? '';
  expect(timeIn(mark)).toBe(status?.cutObservedAt);
  expect(isProven(status ?? {}, tokenIn(mark))).toBe(true);
});

it('closes a window of several hooks before their probes are asked (SNAP-W4)', async () => {
  const { status, isReleased } = await close('hook-0', 'hook-1');
  expect(status?.closedAt).toBeDefined();
  expect([status?.cutObservedAt, ...isReleased]).toEqual([undefined, undefined, undefined]);
});
