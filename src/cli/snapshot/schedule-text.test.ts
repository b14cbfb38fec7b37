import { expect, it } from 'vitest';

import type { SnapshotGuard, ApplicationSnapshot } from '../../lifecycles/snapshot/kinds.ts';
import type { SnapshotSchedule } from '../../lifecycles/snapshot/schedule/kinds.ts';
import { guardText, scheduleText } from './schedule-text.ts';

const metadata = { namespace: 'shop', name: 'nightly' };
const ready = (status: string): object => ({ type: 'Ready', status, reason: 'R', message: 'm' });

function schedule(spec: object, status: object): SnapshotSchedule {
  return { metadata, spec: { schedule: '0 3 * * *', ...spec }, status } as SnapshotSchedule;
}

it('scheduleText prints the next run, the last good snapshot, the rehearsal and what is retained', () => {
  const status = {
    conditions: [ready('True')],
    nextScheduleTime: '2026-01-02T03:00:00Z',
    lastScheduleTime: '2026-01-01T03:00:00Z',
    lastSuccessfulTime: '2026-01-01T03:00:02Z',
    lastSuccessfulSnapshotName: 'nightly-1',
    rehearsal: { nextScheduleTime: '2026-01-02T05:00:00Z' },
    lastRehearsal: { result: 'Passed', scheduledTime: '2026-01-01T05:00:00Z', message: 'fine' },
  };
  const kept = {
    metadata: {
      name: 'nightly-1',
      annotations: { 'lifehook.dev/scheduled-at': '2026-01-01T03:00:00Z' },
    },
    status: { phase: 'Completed', verdict: { value: 'CrashConsistent', reason: 'AtomicCut' } },
  } as unknown as ApplicationSnapshot;
  expect(scheduleText(schedule({ timeZone: 'Europe/Berlin' }, status), [kept])).toBe(
    'SnapshotSchedule shop/nightly\n' +
      '  schedule  0 3 * * * (Europe/Berlin)\n' +
      '  ready     yes\n' +
      '  next run  2026-01-02T03:00:00Z\n' +
      '  last run  2026-01-01T03:00:00Z\n' +
      '  last good nightly-1, cut at 2026-01-01T03:00:02Z\n' +
      '  rehearsed Passed at 2026-01-01T05:00:00Z: fine\n' +
      '  next      2026-01-02T05:00:00Z\n' +
      '  retained  1\n' +
      '\n' +
      'SNAPSHOT    SCHEDULED              PHASE       VERDICT           REASON\n' +
      'nightly-1   2026-01-01T03:00:00Z   Completed   CrashConsistent   AtomicCut\n',
  );
});

it('scheduleText of a schedule that is suspended and has run nothing', () => {
  const status = { conditions: [ready('False')] };
  expect(scheduleText(schedule({ suspend: true }, status), [])).toBe(
    'SnapshotSchedule shop/nightly\n' +
      '  schedule  0 3 * * * (UTC, suspended)\n' +
      '  ready     no: R: m\n' +
      '  next run  -\n' +
      '  last run  -\n' +
      '  last good none\n' +
      '  retained  0\n',
  );
});

it('guardText prints whether it guards, and its newest window', () => {
  const window = { name: 'nightly-window-2', phase: 'Completed', admitted: 3 };
  const guard = (status: object): SnapshotGuard =>
    ({ metadata, spec: {}, status }) as SnapshotGuard;
  expect(guardText(guard({ window: { ...window, verdict: 'Inconsistent' } }))).toBe(
    'SnapshotGuard shop/nightly\n  ready     -\n  window    nightly-window-2 (Completed), admitted 3: Inconsistent\n',
  );
  expect(guardText(guard({ conditions: [ready('True')], window }))).toContain(
    'ready     yes\n  window    nightly-window-2 (Completed), admitted 3: no verdict yet\n',
  );
});
