import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';

import { World } from '../../test/sim/world.ts';
import { WorkQueue, type WorkQueueOptions } from './work-queue.ts';

let world: World;

const queueWith = (more: Partial<WorkQueueOptions> = {}): WorkQueue =>
  new WorkQueue({
    name: 'sample',
    platform: { clock: world.clockOf(), timers: world.timersOf(world.spawn()) },
    random: () => 1,
    backoff: { firstMs: 100, maxMs: 1_000 },
    ...more,
  });

const pass = async (ms: number): Promise<void> => {
  let over = false;
  world.after(ms, () => (over = true));
  await world.runUntil(() => over, 10_000);
};

/** Takes a key; `got` is undefined while the worker waits for one. */
function taking(queue: WorkQueue): { got: string | null | undefined } {
  const hand: { got: string | null | undefined } = { got: undefined };
  void queue.take().then((key) => (hand.got = key));
  return hand;
}

beforeEach(() => {
  world = new World();
});

describe('WorkQueue', () => {
  it('CTRL-Q1: hands out a key once, however often it was added', async () => {
    const queue = queueWith();
    for (const key of ['a', 'b', 'a', 'a']) queue.add(key);
    expect([await queue.take(), await queue.take()]).toEqual(['a', 'b']);
    const third = taking(queue);
    await pass(1);
    expect(third.got).toBeUndefined();
  });

  it('CTRL-Q2: hands out a key again after it is done if it was added in the meantime', async () => {
    const queue = queueWith();
    queue.add('a');
    await queue.take();
    queue.add('a');
    const second = taking(queue);
    await pass(1);
    expect(second.got).toBeUndefined();
    queue.done('a');
    await pass(1);
    expect(second.got).toBe('a');
  });

  it('CTRL-Q5: hands out urgent keys first, also keys that became urgent while they waited', async () => {
    const urgent = new Set(['u', 'v']);
    const queue = queueWith({ isUrgent: (key) => urgent.has(key), maxKeys: 5 });
    for (const key of ['a', 'b', 'u', 'c', 'v']) queue.add(key);
    urgent.add('b');
    for (const key of ['b', 'u', 'c']) queue.add(key);
    expect(queue.depth).toBe(5);
    const taken = [1, 2, 3, 4, 5].map(() => queue.take());
    expect(await Promise.all(taken)).toEqual(['u', 'v', 'b', 'a', 'c']);
  });

  it('CTRL-Q4: uses the earliest of several delays', async () => {
    const queue = queueWith();
    queue.addAfter('a', 500);
    queue.addAfter('a', 100);
    queue.addAfter('a', 900);
    const hand = taking(queue);
    await pass(99);
    expect(hand.got).toBeUndefined();
    await pass(1);
    expect(hand.got).toBe('a');
    queue.done('a');
    const again = taking(queue);
    await pass(1_000);
    expect(again.got).toBeUndefined();
  });

  it('CTRL-R4: doubles the backoff of a failing key up to the maximum, until the key is forgotten', () => {
    const queue = queueWith();
    const pauses = [1, 2, 3, 4, 5, 6].map(() => queue.retry('a'));
    expect(pauses).toEqual([100, 200, 400, 800, 1_000, 1_000]);
    expect(queue.retry('b')).toBe(100);
    queue.forget('a');
    expect(queue.retry('a')).toBe(100);
    expect(queue.retry('a', 30_000)).toBe(30_000);
  });

  it('refuses a key beyond the limit, with an error that names queue and key', () => {
    const queue = queueWith({ maxKeys: 2 });
    queue.add('a');
    queue.addAfter('b', 1_000);
    queue.add('a');
    queue.addAfter('b', 500);
    expect(() => {
      queue.add('c');
    }).toThrow(/LHK101.*sample.*at most 2 keys.*cannot add c/);
  });

  it('drops waiting keys on shutDown("drop"), and waits for the keys being processed', async () => {
    const queue = queueWith();
    queue.add('a');
    queue.add('b');
    queue.addAfter('c', 10);
    await queue.take();
    let shut = false;
    void queue.shutDown('drop').then(() => (shut = true));
    queue.add('d');
    expect(await queue.take()).toBe(null);
    await pass(100);
    expect(shut).toBe(false);
    queue.done('a');
    await pass(1);
    expect(shut).toBe(true);
  });

  it('hands out waiting keys on shutDown("finish"), also keys added again in the meantime', async () => {
    const queue = queueWith();
    queue.add('a');
    queue.add('b');
    await queue.take();
    queue.add('a');
    let shut = false;
    void queue.shutDown('finish').then(() => (shut = true));
    expect(await queue.take()).toBe('b');
    queue.done('b');
    queue.done('a');
    expect(await queue.take()).toBe('a');
    await pass(1);
    expect(shut).toBe(false);
    queue.done('a');
    await pass(1);
    expect([shut, await queue.take()]).toEqual([true, null]);
  });
});

/** The contract of the queue, implemented with plain lists. */
interface Model {
  ready: string[];
  inHand: Set<string>;
  again: Set<string>;
  delayed: Map<string, number>;
  failures: Map<string, number>;
  nowMs: number;
}

interface Real {
  queue: WorkQueue;
}

type Command = fc.AsyncCommand<Model, Real>;

/** Runs a command, then checks that the queue has as many keys as the model. */
function command(given: Command): Command {
  return {
    check: (model) => given.check(model),
    run: async (model, real) => {
      await given.run(model, real);
      expect(real.queue.depth).toBe(model.ready.length + model.again.size);
      expect(new Set(real.queue.inHand)).toEqual(model.inHand);
    },
    toString: () => given.toString(),
  };
}

function addTo(model: Model, key: string): void {
  if (model.inHand.has(key)) model.again.add(key);
  else if (!model.ready.includes(key)) model.ready.push(key);
}

function delay(model: Model, key: string, ms: number): void {
  const atMs = model.nowMs + ms;
  if ((model.delayed.get(key) ?? Infinity) <= atMs) return;
  // Of two keys whose delays end at the same moment, the one that was delayed first is ready first.
  model.delayed.delete(key);
  model.delayed.set(key, atMs);
}

const always = (): boolean => true;
const keys = fc.constantFrom('a', 'b', 'c', 'd');

const add = keys.map((key): Command =>
  command({
    check: always,
    run: async (model, { queue }) => {
      addTo(model, key);
      queue.add(key);
    },
    toString: () => `add ${key}`,
  }),
);

const addAfter = fc.tuple(keys, fc.integer({ min: 1, max: 50 })).map(([key, ms]): Command =>
  command({
    check: always,
    run: async (model, { queue }) => {
      delay(model, key, ms);
      queue.addAfter(key, ms);
    },
    toString: () => `add ${key} after ${ms}`,
  }),
);

const retryKey = keys.map((key): Command =>
  command({
    check: always,
    run: async (model, { queue }) => {
      const failures = (model.failures.get(key) ?? 0) + 1;
      model.failures.set(key, failures);
      const pauseMs = Math.min(1_000, 100 * 2 ** (failures - 1));
      delay(model, key, pauseMs);
      expect(queue.retry(key)).toBe(pauseMs);
    },
    toString: () => `retry ${key}`,
  }),
);

const take: Command = command({
  check: (model) => model.ready.length > 0,
  run: async (model, { queue }) => {
    const key = model.ready.shift() ?? '';
    model.inHand.add(key);
    expect(await queue.take()).toBe(key);
  },
  toString: () => 'take',
});

const doneWith = keys.map((key): Command =>
  command({
    check: (model) => model.inHand.has(key),
    run: async (model, { queue }) => {
      model.inHand.delete(key);
      if (model.again.delete(key)) model.ready.push(key);
      queue.done(key);
    },
    toString: () => `done ${key}`,
  }),
);

const forget = keys.map((key): Command =>
  command({
    check: always,
    run: async (model, { queue }) => {
      model.failures.delete(key);
      queue.forget(key);
    },
    toString: () => `forget ${key}`,
  }),
);

const wait = fc.integer({ min: 1, max: 80 }).map((ms): Command =>
  command({
    check: always,
    run: async (model) => {
      model.nowMs += ms;
      const due = [...model.delayed].filter(([, atMs]) => atMs <= model.nowMs);
      for (const [key] of due.toSorted((a, b) => a[1] - b[1])) {
        model.delayed.delete(key);
        addTo(model, key);
      }
      // Waits half a millisecond longer, so that keys whose delay ends at this moment are ready.
      await pass(ms);
    },
    toString: () => `wait ${ms}`,
  }),
);

describe('WorkQueue and its model', () => {
  it('CTRL-Q1, CTRL-Q2, CTRL-Q3, CTRL-Q4, CTRL-Q5: hands out the same keys in the same order as its model', async () => {
    const commands = fc.commands(
      [add, addAfter, retryKey, fc.constant(take), doneWith, forget, wait],
      { maxCommands: 80, size: 'max' },
    );
    await fc.assert(
      fc.asyncProperty(commands, async (list) => {
        await fc.asyncModelRun(() => {
          world = new World();
          const model: Model = {
            ready: [],
            inHand: new Set(),
            again: new Set(),
            delayed: new Map(),
            failures: new Map(),
            nowMs: 0,
          };
          return { model, real: { queue: queueWith() } };
        }, list);
      }),
      { numRuns: 150 },
    );
  });
});
