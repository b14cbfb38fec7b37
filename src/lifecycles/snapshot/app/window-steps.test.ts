import type { Pod } from 'kubernetes-types/core/v1.js';
import { expect, it } from 'vitest';

import { sampleHook, sampleVolume } from '../../../../test/fixtures/snapshot/app-facts.ts';
import { sampleEntry, sampleWindow } from '../../../../test/fixtures/snapshot/guard-samples.ts';
import { admittedSingle } from '../../../../test/fixtures/snapshot/window-facts.ts';
import { SimBench } from '../../../../test/sim/controller/sim-bench.ts';
import { persistentVolumeClaims, pods } from '../../../kube/resources.ts';
import { applicationSnapshots, executionHooks } from '../kinds.ts';
import { CUT_RELEASE } from '../names.ts';
import { isProven, tokenIn } from '../cut-mark.ts';
import type { Acting } from './acting.ts';
import { timeIn } from './thaw-order.ts';
import { closeWindow, judgeWindow } from './window-steps.ts';

const BEFORE = '2026-01-01T00:00:00.000000Z';

/** Closes a window whose hooks have these names. Returns the objects that the server has afterwards. */
async function close(...names: readonly string[]) {
  const bench = new SimBench();
  const { client } = bench;
  const fresh = sampleWindow(1, { admitted: [sampleEntry('a')], cutRequestedAt: BEFORE });
  const snapshot = await bench.until(client.create(applicationSnapshots, fresh));
  const hooks = await Promise.all(
    names.map(async (name) => ({
      name,
      hook: await bench.until(client.create(executionHooks, sampleHook({ name }))),
    })),
  );
  const remember = (): void => {};
  const notes: string[] = [];
  const caches = { writtenApplications: { remember }, writtenHooks: { remember } };
  const context = {
    platform: { clock: bench.host.clock },
    observe: () => {},
    recorder: { record: ({ message }: { message: string }) => notes.push(message) },
  };
  const facts = { snapshot, hooks };
  const acting = { client, caches, context, cutSecret: 'x', facts } as unknown as Acting;
  await bench.until(closeWindow(acting, new Map([['a', 'Cut']])));
  const { status } = bench.api.list(applicationSnapshots)[0] as unknown as typeof snapshot;
  const written = bench.api.list(executionHooks) as unknown as (typeof hooks)[number]['hook'][];
  return {
    status,
    notes,
    isReleased: written.map(({ metadata }) => metadata?.annotations?.[CUT_RELEASE]),
  };
}

it('closes a window and asks for the thaw in one reconcile (SNAP-W4)', async () => {
  const { status, isReleased, notes } = await close('hook-0');
  expect(notes).toEqual([expect.stringMatching(/^The window is closed, \d+ ms after it opened/)]);
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

it.each([
  ['NotInUse', []],
  ['AtomicCut', ['data']],
])(
  'gives a snapshot that no hook has frozen the reason %s if pods use %j by now (SNAP-W3)',
  async (...given) => {
    const [reason, used] = given;
    const bench = new SimBench();
    const namespace = 'shop';
    const claim = bench.api.create(persistentVolumeClaims, {
      metadata: { namespace, name: 'data' },
    });
    for (const claimName of used) {
      const volumes = [{ name: 'v', persistentVolumeClaim: { claimName } }];
      const metadata = { namespace, name: 'db-0' };
      const pod: Pod = { metadata, spec: { nodeName: 'n1', containers: [], volumes } };
      bench.api.create(pods, pod);
    }
    const idle = { claimUID: claim.metadata.uid ?? '', inUse: false };
    const admitted = [admittedSingle('a', { cut: true, entry: { outcome: 'Cut' } })];
    const fresh = sampleWindow(1, {
      volumes: [sampleVolume('data', idle), sampleVolume('wal')],
      admitted: admitted.map(({ entry }) => entry),
      executionHookNames: ['hook-0'],
      hooks: [{ name: 'hook-0', targets: [] }],
      cutObservedAt: BEFORE,
    });
    const snapshot = await bench.until(bench.client.create(applicationSnapshots, fresh));
    const context = {
      platform: { clock: bench.host.clock },
      observe: () => {},
      recorder: { record: () => {} },
    };
    const caches = { writtenApplications: { remember: () => {} } };
    const acting = { client: bench.client, caches, context, facts: { snapshot, admitted } };
    await bench.until(judgeWindow(acting as unknown as Acting));
    const { status } = bench.api.list(applicationSnapshots)[0] as unknown as typeof snapshot;
    expect(status?.admitted?.[0]?.verdict).toMatchObject({ value: 'CrashConsistent', reason });
  },
);
