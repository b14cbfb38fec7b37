/** Rehearsals of a schedule with a simulated API server: their snapshots, and their results. */
import { describe, expect, it } from 'vitest';

import {
  backedUp,
  BROKEN,
  PASSED,
  rehearsing,
  restoreNames,
  verify,
} from '../../../../test/fixtures/snapshot/rehearsal-hours.ts';
import {
  at,
  conditions,
  nameAt,
  reasons,
  rehearsalAt,
} from '../../../../test/fixtures/snapshot/schedule-hours.ts';
import { SCHEDULE, SCHEDULE_UID, SCHEDULED_AT } from '../names.ts';
import { type SnapshotRestoreStatus, snapshotRestores } from '../restore/kinds.ts';

describe('a rehearsal', () => {
  it('restores the newest ApplicationConsistent snapshot at a time of its own (SNAP-T17, SNAP-T18)', async () => {
    const world = await backedUp({ storageClassName: 'fast', historyLimit: 2 });
    expect(world.status.rehearsal?.nextScheduleTime).toBe('2026-05-01T01:20:00Z');
    await at(world, '01:20:00');
    world.endRestore(rehearsalAt(1), PASSED);
    await at(world, '02:00:00');
    world.end(nameAt(2), 'CrashConsistent');
    await at(world, '02:20:05');
    const { uid } = world.schedule.metadata ?? {};
    expect(world.restores.at(-1)).toMatchObject({
      metadata: {
        name: rehearsalAt(2),
        labels: { [SCHEDULE]: 'nightly' },
        annotations: { [SCHEDULE_UID]: uid, [SCHEDULED_AT]: '2026-05-01T02:20:00Z' },
        ownerReferences: [{ kind: 'SnapshotSchedule', name: 'nightly', uid, controller: true }],
      },
    });
    expect(world.restores.at(-1)?.spec).toEqual({
      source: { applicationSnapshotName: nameAt(1) },
      scratch: true,
      storageClassName: 'fast',
      verify,
    });
  });

  it('is in the status, a condition and an event when it has passed (SNAP-T20)', async () => {
    const world = await backedUp();
    await at(world, '01:20:00');
    expect(world.status.rehearsal?.active).toMatchObject([
      { name: rehearsalAt(1), snapshotName: nameAt(1), scheduledTime: '2026-05-01T01:20:00Z' },
    ]);
    world.endRestore(rehearsalAt(1), PASSED);
    await at(world, '01:22:00');
    expect(world.status).toMatchObject({
      lastRehearsal: {
        scheduledTime: '2026-05-01T01:20:00Z',
        name: rehearsalAt(1),
        snapshotName: nameAt(1),
        restoredAt: '2026-05-01T01:21:00.000000Z',
        result: 'Passed',
        message: 'check: exit code 0',
      },
      lastSuccessfulRehearsalTime: '2026-05-01T01:21:00.000000Z',
      rehearsal: { active: [], totals: { good: 1, failed: 0, missed: 0 } },
    });
    expect(conditions(world)).toMatchObject({
      Ready: 'True Scheduled',
      LastRehearsalGood: 'True Passed',
    });
    expect(reasons(world).slice(-2)).toEqual(['RehearsalCreated', 'RehearsalPassed']);
  });

  it.each<[string, SnapshotRestoreStatus, string]>([
    ['whose check failed', BROKEN, 'Failed'],
    [
      'whose check could not run',
      { ...BROKEN, verification: { ...PASSED.verification, result: 'Unknown' } },
      'Unknown',
    ],
    ['that failed after its check', { ...BROKEN, verification: PASSED.verification }, 'Failed'],
  ])('%s is reported as a warning (SNAP-T20)', async (_, status, result) => {
    const message = 'CheckFailed: no orders';
    const world = await backedUp();
    await at(world, '01:20:00');
    world.endRestore(rehearsalAt(1), status);
    await at(world, '01:22:00');
    expect(world.status).toMatchObject({
      lastRehearsal: { name: rehearsalAt(1), result, message },
      rehearsal: { totals: { good: 0, failed: 1 } },
    });
    expect(world.status.lastSuccessfulRehearsalTime).toBeUndefined();
    expect(conditions(world)).toMatchObject({ LastRehearsalGood: `False ${result}` });
    expect(world.events.at(-1)).toMatchObject({
      type: 'Warning',
      reason: 'RehearsalFailed',
      message: `SnapshotRestore ${rehearsalAt(1)} of 2026-05-01T01:20:00Z: ${result}: ${message}`,
    });
  });

  it('has failed if it is deleted before its end', async () => {
    const world = await backedUp();
    await at(world, '01:20:00');
    world.removeRestore(rehearsalAt(1));
    await at(world, '01:21:00');
    expect(world.status.lastRehearsal).toMatchObject({
      snapshotName: nameAt(1),
      result: 'Failed',
      message: 'it was deleted before its end was seen',
    });
    expect(restoreNames(world)).toEqual([]);
  });

  it('is missed, and says so, without an ApplicationConsistent snapshot (SNAP-T18)', async () => {
    const world = await rehearsing();
    await at(world, '01:00:00');
    world.end(nameAt(1), 'CrashConsistent');
    await at(world, '01:20:00');
    expect(restoreNames(world)).toEqual([]);
    const message = 'the schedule has no ApplicationConsistent snapshot to restore';
    expect(world.status).toMatchObject({
      lastRehearsal: { scheduledTime: '2026-05-01T01:20:00Z', result: 'NotRun', message },
      rehearsal: { totals: { missed: 1 } },
    });
    expect(conditions(world)).toMatchObject({ LastRehearsalGood: 'False NotRun' });
    expect(world.events.at(-1)).toMatchObject({ type: 'Warning', reason: 'RehearsalMissed' });
    expect(world.events.at(-1)?.message).toContain(message);
  });
});

describe('a restart (SNAP-T19)', () => {
  it.each([1, 2, 3].flatMap((n) => (['before', 'after'] as const).map((when) => ({ n, when }))))(
    'creates each rehearsal once if the process is killed $when change $n',
    async ({ n, when }) => {
      const world = await backedUp();
      let created = 0;
      world.api.onCommit(({ type, object }) => {
        if (type === 'Upsert' && object.kind === snapshotRestores.kind) created += 1;
      });
      world.killAt(n, when);
      await at(world, '01:20:00');
      expect([created, restoreNames(world)]).toEqual([1, [rehearsalAt(1)]]);
      expect(world.status.rehearsal).toMatchObject({ active: [{ name: rehearsalAt(1) }] });
      expect(world.status.rehearsal?.pending).toBeUndefined();
    },
  );

  it.each(['before', 'after'] as const)(
    'counts a result once if the process is killed %s its write',
    async (when) => {
      const world = await backedUp();
      await at(world, '01:20:00');
      world.endRestore(rehearsalAt(1), PASSED);
      world.killAt(1, when);
      await at(world, '01:22:00');
      expect(world.status.rehearsal?.totals).toMatchObject({ good: 1, failed: 0 });
    },
  );
});
