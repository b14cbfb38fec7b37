/**
 * Which snapshots belong to a schedule: every client that may create a snapshot can write its name, label and
 * annotations.
 */
import { describe, expect, it } from 'vitest';

import { backedUp } from '../../../../test/fixtures/snapshot/rehearsal-hours.ts';
import {
  at,
  nameAt,
  rehearsalAt,
  started,
} from '../../../../test/fixtures/snapshot/schedule-hours.ts';
import { HOOKED, type ScheduleWorld } from '../../../../test/fixtures/snapshot/schedule-world.ts';
import { applicationSnapshots } from '../kinds.ts';
import { SCHEDULE, SCHEDULE_UID, SCHEDULED_AT } from '../names.ts';
import { snapshotRestores } from '../restore/kinds.ts';
import { SNAPSHOT_UIDS_MAX } from '../schema/limits.ts';
import { snapshotSchedules } from './kinds.ts';

/** Another client creates a snapshot for that hour of 2026-05-01, with every mark that it can read. */
function forge(world: ScheduleWorld, hour: number): void {
  const annotations = {
    [SCHEDULE_UID]: world.schedule.metadata?.uid ?? '',
    [SCHEDULED_AT]: `2026-05-01T0${hour}:00:00Z`,
  };
  const metadata = { namespace: 'shop', name: nameAt(hour), labels: { [SCHEDULE]: 'nightly' } };
  const object = { metadata: { ...metadata, annotations }, spec: HOOKED.spec };
  world.api.create(applicationSnapshots, object);
}

function writeStatus(world: ScheduleWorld, status: object): void {
  world.api.replace(snapshotSchedules, { ...world.schedule, status } as object, 'status');
}

async function takenAt(world: ScheduleWorld, ...hours: readonly number[]): Promise<void> {
  for (const hour of hours) {
    await at(world, `0${hour}:00:00`);
    world.end(nameAt(hour), 'ApplicationConsistent');
  }
  await world.settle();
}

describe('a snapshot of another client with the marks of a schedule (SNAP-T23)', () => {
  it('counts for nothing, and is not deleted', async () => {
    const world = await started({ retention: { keepLast: 1 } });
    await takenAt(world, 1);
    forge(world, 0);
    world.end(nameAt(0), 'ApplicationConsistent');
    await takenAt(world, 2);
    expect(world.names).toEqual([nameAt(0), nameAt(2)]);
  });

  it('does not push out the snapshots of the schedule', async () => {
    const world = await started({ retention: { keepLast: 1 } });
    await takenAt(world, 1);
    world.change({ suspend: true });
    await at(world, '02:30:00');
    forge(world, 2);
    world.end(nameAt(2), 'ApplicationConsistent');
    await at(world, '03:30:00');
    expect(world.names).toEqual([nameAt(1), nameAt(2)]);
  });

  it('is not taken for the one of a scheduled time that it was created before', async () => {
    const world = await started({ retention: { keepLast: 1 } });
    forge(world, 1);
    await at(world, '01:00:00');
    expect(world.status).toMatchObject({ snapshotUIDs: [], totals: { missed: 1 } });
    expect(world.status.active ?? []).toEqual([]);
    expect(world.events.at(-1)?.message).toContain('was not created by this schedule');
  });
});

describe('a snapshot of a schedule', () => {
  it('is kept where another one was deleted since the cache was read (SNAP-T15)', async () => {
    const world = await started({ retention: { keepLast: 1 } });
    await takenAt(world, 1);
    const list = world.api.list.bind(world.api);
    let isDeleted = false;
    world.api.list = (resource, ...more) => {
      if (world.steps.at(-1) === 'evict' && !isDeleted) {
        isDeleted = true;
        world.remove(nameAt(2));
      }
      return list(resource, ...more);
    };
    await takenAt(world, 2);
    expect(world.names).toEqual([nameAt(1)]);
  });

  it('is not another one that has its name by now: that counts as deleted (SNAP-T23)', async () => {
    const world = await started();
    await at(world, '01:00:00');
    world.remove(nameAt(1));
    forge(world, 1);
    world.end(nameAt(1), 'ApplicationConsistent');
    await world.settle();
    expect(world.status).toMatchObject({ totals: { failed: 1 } });
    expect(world.status.lastSuccessfulTime).toBeUndefined();
  });

  it('counts as started where its process ended before that was recorded (SNAP-T2)', async () => {
    const world = await started();
    world.nowMs = Date.parse('2026-05-01T01:00:00Z');
    world.killAt(2, 'after');
    let waitMs: number | null = 0;
    while (waitMs !== null) waitMs = await world.pass();
    expect([world.names, world.status.active ?? []]).toEqual([[nameAt(1)], []]);
    await at(world, '02:00:00');
    expect(world.steps).toContain('giveUp');
    expect(world.status.totals?.missed ?? 0).toBe(0);
    expect(world.status.snapshotUIDs).toContain(world.snapshots[0]?.metadata?.uid);
  });
});

describe('the UIDs in the status (SNAP-T23)', () => {
  const uids = (world: ScheduleWorld) => world.snapshots.map(({ metadata }) => metadata?.uid);

  it('are those of the snapshots that were created, without those that were deleted', async () => {
    const world = await started({ retention: { keepLast: 2 } });
    await takenAt(world, 1, 2);
    world.remove(nameAt(1));
    await takenAt(world, 3);
    expect(world.names).toEqual([nameAt(2), nameAt(3)]);
    expect(world.status.snapshotUIDs).toEqual(uids(world));
  });

  it('are adopted once from a status of an earlier version', async () => {
    const world = await started({ retention: { keepLast: 1 } });
    await takenAt(world, 1);
    const { snapshotUIDs: _, ...earlier } = world.status;
    writeStatus(world, earlier);
    await world.settle();
    expect(world.status.snapshotUIDs).toEqual(uids(world));
    forge(world, 0);
    await takenAt(world, 2);
    expect(world.names).toEqual([nameAt(0), nameAt(2)]);
  });

  it('of a new schedule are none, whatever has its marks already', async () => {
    const world = await started({ suspend: true });
    writeStatus(world, {});
    forge(world, 0);
    await world.settle();
    expect(world.status.snapshotUIDs).toEqual([]);
  });

  it('of a status from a backup match no snapshot, so that nothing is deleted', async () => {
    const world = await started({ retention: { keepLast: 1 } });
    await takenAt(world, 1);
    writeStatus(world, { ...world.status, snapshotUIDs: ['uid-before-the-backup'] });
    await takenAt(world, 2, 3);
    expect(world.names).toEqual([nameAt(1), nameAt(3)]);
  });

  it('are bounded: the oldest are left out, and those snapshots stay', async () => {
    const world = await started({ retention: { keepLast: 1 } });
    const many = Array.from({ length: SNAPSHOT_UIDS_MAX }, (_, index) => `uid-${index}`);
    writeStatus(world, { ...world.status, snapshotUIDs: many });
    await at(world, '01:00:00');
    expect(world.status.snapshotUIDs).toHaveLength(SNAPSHOT_UIDS_MAX);
    expect(world.status.snapshotUIDs?.slice(-2)).toEqual([many.at(-1), ...uids(world)]);
  });
});

it('a rehearsal that another client created in advance is reported, and stands for none (SNAP-T19)', async () => {
  const world = await backedUp();
  const annotations = {
    [SCHEDULE_UID]: world.schedule.metadata?.uid ?? '',
    [SCHEDULED_AT]: '2026-05-01T01:20:00Z',
  };
  const metadata = { namespace: 'shop', name: rehearsalAt(1), labels: { [SCHEDULE]: 'nightly' } };
  const spec = { source: { applicationSnapshotName: nameAt(1) } };
  const forged = { metadata: { ...metadata, annotations }, spec };
  world.api.create(snapshotRestores, forged);
  await at(world, '01:20:00');
  expect(world.status.rehearsal?.totals).toMatchObject({ missed: 1 });
  expect(world.status.lastRehearsal).toMatchObject({ result: 'NotRun' });
  expect(world.events.at(-1)?.message).toContain('was not created by this schedule');
});
