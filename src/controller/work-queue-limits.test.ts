/** The counts, limits and pauses of a queue: CTRL-Q3, CTRL-Q4, CTRL-Q5 and CTRL-R5. */
import { beforeEach, describe, expect, it } from 'vitest';

import { World } from '../../test/sim/world.ts';
import { WorkQueue, type WorkQueueOptions } from './work-queue.ts';

let world: World;

const queueWith = (more: Partial<WorkQueueOptions> = {}): WorkQueue =>
  new WorkQueue({
    name: 'sample',
    platform: { clock: world.clockOf(), timers: world.timersOf(world.spawn()) },
    random: () => 1,
    ...more,
  });

const pass = async (ms: number): Promise<void> => {
  let over = false;
  world.after(ms, () => (over = true));
  await world.runUntil(() => over, 10_000);
};

beforeEach(() => {
  world = new World();
});

describe('a delay', () => {
  it.each([0, -1])('of %i ms makes its key ready at once', async (ms) => {
    const queue = queueWith();
    queue.addAfter('a', ms);
    expect(queue.depth).toBe(1);
    expect(await queue.take()).toBe('a');
  });

  it('is forgotten once the queue is shut', async () => {
    const queue = queueWith();
    await queue.shutDown('finish');
    queue.addAfter('a', 10);
    queue.add('b');
    await pass(100);
    expect([queue.depth, await queue.take()]).toEqual([0, null]);
  });

  it('LHK101: counts as one key, however often it is given', () => {
    const queue = queueWith({ maxKeys: 1 });
    queue.addAfter('a', 50);
    queue.addAfter('a', 10);
    queue.add('a');
    expect(() => {
      queue.add('b');
    }).toThrow('LHK101');
  });
});

describe('the end of a delay', () => {
  it('makes its key ready also in a full queue', async () => {
    const queue = queueWith({ maxKeys: 2 });
    queue.addAfter('a', 10);
    queue.add('b');
    queue.addAfter('b', 1_000);
    await pass(20);
    expect(await queue.take()).toBe('b');
    expect(await queue.take()).toBe('a');
  });
});

describe('the limit of a queue', () => {
  const full =
    /LHK101: The controller sample holds at most 3 keys at a time, and its queue is full: it cannot add d\. Next: Watch fewer objects/;

  it('LHK101: counts keys that are ready, urgent, delayed and in hand', async () => {
    for (const urgent of [true, false]) {
      const queue = queueWith({ maxKeys: 3, isUrgent: () => urgent });
      queue.add('a');
      await queue.take();
      queue.add('b');
      queue.addAfter('c', 10);
      expect(() => {
        queue.add('d');
      }).toThrow(full);
      queue.done('a');
      expect(() => {
        queue.add('d');
      }).not.toThrow();
    }
  });
});

describe('CTRL-Q5: the order of a queue', () => {
  it('keeps the place of an urgent key that is added again', async () => {
    const queue = queueWith({ isUrgent: (key) => key !== 'a' });
    for (const key of ['a', 'u', 'v', 'u']) queue.add(key);
    expect(queue.depth).toBe(3);
    expect([await queue.take(), await queue.take(), await queue.take()]).toEqual(['u', 'v', 'a']);
  });

  it('keeps an urgent key urgent, although it is not any more when it is added again', async () => {
    let urgent = true;
    const queue = queueWith({ isUrgent: (key) => key === 'u' && urgent });
    for (const key of ['a', 'u']) queue.add(key);
    urgent = false;
    queue.add('u');
    expect(queue.depth).toBe(2);
    expect([await queue.take(), await queue.take()]).toEqual(['u', 'a']);
  });
});

describe('shutDown', () => {
  it('waits for urgent keys, and for every key in hand', async () => {
    const queue = queueWith({ isUrgent: (key) => key === 'u' });
    for (const key of ['a', 'u', 'b']) queue.add(key);
    expect([await queue.take(), await queue.take()]).toEqual(['u', 'a']);
    let isOver = false;
    const ending = queue.shutDown('finish').then(() => (isOver = true));
    queue.done('u');
    await pass(1);
    expect([isOver, await queue.take(), queue.inHand]).toEqual([false, 'b', ['a', 'b']]);
    queue.done('a');
    await pass(1);
    expect(isOver).toBe(false);
    queue.done('b');
    await ending;
    expect(isOver).toBe(true);
  });
});

describe('a retry', () => {
  it('CTRL-R5: retries an urgent key by its own pause, others after the pause of the server', () => {
    const queue = queueWith({ isUrgent: (key) => key === 'u' });
    expect([queue.retry('a', 18_000), queue.retry('u', 18_000)]).toEqual([18_000, 100]);
  });
});
