/**
 * Which scheduled times get a snapshot: after a downtime, after a clock change, while one is active, and while
 * suspended.
 */
import { describe, expect, it } from 'vitest';

import {
  at,
  conditions,
  nameAt,
  reasons,
  started,
} from '../../../../test/fixtures/snapshot/schedule-hours.ts';
import { HOOKED } from '../../../../test/fixtures/snapshot/schedule-world.ts';
import { failure } from '../../../../test/sim/controller/sim-api.ts';
import { applicationSnapshots } from '../kinds.ts';
import { SCHEDULE } from '../names.ts';
import { ACTIVE_MAX } from './decide.ts';

describe('missed times (SNAP-T3)', () => {
  it('starts the last one after a downtime of days, and counts those before it', async () => {
    const world = await started();
    await at(world, '2026-05-04T10:30:00Z');
    expect(world.names).toEqual([nameAt(82)]);
    expect(world.status.totals).toEqual({ good: 0, failed: 0, missed: 81, late: 1 });
    expect(world.events.slice(0, 3)).toMatchObject([
      {
        type: 'Warning',
        reason: 'Overdue',
        message: 'No good snapshot since 2026-05-01T00:10:00Z: two scheduled times have passed.',
      },
      {
        type: 'Warning',
        reason: 'Missed',
        message: expect.stringContaining('Missed 81 snapshots') as string,
      },
      {
        type: 'Warning',
        reason: 'Late',
        message: expect.stringContaining('1800 s late') as string,
      },
    ]);
  });

  it('starts none after startingDeadlineSeconds (SNAP-T5)', async () => {
    const world = await started({ startingDeadlineSeconds: 600 });
    await at(world, '01:20:00');
    expect([world.names, world.status.totals?.missed]).toEqual([[], 1]);
    await at(world, '02:09:00');
    expect(world.names).toEqual([nameAt(2)]);
  });

  it('counts a time that the server refuses until the next one', async () => {
    const world = await started();
    world.refusal = null;
    world.nowMs = Date.parse('2026-05-01T01:00:00Z');
    expect([await world.pass(), world.status.pending?.name]).toEqual([0, nameAt(1)]);
    world.refusal = failure(403, 'Forbidden', 'exceeded quota');
    expect(await world.pass()).toBe(10_000);
    world.refusal = failure(403, 'Forbidden', 'exceeded quota');
    expect(await world.pass()).toBe(10_000);
    expect(reasons(world)).toEqual(['NotCreated', 'NotCreated']);
    await at(world, '02:00:00');
    expect([world.names, world.status.totals?.missed]).toEqual([[nameAt(2)], 1]);
  });

  it.each([
    [{}, 'It is retried until the next scheduled time.'],
    [
      { startingDeadlineSeconds: 600 },
      'It is retried until the next scheduled time, or until startingDeadlineSeconds (600 s) have passed.',
    ],
  ])('says until when a refused creation is retried, with %j (SNAP-T5)', async (spec, said) => {
    const world = await started(spec);
    world.nowMs = Date.parse('2026-05-01T01:00:00Z');
    await world.pass();
    world.refusal = failure(403, 'Forbidden', 'exceeded quota');
    await world.pass();
    expect(world.events.at(-1)?.message).toBe(
      `The server refuses ApplicationSnapshot ${nameAt(1)}: exceeded quota. ${said}`,
    );
  });

  it('counts a time whose name another object has, and leaves that alone', async () => {
    const world = await started({ retention: { keepLast: 1, keepFailed: 0 } });
    const metadata = { namespace: 'shop', name: nameAt(1), labels: { [SCHEDULE]: 'nightly' } };
    world.api.create(applicationSnapshots, { metadata, spec: HOOKED.spec } as object);
    world.end(nameAt(1), null);
    await at(world, '01:00:00');
    expect(world.status).toMatchObject({ totals: { missed: 1, failed: 0 } });
    expect([world.status.active, world.names]).toEqual([undefined, [nameAt(1)]]);
  });
});

describe('a clock that is set (SNAP-T6)', () => {
  it('goes on at the right times after it was a year ahead, and keeps the old snapshots', async () => {
    const world = await started({ retention: { keepLast: 2 } });
    for (const hour of [1, 2]) {
      await at(world, `0${hour}:00:00`);
      world.end(nameAt(hour), 'ApplicationConsistent');
    }
    await at(world, '2027-05-01T02:30:00Z');
    expect(world.status.totals?.missed).toBe(100);
    const ahead = world.names.at(-1) ?? '';
    world.end(ahead, 'ApplicationConsistent');
    await at(world, '03:00:20');
    expect(reasons(world)).toContain('ClockSetBack');
    expect(world.names).toEqual([nameAt(1), nameAt(2), nameAt(3), ahead]);
    world.end(nameAt(3), 'ApplicationConsistent');
    await at(world, '04:00:00');
    // The snapshot of the next year is kept, and does not count.
    expect(world.names).toEqual([nameAt(2), nameAt(3), nameAt(4), ahead]);
  });

  it('creates no second snapshot of a time that comes again', async () => {
    const world = await started();
    await at(world, '01:00:00');
    world.end(nameAt(1), 'ApplicationConsistent');
    await at(world, '02:00:00');
    world.end(nameAt(2), 'ApplicationConsistent');
    await at(world, '00:30:00');
    for (const time of ['01:00:00', '02:00:00', '03:00:00']) await at(world, time);
    expect(world.names).toEqual([nameAt(1), nameAt(2), nameAt(3)]);
    expect(world.status.totals).toEqual({ good: 2, failed: 0, missed: 0, late: 0 });
  });

  it('looks at the clock again within a minute', async () => {
    const world = await started();
    expect(await world.settle()).toBe(60_000);
    expect(await at(world, '00:59:30')).toBe(30_000);
  });
});

describe('overlapping snapshots (SNAP-T7)', () => {
  it('waits for the active one with Forbid, which is the default', async () => {
    const world = await started();
    await at(world, '01:00:00');
    await at(world, '02:10:00');
    expect(world.names).toEqual([nameAt(1)]);
    world.end(nameAt(1), 'ApplicationConsistent');
    await at(world, '02:20:00');
    expect(world.names).toEqual([nameAt(1), nameAt(2)]);
    expect(world.status.totals).toMatchObject({ missed: 0, late: 1 });
  });

  it('starts them in parallel with Allow, up to a bound', async () => {
    const world = await started({ concurrencyPolicy: 'Allow' });
    for (let hour = 1; hour < 15; hour += 1) {
      world.nowMs = Date.parse('2026-05-01T00:00:00Z') + hour * 3_600_000;
      await world.settle();
    }
    expect(world.names).toHaveLength(ACTIVE_MAX);
  });
});

describe('a suspended schedule (SNAP-T8)', () => {
  it('starts nothing, and makes up for nothing when it goes on', async () => {
    const world = await started();
    world.change({ suspend: true });
    await at(world, '02:30:00');
    expect([world.names, world.status.nextScheduleTime]).toEqual([[], undefined]);
    expect(conditions(world)).toMatchObject({
      Ready: 'True Suspended',
      Suspended: 'True Suspended',
    });
    world.change({ suspend: false });
    await at(world, '02:40:00');
    expect([world.names, world.status.totals?.missed ?? 0]).toEqual([[], 0]);
    await at(world, '03:00:00');
    expect(world.names).toEqual([nameAt(3)]);
  });

  it('makes up for nothing if a snapshot ends while it goes on', async () => {
    const world = await started();
    await at(world, '01:00:00');
    world.change({ suspend: true });
    await at(world, '02:30:00');
    world.end(nameAt(1), 'ApplicationConsistent');
    world.change({ suspend: false });
    await at(world, '02:40:00');
    expect([world.names, world.status.totals?.good]).toEqual([[nameAt(1)], 1]);
  });

  it('neither starts nor misses a snapshot that the server refused before', async () => {
    const world = await started();
    world.nowMs = Date.parse('2026-05-01T01:00:00Z');
    await world.pass();
    world.refusal = failure(403, 'Forbidden', 'exceeded quota');
    await world.pass();
    world.change({ suspend: true });
    await at(world, '01:10:00');
    expect([world.names, world.status.pending]).toEqual([[], undefined]);
    world.change({ suspend: false });
    await at(world, '01:20:00');
    expect([world.names, world.status.totals?.missed]).toEqual([[], 0]);
    expect(reasons(world)).toEqual(['NotCreated']);
  });

  it('does not start the times of a new cron expression that have passed', async () => {
    const world = await started({ schedule: '0 3 * * *' });
    await at(world, '10:00:00');
    world.end(nameAt(3), 'ApplicationConsistent');
    world.change({ schedule: '0 9 * * *' });
    await at(world, '10:30:00');
    expect(world.names).toEqual([nameAt(3)]);
    await at(world, '2026-05-02T09:00:00Z');
    expect(world.names).toHaveLength(2);
  });
});
