import { describe, expect, it } from 'vitest';

import { PageClock } from './page-clock.ts';

function newClock() {
  const world = { hereMs: 100 };
  const clock = new PageClock({ monotonicMs: () => world.hereMs });
  clock.sync(50_000);
  return { world, clock };
}

describe('the clock of the page', () => {
  it('counts on from the time that the server sent', () => {
    const { world, clock } = newClock();
    world.hereMs += 70;
    expect(clock.moment()).toEqual({ nowMs: 50_070, isStopped: false });
  });

  it('stops at the last known state, however often it is stopped after that', () => {
    const { world, clock } = newClock();
    world.hereMs += 5_000;
    clock.stop(130);
    clock.stop(4_000);
    world.hereMs += 5_000;
    expect(clock.moment()).toEqual({ nowMs: 50_030, isStopped: true });
  });

  it('shows the time of a newer state while it is stopped', () => {
    const { world, clock } = newClock();
    clock.stop(100);
    world.hereMs += 900;
    clock.sync(60_000);
    world.hereMs += 900;
    expect(clock.moment()).toEqual({ nowMs: 60_000, isStopped: true });
  });

  it('shows the present time again after a new start', () => {
    const { world, clock } = newClock();
    clock.stop(100);
    world.hereMs += 900;
    clock.start();
    expect(clock.moment()).toEqual({ nowMs: 50_900, isStopped: false });
  });
});
