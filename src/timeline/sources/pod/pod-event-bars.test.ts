import { describe, expect, it } from 'vitest';

import { podEventBars } from './pod-event-bars.ts';

describe('an Event of a pod as a span', () => {
  const event = {
    metadata: { name: 'web.1', uid: 'e1' },
    involvedObject: {
      kind: 'Pod',
      namespace: 'shop',
      name: 'web-0',
      fieldPath: 'spec.containers{web}',
    },
    reason: 'FailedPreStopHook',
    message: 'PreStopHook failed',
    firstTimestamp: '2026-11-22T10:00:01Z',
    lastTimestamp: '2026-11-22T10:00:02Z',
    count: 2,
  };

  it('shows a failed hook, and ignores other Events', () => {
    expect(podEventBars(event)).toMatchObject([
      {
        lane: 'shop/web-0/web',
        point: 'preStop',
        startMs: Date.parse('2026-11-22T10:00:01Z'),
        endMs: Date.parse('2026-11-22T10:00:02Z'),
        outcome: 'Failed',
        reason: 'PreStopHook failed',
        evidence: { times: '2' },
      },
    ]);
    expect(podEventBars({ ...event, reason: 'Killing' })).toEqual([]);
  });
});
