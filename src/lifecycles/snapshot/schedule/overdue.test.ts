/** When a schedule is overdue, which events it emits then, and which of them a new leader finds in its status. */
import { describe, expect, it } from 'vitest';

import { backedUp, BROKEN, PASSED } from '../../../../test/fixtures/snapshot/rehearsal-hours.ts';
import {
  at,
  conditions,
  nameAt,
  reasons,
  rehearsalAt,
  started,
} from '../../../../test/fixtures/snapshot/schedule-hours.ts';
import type { ScheduleWorld } from '../../../../test/fixtures/snapshot/schedule-world.ts';
import type { Notification } from '../../../model/event.ts';
import { recordedEvents } from '../recorded-events.ts';
import { snapshotEnvelope } from '../snapshot-event.ts';

/** The emitted events, as notifications. */
const notified = (world: ScheduleWorld): Notification[] =>
  world.observed.flatMap((event) => snapshotEnvelope(event, 0).notification ?? []);

/** The notifications that a new leader sends, without ends before `since`. */
const found = (world: ScheduleWorld, since = '2026-05-01T00:00:00Z'): Notification[] =>
  recordedEvents({
    hooks: [],
    snapshots: [],
    restores: world.restores,
    schedules: [world.schedule],
    sinceMs: Date.parse(since),
    nowMs: world.nowMs,
  }).flatMap(({ notification }) => notification ?? []);

const types = (all: readonly Notification[]): string[] => all.map(({ type }) => type);

/** A schedule whose snapshots from 2:00 to 4:00 fail. */
async function failing(): Promise<ScheduleWorld> {
  const world = await started();
  await at(world, '01:00:00');
  world.end(nameAt(1), 'ApplicationConsistent');
  for (const hour of [2, 3, 4]) {
    await at(world, `0${hour}:00:00`);
    world.end(nameAt(hour), 'CrashConsistent');
  }
  await at(world, '04:00:10');
  return world;
}

describe('a schedule (SNAP-T22)', () => {
  it('is overdue an hour after the second scheduled time without a good snapshot', async () => {
    const world = await failing();
    expect(conditions(world)['Overdue']).toBe('True NoGoodSnapshot');
    const onTime = await started();
    await at(onTime, '01:00:00');
    await at(onTime, '03:00:00');
    expect(conditions(onTime)['Overdue']).toBe('False NotDue');
    await at(onTime, '03:00:01');
    expect(conditions(onTime)['Overdue']).toBe('True NoGoodSnapshot');
    expect(reasons(world).filter((reason) => reason === 'Overdue')).toHaveLength(1);
  });

  it('sends one notification when it is overdue, and one when it has a good snapshot again', async () => {
    const world = await failing();
    const { uid } = world.schedule.metadata ?? {};
    const [first, overdue, ...others] = notified(world);
    expect([first?.type, others]).toEqual(['schedule.recovered', []]);
    expect(overdue).toEqual({
      id: `${uid}/overdue/2026-05-01T04:00:10Z`,
      type: 'schedule.overdue',
      problem: 'schedule/shop/nightly',
      state: 'open',
      message:
        'SnapshotSchedule shop/nightly is overdue: No good snapshot since 2026-05-01T01:00:00.000Z: two scheduled times have passed. Run `kubectl describe snapshotschedule nightly -n shop`.',
    });
    expect(found(world, '2026-06-01T00:00:00Z')).toEqual([overdue]);
    await at(world, '05:00:00');
    expect(types(notified(world))).toHaveLength(2);
    world.end(nameAt(5), 'ApplicationConsistent');
    await at(world, '05:10:00');
    expect(notified(world).at(-1)).toMatchObject({
      type: 'schedule.recovered',
      problem: 'schedule/shop/nightly',
      state: 'clear',
    });
    expect(types(found(world))).toEqual(['schedule.recovered']);
    expect(found(world, '2026-06-01T00:00:00Z')).toEqual([]);
  });

  it('is not overdue for times of a suspension, and no suspension is an all-clear', async () => {
    const world = await failing();
    const before = notified(world).length;
    world.change({ suspend: true });
    await at(world, '20:00:00');
    expect(conditions(world)['Overdue']).toBe('False Suspended');
    world.change({ suspend: false });
    await at(world, '20:10:00');
    expect(conditions(world)['Overdue']).toBe('False NotDue');
    expect([notified(world).slice(before), found(world)]).toEqual([[], []]);
    await at(world, '21:30:00');
    expect(conditions(world)['Overdue']).toBe('False NotDue');
  });

  it('is overdue although its last good snapshot was cut while the clock was a year ahead (SNAP-T6)', async () => {
    const world = await started();
    await at(world, '2027-05-01T00:30:00Z');
    world.end(world.names[0] ?? '', 'ApplicationConsistent');
    await at(world, '2027-05-01T00:40:00Z');
    await at(world, '01:00:00');
    expect(world.status.lastSuccessfulTime).toBe('2026-05-01T01:00:00Z');
    world.end(nameAt(1), 'CrashConsistent');
    await at(world, '04:30:00');
    expect(conditions(world)['Overdue']).toBe('True NoGoodSnapshot');
  });

  it('is overdue although a suspension ended while the clock was a year ahead (SNAP-T6)', async () => {
    const world = await started({ suspend: true });
    world.change({ suspend: false });
    await at(world, '2027-05-01T00:30:00Z');
    await at(world, '01:00:00');
    await at(world, '04:30:00');
    expect(conditions(world)['Overdue']).toBe('True NoGoodSnapshot');
  });

  it('reports it once, whenever the process is killed', async () => {
    for (const when of ['before', 'after'] as const) {
      const world = await started();
      world.killAt(4, when);
      await at(world, '03:00:01');
      await at(world, '03:00:02');
      expect(conditions(world)['Overdue']).toBe('True NoGoodSnapshot');
      expect(types(found(world))).toEqual(['schedule.overdue']);
    }
  });
});

describe('the notifications of rehearsals', () => {
  it.each(['no orders', 'no orders.'])(
    'end the message %j of a restore with one full stop',
    async (message) => {
      const world = await backedUp();
      await at(world, '01:20:00');
      const failure = { reason: 'CheckFailed', message, at: '2026-05-01T01:21:00Z' };
      world.endRestore(rehearsalAt(1), { ...BROKEN, failure });
      await at(world, '01:30:00');
      expect(notified(world).at(-1)?.message).toContain('CheckFailed: no orders. Run `kubectl ');
    },
  );

  it('are opened by one that failed, and cleared by the next that passes', async () => {
    const world = await backedUp();
    await at(world, '01:20:00');
    world.endRestore(rehearsalAt(1), BROKEN);
    await at(world, '01:30:00');
    const { uid } = world.schedule.metadata ?? {};
    const failed = notified(world).at(-1);
    expect(failed).toEqual({
      id: `${uid}/rehearsal/2026-05-01T01:20:00Z/Failed`,
      type: 'rehearsal.failed',
      problem: 'rehearsal/shop/nightly',
      state: 'open',
      message:
        'The rehearsal of SnapshotSchedule shop/nightly of 2026-05-01T01:20:00Z did not pass (Failed): CheckFailed: no orders. Run `kubectl describe snapshotschedule nightly -n shop`.',
    });
    // The schedule reports the rehearsal; its restore reports nothing.
    expect(found(world, '2026-06-01T00:00:00Z')).toEqual([failed]);
    expect(types(found(world))).toEqual(['schedule.recovered', 'rehearsal.failed']);
    await at(world, '02:20:00');
    world.endRestore(rehearsalAt(2), PASSED);
    await at(world, '02:30:00');
    expect(notified(world).at(-1)).toMatchObject({
      id: `${uid}/rehearsal/2026-05-01T02:20:00Z/Passed`,
      type: 'rehearsal.passed',
      problem: 'rehearsal/shop/nightly',
      state: 'clear',
    });
  });

  it('are opened by one that could not run', async () => {
    const world = await backedUp({ startingDeadlineSeconds: 60 });
    await at(world, '01:40:00');
    expect(notified(world).at(-1)).toMatchObject({ type: 'rehearsal.failed', state: 'open' });
  });
});
