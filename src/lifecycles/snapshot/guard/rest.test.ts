import { describe, expect, it } from 'vitest';

import { sampleEntry, sampleWindow } from '../../../../test/fixtures/snapshot/guard-samples.ts';
import type { ApplicationSnapshotStatus } from '../kinds.ts';
import { EndTimes, GUARDS_MAX, restAfter } from './rest.ts';

const END_MS = Date.parse('2026-01-01T00:01:05.000Z');
const VAIN: ApplicationSnapshotStatus = {
  executionHookNames: ['hook-0'],
  cutRequestedAt: '2026-01-01T00:01:00.000000Z',
  closedAt: '2026-01-01T00:01:05.000000Z',
};

const restMs = (status: ApplicationSnapshotStatus, afterMs: number = 0): number =>
  restAfter(sampleWindow(3, status), END_MS + afterMs).ms;

describe('the rest after a window', () => {
  it('is as long as the vain freeze (SNAP-W14)', () => {
    expect([0, 1_000, 4_999, 5_000, 60_000].map((ms) => restMs(VAIN, ms))).toEqual([
      5_000, 4_000, 1, 0, 0,
    ]);
    const admitted = [sampleEntry('a', { outcome: 'NotCreated' }), sampleEntry('b')];
    expect(restMs({ ...VAIN, admitted })).toBe(5_000);
    expect(restAfter(sampleWindow(3, VAIN), END_MS).message).toBe(
      'window mariadb-window-3 froze the application for 5.0 s but nothing was cut, so the application is not frozen again within 5.0 s after that',
    );
  });

  it('counts a failure as its end (SNAP-W14)', () => {
    const { closedAt: at = '', ...open } = VAIN;
    expect(restMs({ ...open, failure: { reason: 'NothingAdmitted', message: 'm', at } })).toBe(
      5_000,
    );
  });

  it('never exceeds the freeze, whatever the clocks say (SNAP-W14)', () => {
    expect(restMs(VAIN, -3_600_000)).toBe(5_000);
    const odd = { ...VAIN, cutRequestedAt: '2026-01-01T00:02:00.000000Z' };
    expect(restMs(odd)).toBe(0);
  });

  it('is none when something was cut, when nothing was frozen, and before the end', () => {
    const admitted = [
      sampleEntry('a', { outcome: 'NotCreated' }),
      sampleEntry('b', { outcome: 'Cut' }),
    ];
    expect(restMs({ ...VAIN, admitted })).toBe(0);
    expect(restMs({ ...VAIN, executionHookNames: [] })).toBe(0);
    const { cutRequestedAt: _frozen, ...unfrozen } = VAIN;
    expect(restMs(unfrozen)).toBe(0);
    const { closedAt: _end, ...open } = VAIN;
    expect(restMs(open)).toBe(0);
    expect(restMs({})).toBe(0);
  });
});

it('counts the time since the end of a window for each guard, whatever the others do (SNAP-W14)', () => {
  let nowMs = 0;
  const times = new EndTimes({ monotonicMs: () => nowMs });
  const ours = sampleWindow(1, VAIN);
  const window = { guardName: 'postgres', freezeTimeoutSeconds: 10, holdOpenSeconds: 0 };
  const other = { ...sampleWindow(2, VAIN), spec: { ...ours.spec, window } };
  times.sinceMs(ours);
  nowMs = 5;
  expect(times.sinceMs(other)).toBe(0);
  expect(times.sinceMs(ours)).toBe(5);
});

it('remembers the ends of the windows of the last used guards only', () => {
  let nowMs = 0;
  const times = new EndTimes({ monotonicMs: () => nowMs });
  const window = sampleWindow(1, VAIN);
  const windowOf = (namespace: string) => ({
    ...window,
    metadata: { ...window.metadata, namespace },
  });
  times.sinceMs(windowOf('unused'));
  times.sinceMs(windowOf('used'));
  for (let count = 1; count < GUARDS_MAX; count += 1) {
    nowMs += 1;
    times.sinceMs(windowOf(`shop-${count}`));
    expect(times.sinceMs(windowOf('used'))).toBe(nowMs);
  }
  expect(times.sinceMs(windowOf('shop-1'))).toBe(nowMs - 1);
  expect(times.sinceMs(windowOf('unused'))).toBe(0);
});
