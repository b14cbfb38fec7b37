/** Decisions of a candidate from a Lease: CTRL-L1, CTRL-L3 and CTRL-L5. */
import type { Lease, LeaseSpec } from 'kubernetes-types/coordination/v1.js';
import { describe, expect, it } from 'vitest';

import {
  claimed,
  DEFAULT_LEASE_TIMES,
  released,
  remainingMs,
  renewed,
  sameStroke,
  sameTerm,
  sight,
} from './lease-record.ts';

const WALL_MS = Date.parse('2026-01-01T00:00:00Z');
const NOW = '2026-01-01T00:00:00.000000Z';
const spec: LeaseSpec = {
  holderIdentity: 'one',
  leaseDurationSeconds: 15,
  acquireTime: '2025-12-31T00:00:00.000000Z',
  renewTime: '2025-12-31T00:00:10.000000Z',
  leaseTransitions: 3,
};

describe('remainingMs', () => {
  const left = (of: LeaseSpec | undefined, nowMs: number): number => {
    const lease: Lease = of === undefined ? {} : { spec: of };
    return remainingMs({ lease, seenMs: 40_000 }, { nowMs, ownMs: 10_000 });
  };

  it('CTRL-L1: counts from the moment at which the renewal was seen', () => {
    expect([40_000, 47_000, 54_999, 55_000, 99_000].map((nowMs) => left(spec, nowMs))).toEqual([
      15_000, 8_000, 1, 0, 0,
    ]);
  });

  it('is 0 for a Lease without a holder, with any duration', () => {
    expect(left({ ...spec, holderIdentity: '' }, 40_000)).toBe(0);
    expect(left({ leaseDurationSeconds: 15 }, 40_000)).toBe(0);
    expect(left(undefined, 40_000)).toBe(0);
  });

  it('uses the own duration where the holder gives none', () => {
    expect(left({ holderIdentity: 'one' }, 43_000)).toBe(7_000);
    expect(left({ ...spec, leaseDurationSeconds: -1 }, 43_000)).toBe(7_000);
  });
});

describe('sight', () => {
  const lease = (uid: string, resourceVersion: string): Lease => ({
    metadata: { uid, resourceVersion },
  });
  const before = { lease: lease('u', '7'), seenMs: 40_000 };

  it.each([
    ['keeps the time of a version that was seen before', before, lease('u', '7'), 40_000],
    ['starts again with a new version', before, lease('u', '8'), 50_000],
    ['starts again with a Lease that was recreated', before, lease('v', '7'), 50_000],
    ['starts with the first look', null, lease('u', '7'), 50_000],
  ])('%s', (...[, seen, found, seenMs]) => {
    const sighting = sight(seen, found, 50_000);
    expect(sighting).toEqual({ lease: found, seenMs });
    expect(sighting.lease).toBe(found);
  });
});

describe('the term of a Lease', () => {
  it('CTRL-L5: identifies a term by holder, number and start time, and a renewal by its time as well', () => {
    const other: Partial<Record<keyof LeaseSpec, LeaseSpec>> = {
      holderIdentity: { ...spec, holderIdentity: 'two' },
      leaseTransitions: { ...spec, leaseTransitions: 4 },
      acquireTime: { ...spec, acquireTime: NOW },
    };
    for (const [field, of] of Object.entries(other)) {
      expect([field, sameTerm(spec, of), sameStroke(spec, of)]).toEqual([field, false, false]);
    }
    const again = { ...spec, renewTime: NOW };
    expect([sameTerm(spec, again), sameStroke(spec, again)]).toEqual([true, false]);
    expect([sameTerm(spec, { ...spec }), sameStroke(spec, { ...spec })]).toEqual([true, true]);
    expect(sameStroke(undefined, {})).toBe(true);
  });

  it('CTRL-L3: begins with the next number, also after a term of the same process', () => {
    const times = { ...DEFAULT_LEASE_TIMES, durationMs: 14_200 };
    const claim = { identity: 'one', times, wallMs: WALL_MS };
    const first = {
      holderIdentity: 'one',
      leaseDurationSeconds: 15,
      acquireTime: NOW,
      renewTime: NOW,
      leaseTransitions: 0,
    };
    expect(claimed(null, claim)).toEqual(first);
    expect(claimed({}, claim)).toEqual({ ...first, leaseTransitions: 1 });
    expect(claimed(spec, claim)).toEqual({ ...first, leaseTransitions: 4 });
  });

  it('is renewed by a new time alone, and released without its holder, with its number', () => {
    expect(renewed(spec, WALL_MS)).toEqual({ ...spec, renewTime: NOW });
    expect(released(spec, WALL_MS)).toEqual({
      ...spec,
      holderIdentity: '',
      leaseDurationSeconds: 1,
      renewTime: NOW,
    });
  });
});
