import { expect, it } from 'vitest';

import {
  CUT_PROOFS,
  sampleHook,
  sampleSnapshot,
} from '../../../../test/fixtures/snapshot/app-facts.ts';
import { sampleEntry, sampleWindow } from '../../../../test/fixtures/snapshot/guard-samples.ts';
import { SimBench } from '../../../../test/sim/controller/sim-bench.ts';
import { storedBytes } from '../../../kube/stored-size.ts';
import { type AdmittedObject, applicationSnapshots } from '../kinds.ts';
import { HOOK_BYTES_MAX } from '../schema/limits.ts';
import type { SnapshotEvent } from '../snapshot-event.ts';
import { type Acting, fail, writeStatus } from './acting.ts';
import { evidenceOf } from './evidence.ts';

it('writes a verdict also where the evidence would outgrow the server', async () => {
  const bench = new SimBench();
  const snapshot = await bench.until(bench.client.create(applicationSnapshots, sampleSnapshot()));
  const caches = { writtenApplications: { remember: () => {} } };
  const context = { platform: { clock: bench.host.clock } };
  const facts = { snapshot };
  const acting = { context, caches, client: bench.client, facts } as unknown as Acting;
  const options = { identityOf: () => 'Same' as const, proofs: CUT_PROOFS, targetsMax: 1 };
  const { targets, ...hook } = evidenceOf({ name: 'hook-0', hook: sampleHook() }, options);
  const thawOutput = '<xml>&'.repeat(171);
  const many = targets.flatMap((each) =>
    Array.from({ length: 500 }, () => ({ ...each, thawOutput })),
  );
  const verdict = {
    value: 'ApplicationConsistent',
    reason: 'FrozenAtCut',
    message: 'm',
    decidedAt: '2026-01-01T00:00:00Z',
  } as const;
  const change = { hooks: [{ ...hook, targets: many }], verdict };
  expect(storedBytes(change)).toBeGreaterThan(HOOK_BYTES_MAX);
  const { status } = await bench.until(writeStatus(acting, change));
  expect(status?.verdict).toEqual(verdict);
  expect(storedBytes(status ?? {})).toBeLessThan(HOOK_BYTES_MAX);
});

const UNFROZEN = {
  unfrozen: 'FreezeTimeout',
  verdict: { value: 'CrashConsistent', reason: 'NotFrozen', message: 'm' },
} as const;

it.each<[string, AdmittedObject[] | undefined, string, string | undefined]>([
  ['nothing', undefined, 'FailedBeforeCut', undefined],
  ['only what has its verdict', [sampleEntry('a', UNFROZEN)], 'FailedBeforeCut', undefined],
  ['a snapshot to judge', [sampleEntry('a')], 'Verdict', 'Inconsistent'],
])(
  'a window that fails after its freeze and has admitted %s ends with a verdict only if there is something to judge (SNAP-W4)',
  async (...given) => {
    const [, admitted, type, value] = given;
    const bench = new SimBench();
    const more = admitted === undefined ? {} : { admitted };
    const window = sampleWindow(1, { cutRequestedAt: '2026-01-01T00:00:00Z', ...more });
    const snapshot = await bench.until(bench.client.create(applicationSnapshots, window));
    const caches = { writtenApplications: { remember: () => {} } };
    const events: SnapshotEvent[] = [];
    const context = {
      platform: { clock: bench.host.clock },
      recorder: { record: () => {} },
      observe: (event: SnapshotEvent) => events.push(event),
    };
    const facts = { snapshot };
    const acting = { context, caches, client: bench.client, facts } as unknown as Acting;
    await bench.until(fail(acting, { reason: 'NothingAdmitted', message: 'no request' }));
    const { status } = bench.api.list(applicationSnapshots)[0] as unknown as typeof snapshot;
    expect(status?.verdict?.value).toBe(value);
    expect(status?.failure?.reason).toBe('NothingAdmitted');
    expect(events.map((event) => event.type)).toEqual([type, 'WindowEnded']);
  },
);
