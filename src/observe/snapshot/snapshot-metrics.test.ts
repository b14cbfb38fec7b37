import { expect, it } from 'vitest';

import { type SnapshotEvent, snapshotEnvelope } from '../../lifecycles/snapshot/snapshot-event.ts';
import { makeSnapshotMetrics } from './snapshot-metrics.ts';

const target = { namespace: 'shop', hook: 'h', pod: 'db-0', container: 'db' };

it('makeSnapshotMetrics counts the observed events, and reads the frozen targets at the scrape', async () => {
  let frozen = 2;
  const metrics = makeSnapshotMetrics({
    frozenNow: () => ({ frozen, overdue: 1, unproven: 3 }),
    schedules: () => [],
  });
  const observe = (event: SnapshotEvent): void => {
    metrics.observe(snapshotEnvelope(event, 0));
  };
  observe({ type: 'Thawed', target, uid: 'u', by: 'post', frozenMs: 300 });
  observe({
    type: 'Verdict',
    namespace: 'shop',
    snapshot: 's',
    value: 'Inconsistent',
    reason: 'ThawedBeforeCut',
    uid: 'u',
    series: 'data',
    message: 'm',
    required: 'CrashConsistent',
    isReached: false,
  });
  frozen = 1;
  const { type, text } = await metrics.expose();
  expect(type).toContain('text/plain');
  expect(text).toContain('lifehook_freeze_seconds_bucket{le="0.5",by="post"} 1');
  expect(text).toContain('lifehook_freeze_seconds_bucket{le="0.25",by="post"} 0');
  expect(text).toContain(
    'lifehook_verdicts_total{verdict="Inconsistent",reason="ThawedBeforeCut"} 1',
  );
  expect(text).toContain('lifehook_frozen_targets 1');
  expect(text).toContain('lifehook_thaw_overdue 1');
  expect(text).toContain('lifehook_thaw_unproven 3');
});
