/** Tests the times of a stop: POD-G1, POD-G3, POD-G4, POD-K12, POD-SL5, POD-SL7. */
import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, test } from 'vitest';

import { NOW_MS } from '../../../test/fixtures/pod-facts.ts';
import type { Clock } from '../../platform/platform.ts';
import { graceEndMs, graceSecondsOf, killAtMs, type StopCause, stopEndMs } from './grace.ts';

const clock: Clock = { nowMs: () => NOW_MS, monotonicMs: () => 5_000 };

describe('the grace of a stop', () => {
  test('POD-G1: begins now, and never outlasts the end that the API server has promised', () => {
    const at = (nowMs: number, promised: number | null): number =>
      graceEndMs({ nowMs, graceSeconds: 5, deletionTimestampMs: promised });
    expect(at(10_950, null)).toBe(15_950);
    expect(at(10_950, 15_000)).toBe(15_950);
    expect(at(13_000, 15_000)).toBe(16_000);
  });

  test.each([
    ['without a hook', 0, 10_000],
    ['after a hook of 3.7 s, of which whole seconds count', 3_700, 10_700],
    ['after a hook that ends a second before the grace', 9_000, 11_000],
    ['after a sleep as long as the grace', 10_000, 12_000],
    ['of a grace that is over', 15_000, 17_000],
  ])(
    'POD-G3, POD-SL7: leaves from TERM to KILL what is left, and two seconds at least: %s',
    (...row) => {
      const [, termAtMs, expected] = row;
      expect(killAtMs({ termAtMs, graceEndsAtMs: 10_000 })).toBe(expected);
    },
  );

  const probe = (graceSeconds: number | null): StopCause => ({
    kind: 'probe',
    probe: 'liveness',
    graceSeconds,
  });
  test.each([
    ['deletion', { kind: 'deletion', graceSeconds: 0 }, 0],
    ['a probe with a grace of its own', probe(7), 7],
    ['a probe without one', probe(null), 30],
    ['a probe with a grace of 0', probe(0), 0],
    ['a failed postStart hook', { kind: 'postStart' }, 30],
    ['the end of the pod', { kind: 'podOver' }, 30],
    ['a changed image', { kind: 'inPlace', why: 'definition' }, 30],
  ] as const)('POD-K12: is that of %s', (_, cause, expected) => {
    expect(graceSecondsOf(cause, 30)).toBe(expected);
  });

  const pod = (more: object, grace?: number): Pod => ({
    metadata: more,
    spec: {
      containers: [],
      ...(grace === undefined ? {} : { terminationGracePeriodSeconds: grace }),
    },
  });
  const deleted = { deletionTimestamp: '2026-01-01T00:10:08Z', deletionGracePeriodSeconds: 8 };
  test.each([
    ['the grace period of the pod', pod({}, 12), 12],
    ['30 s where the pod has none (POD-SL5)', pod({}), 30],
    ['30 s of a pod without a spec', {}, 30],
    ['the grace of its deletion, for whatever cause it stops', pod(deleted, 12), 8],
    [
      'what the deletion has promised, of one seen late',
      pod({ ...deleted, deletionGracePeriodSeconds: 60 }),
      9,
    ],
    ['nothing of a deletion by force', pod({ deletionTimestamp: '2026-01-01T00:10:08Z' }), 0],
  ] as const)('lasts, on the monotonic clock, %s', (_, of, seconds) => {
    expect(stopEndMs({ kind: 'podOver' }, of, clock)).toBe(5_000 + seconds * 1_000);
  });
});
