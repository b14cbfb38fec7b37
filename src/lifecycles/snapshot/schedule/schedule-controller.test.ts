/** A schedule with a simulated API server: the effect of each reconcile, and of a restart. */
import { describe, expect, it } from 'vitest';

import {
  at,
  conditions,
  nameAt,
  reasons,
  started,
} from '../../../../test/fixtures/snapshot/schedule-hours.ts';
import { HOOKED } from '../../../../test/fixtures/snapshot/schedule-world.ts';
import { applicationSnapshots } from '../kinds.ts';
import { SCHEDULE, SCHEDULE_UID, SCHEDULED_AT } from '../names.ts';

it('creates the snapshot of a scheduled time from the template, with its marks (SNAP-T2)', async () => {
  const world = await started({
    requiredVerdict: 'CrashConsistent',
    snapshotTemplate: {
      ...HOOKED,
      metadata: { labels: { app: 'db' }, annotations: { note: 'x' } },
    },
  });
  expect([world.names, world.status.nextScheduleTime]).toEqual([[], '2026-05-01T01:00:00Z']);
  await at(world, '01:00:05');
  expect(world.snapshots).toMatchObject([
    {
      metadata: {
        name: nameAt(1),
        labels: { app: 'db', [SCHEDULE]: 'nightly' },
        annotations: {
          note: 'x',
          'lifehook.dev/required-verdict': 'CrashConsistent',
          [SCHEDULE_UID]: world.schedule.metadata?.uid,
          [SCHEDULED_AT]: '2026-05-01T01:00:00Z',
        },
      },
      spec: HOOKED.spec,
    },
  ]);
  expect(world.snapshots[0]?.metadata?.ownerReferences).toBeUndefined();
  expect(world.status).toMatchObject({
    lastScheduleTime: '2026-05-01T01:00:00Z',
    nextScheduleTime: '2026-05-01T02:00:00Z',
    active: [{ name: nameAt(1), scheduledTime: '2026-05-01T01:00:00Z' }],
  });
});

it('counts a snapshot when it has ended, with the time of its cut and a condition', async () => {
  const world = await started();
  await at(world, '01:00:00');
  world.nowMs += 90_000;
  world.end(nameAt(1), 'ApplicationConsistent');
  await world.settle();
  expect(world.status).toMatchObject({
    lastSuccessfulTime: '2026-05-01T01:01:30.000Z',
    lastSuccessfulSnapshotName: nameAt(1),
    active: [],
    totals: { good: 1, failed: 0, missed: 0, late: 0 },
  });
  await at(world, '02:00:00');
  world.end(nameAt(2), 'CrashConsistent');
  await world.settle();
  expect(world.status).toMatchObject({
    lastSuccessfulSnapshotName: nameAt(1),
    totals: { good: 1, failed: 1 },
  });
  expect(conditions(world)).toEqual({
    LastSnapshotGood: 'False Failed',
    Overdue: 'False GoodSnapshot',
    Ready: 'True Scheduled',
    Suspended: 'False NotSuspended',
    Stalled: 'False Valid',
  });
  expect(reasons(world)).toEqual([
    'SnapshotCreated',
    'SnapshotGood',
    'SnapshotCreated',
    'SnapshotFailed',
  ]);
});

describe('a restart (SNAP-T2)', () => {
  it.each([1, 2, 3].flatMap((n) => (['before', 'after'] as const).map((when) => ({ n, when }))))(
    'creates each snapshot once if the process is killed $when change $n',
    async ({ n, when }) => {
      const world = await started();
      let created = 0;
      world.api.onCommit(({ type, object }) => {
        if (type === 'Upsert' && object.kind === applicationSnapshots.kind) created += 1;
      });
      world.killAt(n, when);
      await at(world, '01:00:00');
      expect([created, world.names]).toEqual([1, [nameAt(1)]]);
      expect(world.status).toMatchObject({ active: [{ name: nameAt(1) }] });
      expect(world.status.pending).toBeUndefined();
    },
  );

  it('does not create a snapshot again that a user deleted', async () => {
    const world = await started();
    await at(world, '01:00:00');
    world.remove(nameAt(1));
    await at(world, '01:10:00');
    expect([world.names, world.status.totals?.failed]).toEqual([[], 1]);
  });
});

it('reports an invalid spec that no webhook refused, and starts nothing', async () => {
  const world = await started({ schedule: '61 * * * *' });
  expect(conditions(world)).toEqual({
    Ready: 'False Invalid',
    Stalled: 'True Invalid',
  });
  expect(world.events[0]).toMatchObject({ type: 'Warning', reason: 'Invalid' });
  world.change({ schedule: '0 * * * *' });
  await at(world, '01:00:00');
  expect(world.names).toEqual([nameAt(1)]);
  expect(conditions(world)).toMatchObject({ Ready: 'True Scheduled', Stalled: 'False Valid' });
});

describe('eviction (SNAP-T15)', () => {
  it('deletes what the retention does not keep, and reports it', async () => {
    const world = await started({ retention: { keepLast: 1 } });
    for (const hour of [1, 2, 3]) {
      await at(world, `0${hour}:00:00`);
      world.end(nameAt(hour), 'ApplicationConsistent');
    }
    await world.settle();
    expect(world.names).toEqual([nameAt(3)]);
    expect(reasons(world).filter((reason) => reason === 'Evicted')).toHaveLength(2);
  });

  it('keeps a snapshot while it is restored, by its name or by that of a VolumeSnapshot (SNAP-T16)', async () => {
    const world = await started({ retention: { keepLast: 1 } });
    for (const hour of [1, 2, 3]) {
      await at(world, `0${hour}:00:00`);
      world.end(nameAt(hour), 'ApplicationConsistent');
      world.cut(nameAt(hour), `volume-${hour}`);
      world.restore(
        `r${hour}`,
        hour === 1
          ? { applicationSnapshotName: nameAt(1) }
          : { volumeSnapshotNames: [`volume-${hour}`] },
      );
    }
    await world.settle();
    expect(world.names).toEqual([nameAt(1), nameAt(2), nameAt(3)]);
    world.endRestore('r1');
    await at(world, '03:10:00');
    expect(world.names).toEqual([nameAt(2), nameAt(3)]);
  });

  it('never deletes a snapshot that this schedule did not create', async () => {
    const world = await started({ retention: { keepLast: 1, keepFailed: 0 } });
    const uid = world.schedule.metadata?.uid ?? '';
    const marked = (name: string, annotations: Record<string, string>, label = 'nightly'): void => {
      const metadata = { namespace: 'shop', name, labels: { [SCHEDULE]: label }, annotations };
      world.api.create(applicationSnapshots, { metadata, spec: HOOKED.spec } as object);
      world.end(name, null);
    };
    const minute = '2026-04-30T00:00:00Z';
    const ofMinute = `nightly-${Date.parse(minute) / 60_000}`;
    // A snapshot of a deleted schedule of the same name, one by a user, and one with the label of another schedule.
    marked(ofMinute, { [SCHEDULE_UID]: 'uid-of-another', [SCHEDULED_AT]: minute });
    marked('by-hand', { [SCHEDULE_UID]: uid, [SCHEDULED_AT]: minute });
    marked('other', { [SCHEDULE_UID]: uid, [SCHEDULED_AT]: minute }, 'weekly');
    await at(world, '01:00:00');
    world.end(nameAt(1), 'ApplicationConsistent');
    await world.settle();
    expect(world.names).toEqual(['by-hand', nameAt(1), ofMinute, 'other'].toSorted());
  });
});
