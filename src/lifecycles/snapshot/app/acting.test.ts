import { expect, it } from 'vitest';

import {
  CUT_PROOFS,
  sampleHook,
  sampleSnapshot,
} from '../../../../test/fixtures/snapshot/app-facts.ts';
import { SimBench } from '../../../../test/sim/controller/sim-bench.ts';
import { storedBytes } from '../../../kube/stored-size.ts';
import { applicationSnapshots } from '../kinds.ts';
import { HOOK_BYTES_MAX } from '../schema/limits.ts';
import { type Acting, writeStatus } from './acting.ts';
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
