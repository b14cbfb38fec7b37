import { expect, it } from 'vitest';

import { sleep } from '../../src/platform/sleep.ts';
import { World } from './world.ts';

it('ends a wait for no time that is repeated for ever', async () => {
  const world = new World();
  const timers = world.timersOf(world.spawn());
  const repeat = async (): Promise<void> => {
    for (;;) await sleep(timers, 0);
  };
  world.after(1_500, () => void repeat());
  expect(await world.runUntil(() => false, Infinity)).toBe(true);
  expect(world.violation).toEqual({
    invariant: 'run',
    message: expect.stringMatching(
      /^more than 20000 events at one moment, 1500 ms after the start\. /,
    ),
  });
});

it('ends a loop that looks at the clock and waits for nothing', async () => {
  const world = new World();
  const clock = world.clockOf();
  let thrown = '';
  const repeat = async (): Promise<void> => {
    while (clock.monotonicMs() < 2_000) await Promise.resolve();
  };
  world.after(1_500, () => {
    repeat().catch((error: unknown) => (thrown = String(error)));
  });
  expect(await world.runUntil(() => false, Infinity)).toBe(true);
  expect(world.violation?.invariant).toBe('run');
  expect(world.violation?.message).toContain('looks at the clock at one moment, 1500 ms');
  expect(thrown).toContain('waits at one moment without an end');
});

it('runs any number of events when time advances between them', async () => {
  const world = new World();
  for (let event = 0; event < 30_000; event += 1) world.after(event / 2, () => undefined);
  await world.runUntil(() => false, Infinity);
  expect(world.violation).toBeNull();
});
