import { expect, it } from 'vitest';

import { failure } from '../../../../test/sim/controller/sim-api.ts';
import type { ExecutionHook, ExecutionHookStatus } from '../kinds.ts';
import type { Driving } from './hook-state.ts';
import { recordStatus } from './record-status.ts';

it('writes the record of a thaw on no later hook that has the name and the status by now (SNAP-I2)', async () => {
  const status = { release: { cause: 'Human', at: '2026-01-01T00:00:00.000000Z' } };
  const hookOf = (uid: string): ExecutionHook => ({
    metadata: { namespace: 'ns', name: 'h', uid },
    spec: {},
    status: {},
  });
  const written: (string | undefined)[] = [];
  const conflict = failure(409, 'Conflict', 'h has been modified');
  const client = {
    replaceStatus: (_: unknown, { metadata }: ExecutionHook) => {
      if (metadata?.uid === 'earlier') return Promise.reject(conflict);
      written.push(metadata?.uid);
      return Promise.resolve(hookOf('later'));
    },
    get: () => Promise.resolve(hookOf('later')),
  };
  const kept = { waitMs: () => 0, isOwed: () => false, keep: () => {}, owe: () => {} };
  const clock = { monotonicMs: () => 0 };
  const context = { platform: { clock }, observe: () => {}, recorder: { record: () => {} } };
  const shared = { kept, context, own: { remember: () => {} } };
  const driving = { client, shared, pass: { signal: { aborted: false } } } as unknown as Driving;
  const stored = hookOf('earlier');
  const recording = { stored, status: status as ExecutionHookStatus, inMs: null };
  await expect(recordStatus(driving, recording)).rejects.toBe(conflict);
  expect(written).toEqual([]);
});
