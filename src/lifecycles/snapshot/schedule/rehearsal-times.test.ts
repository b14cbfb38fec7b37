/** When rehearsals start, and which of them and of their snapshots are kept. */
import { describe, expect, it } from 'vitest';

import {
  backedUp,
  PASSED,
  REHEARSAL,
  rehearsing,
  restoreNames,
} from '../../../../test/fixtures/snapshot/rehearsal-hours.ts';
import {
  at,
  conditions,
  nameAt,
  reasons,
  rehearsalAt,
  started,
} from '../../../../test/fixtures/snapshot/schedule-hours.ts';
import { failure } from '../../../../test/sim/controller/sim-api.ts';

describe('times of rehearsals', () => {
  it('are missed before the last one after a downtime, and after the deadline (SNAP-T3, SNAP-T5)', async () => {
    const world = await backedUp();
    await at(world, '05:50:00');
    expect(restoreNames(world)).toEqual([rehearsalAt(5)]);
    expect(world.status.rehearsal?.totals).toMatchObject({ missed: 4, late: 1 });
    const strict = await backedUp({ startingDeadlineSeconds: 60 });
    await at(strict, '01:40:00');
    expect([restoreNames(strict), strict.status.lastRehearsal?.result]).toEqual([[], 'NotRun']);
    expect(strict.status.lastRehearsal?.message).toBe('startingDeadlineSeconds had passed');
  });

  it('wait for the active rehearsal, also if snapshots may overlap (SNAP-T19)', async () => {
    const world = await rehearsing({}, { concurrencyPolicy: 'Allow' });
    await at(world, '01:00:00');
    world.end(nameAt(1), 'ApplicationConsistent');
    await at(world, '01:20:00');
    await at(world, '02:20:00');
    expect(restoreNames(world)).toEqual([rehearsalAt(1)]);
    world.endRestore(rehearsalAt(1), PASSED);
    await at(world, '02:30:00');
    expect(restoreNames(world)).toEqual([rehearsalAt(1), rehearsalAt(2)]);
  });

  it('do not count while the schedule is suspended, whenever the process is killed (SNAP-T21)', async () => {
    for (const when of ['before', 'after'] as const) {
      const world = await backedUp();
      world.change({ suspend: true });
      await at(world, '02:30:00');
      expect(world.status.rehearsal?.nextScheduleTime).toBeUndefined();
      world.change({ suspend: false });
      world.killAt(1, when);
      await at(world, '02:40:00');
      expect([restoreNames(world), world.names]).toEqual([[], [nameAt(1)]]);
      expect(world.status.rehearsal?.totals?.missed ?? 0).toBe(0);
      await at(world, '03:20:00');
      expect(restoreNames(world)).toEqual([rehearsalAt(3)]);
    }
  });

  it('count from the change of their expression, and from the first rehearsal in the spec (SNAP-T21)', async () => {
    const world = await started();
    await at(world, '01:00:00');
    world.end(nameAt(1), 'ApplicationConsistent');
    await at(world, '05:30:00');
    world.change({ rehearsal: REHEARSAL });
    await at(world, '05:40:00');
    expect([restoreNames(world), world.status.rehearsal?.totals]).toEqual([[], undefined]);
    world.change({ rehearsal: { ...REHEARSAL, schedule: '50 * * * *' } });
    await at(world, '05:55:00');
    world.change({ rehearsal: { ...REHEARSAL, schedule: '52 * * * *' } });
    await at(world, '05:58:00');
    expect(restoreNames(world)).toEqual([]);
    await at(world, '06:52:00');
    expect(restoreNames(world)).toHaveLength(1);
  });

  it('are in the time zone of the snapshots unless they have their own (SNAP-T17)', async () => {
    const daily = { schedule: '0 3 * * *' };
    const berlin = await rehearsing(daily, { timeZone: 'Europe/Berlin' });
    expect(berlin.status.rehearsal?.nextScheduleTime).toBe('2026-05-01T01:00:00Z');
    const own = { ...daily, timeZone: 'Asia/Kathmandu' };
    const kathmandu = await rehearsing(own, { timeZone: 'Europe/Berlin' });
    expect(kathmandu.status.rehearsal?.nextScheduleTime).toBe('2026-05-01T21:15:00Z');
  });

  it('come again when the clock was set back, without a second rehearsal (SNAP-T6)', async () => {
    const world = await backedUp();
    await at(world, '01:20:00');
    world.endRestore(rehearsalAt(1), PASSED);
    await at(world, '01:30:00');
    await at(world, '00:30:00');
    expect(reasons(world)).toContain('ClockSetBack');
    await at(world, '01:25:00');
    expect(restoreNames(world)).toEqual([rehearsalAt(1)]);
    expect(world.status.rehearsal?.totals).toMatchObject({ good: 1, missed: 0 });
  });

  it('alone are named when only they come again (SNAP-T6)', async () => {
    const world = await backedUp();
    await at(world, '01:20:00');
    world.endRestore(rehearsalAt(1), PASSED);
    await at(world, '01:30:00');
    await at(world, '01:10:00');
    expect(world.events.at(-1)).toMatchObject({
      reason: 'ClockSetBack',
      message:
        'The clock was set back: every time until 2026-05-01T01:20:00Z was handled already. The times that the clock passes again get no second rehearsal.',
    });
  });

  it('are retried while the server refuses the restore, and missed at the next one', async () => {
    const world = await backedUp();
    world.nowMs = Date.parse('2026-05-01T01:20:00Z');
    await world.pass();
    world.refusal = failure(403, 'Forbidden', 'exceeded quota');
    expect(await world.pass()).toBe(10_000);
    expect(world.events.at(-1)).toMatchObject({ type: 'Warning', reason: 'RehearsalNotCreated' });
    await at(world, '01:30:00');
    expect(restoreNames(world)).toEqual([rehearsalAt(1)]);
  });
});

it('keeps the snapshot that is rehearsed until its rehearsal has ended (SNAP-T16)', async () => {
  const world = await rehearsing({}, { retention: { keepLast: 1 } });
  await at(world, '01:00:00');
  world.end(nameAt(1), 'ApplicationConsistent');
  await at(world, '01:20:00');
  await at(world, '02:00:00');
  world.end(nameAt(2), 'ApplicationConsistent');
  await at(world, '02:10:00');
  expect(world.names).toEqual([nameAt(1), nameAt(2)]);
  world.endRestore(rehearsalAt(1), PASSED);
  await at(world, '02:15:00');
  expect(world.names).toEqual([nameAt(2)]);
});

it('keeps the newest rehearsals of its own, and no others are deleted (SNAP-T19)', async () => {
  const world = await backedUp({ historyLimit: 2 });
  world.restore('by-hand', { applicationSnapshotName: nameAt(1) });
  world.endRestore('by-hand');
  for (const hour of [1, 2, 3, 4]) {
    await at(world, `0${hour}:20:00`);
    world.endRestore(rehearsalAt(hour), PASSED);
    await at(world, `0${hour}:30:00`);
  }
  expect(restoreNames(world)).toEqual(['by-hand', rehearsalAt(3), rehearsalAt(4)]);
});

it('forgets its rehearsals when they are removed from the spec, after the last one has ended (SNAP-T21)', async () => {
  const world = await backedUp();
  await at(world, '01:20:00');
  const { rehearsal: _, ...spec } = world.schedule.spec;
  world.replaceSpec(spec);
  await at(world, '01:21:00');
  expect(world.status.rehearsal).toMatchObject({ active: [{ name: rehearsalAt(1) }] });
  world.endRestore(rehearsalAt(1), PASSED);
  await at(world, '01:30:00');
  expect([world.status.rehearsal, world.status.lastRehearsal]).toEqual([undefined, undefined]);
  expect(conditions(world)['LastRehearsalGood']).toBeUndefined();
  expect(reasons(world)).toContain('RehearsalPassed');
});
