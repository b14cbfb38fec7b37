import { beforeEach, describe, expect, it } from 'vitest';

import { World } from '../../test/sim/world.ts';
import { ApiError } from '../kube/api-error.ts';
import type { ControllerEvent } from './controller-event.ts';
import type { Leadership } from './leadership.ts';
import {
  done,
  type Outcome,
  type PassContext,
  requeueAfter,
  retry,
  terminal,
} from './reconcile.ts';
import { runWorkers } from './controller.ts';
import { WorkQueue } from './work-queue.ts';

let world: World;
let queue: WorkQueue;
let events: ControllerEvent[];

const elapsed = (): number => Math.round(world.elapsedMs);

const pass = async (ms: number): Promise<void> => {
  let over = false;
  world.after(ms, () => (over = true));
  await world.runUntil(() => over, 10_000);
};

const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    world.after(ms, resolve);
  });

/** Starts workers, which reconcile each key with this function. */
function start(
  reconcile: (key: string, context: PassContext) => Promise<Outcome>,
  { workers = 1, leadership = null }: { workers?: number; leadership?: Leadership | null } = {},
): { stop: () => Promise<void>; ending: AbortController } {
  const platform = { clock: world.clockOf(), timers: world.timersOf(world.spawn()) };
  queue = new WorkQueue({
    name: 'sample',
    platform,
    random: () => 1,
    backoff: { firstMs: 100, maxMs: 1_000 },
  });
  const ending = new AbortController();
  const running = runWorkers({
    controller: 'sample',
    queue,
    reconcile,
    workers,
    passTimeoutMs: 5_000,
    platform,
    leadership,
    signal: ending.signal,
    observe: (event) => events.push(event),
  });
  const stop = async (): Promise<void> => {
    await queue.shutDown('drop');
    await running;
  };
  return { stop, ending };
}

/**
 * Returns the times at which the reconciles of one key began. The first reconciles return `outcomes` in order; all
 * later ones return `done`.
 */
async function begins(...outcomes: readonly (() => Outcome)[]): Promise<number[]> {
  const begun: number[] = [];
  start(async () => {
    begun.push(elapsed());
    return outcomes[begun.length - 1]?.() ?? done;
  });
  queue.add('a');
  await pass(60_000);
  return begun;
}

beforeEach(() => {
  world = new World();
  events = [];
});

describe('the outcomes of a reconcile', () => {
  it('done: does not reconcile until the key is added again', async () => {
    expect(await begins(() => done)).toEqual([0]);
  });

  it('requeueAfter: reconciles once more after the given delay', async () => {
    expect(await begins(() => requeueAfter(7_000, 'a deadline'))).toEqual([0, 7_000]);
  });

  it('retry: reconciles again after a backoff that doubles (CTRL-R4)', async () => {
    const failing = (): Outcome => retry(new Error('no'));
    expect(await begins(failing, failing, failing)).toEqual([0, 100, 300, 700]);
  });

  it('CTRL-R3: retries a reconcile that throws', async () => {
    const throwing = (): Outcome => {
      throw new Error('no');
    };
    expect(await begins(throwing)).toEqual([0, 100]);
  });

  it('retry: waits for the Retry-After of the server (CTRL-R5)', async () => {
    const busy = new ApiError(429, { message: 'too many requests' }, 3);
    expect(await begins(() => retry(busy))).toEqual([0, 3_000]);
  });

  it('terminal: does not reconcile again, and resets the failure count', async () => {
    expect(
      await begins(
        () => retry(new Error('no')),
        () => terminal(new Error('never')),
      ),
    ).toEqual([0, 100]);
    expect(queue.failures('a')).toBe(0);
  });

  it('requeueAfter: resets the failure count (CTRL-R4)', async () => {
    const failing = (): Outcome => retry(new Error('no'));
    const asked = await begins(failing, failing, () => requeueAfter(1_000, 'later'), failing);
    expect(asked).toEqual([0, 100, 300, 1_300, 1_400]);
  });
});

describe('runWorkers', () => {
  it('CTRL-R1: reconciles several keys in parallel, but never one key twice', async () => {
    let most = 0;
    const inHand: string[] = [];
    const twice: string[] = [];
    const worker = start(
      async (key) => {
        if (inHand.includes(key)) twice.push(key);
        inHand.push(key);
        most = Math.max(most, inHand.length);
        await wait(10);
        inHand.splice(inHand.indexOf(key), 1);
        return done;
      },
      { workers: 3 },
    );
    for (const key of ['a', 'b', 'a', 'c', 'b']) queue.add(key);
    await pass(5);
    for (const key of ['a', 'b', 'c']) queue.add(key);
    await pass(100);
    await worker.stop();
    expect([most, inHand, twice]).toEqual([3, [], []]);
  });

  it('CTRL-R2, CTRL-R6: aborts a reconcile at its timeout, and withholds its key until it has returned', async () => {
    const began: number[] = [];
    const aborted: boolean[] = [];
    start(
      async (_key, { signal }) => {
        began.push(elapsed());
        await wait(8_000);
        aborted.push(signal.aborted);
        return done;
      },
      { workers: 2 },
    );
    queue.add('a');
    await pass(6_000);
    queue.add('a');
    await pass(1_000);
    expect(began).toEqual([0]);
    expect(events.map(({ type }) => type)).toEqual(['PassStarted', 'PassOverdue']);
    await pass(1_500);
    expect([began, aborted]).toEqual([[0, 8_000], [true]]);
  });

  it('aborts reconciles when the term ends', async () => {
    let reported = -1;
    const { ending } = start(async (_key, { signal }) => {
      signal.addEventListener('abort', () => (reported = elapsed()));
      await wait(1_000);
      return done;
    });
    queue.add('a');
    await pass(300);
    ending.abort();
    expect(reported).toBe(300);
  });

  it('reports the outcome of each reconcile, and counts the attempts', async () => {
    const attempts: number[] = [];
    start(async (_key, { attempt }) => {
      attempts.push(attempt);
      await wait(20);
      return attempts.length < 3 ? retry('no') : requeueAfter(50_000, 'later');
    });
    queue.add('a');
    await pass(1_000);
    expect(attempts).toEqual([1, 2, 3]);
    const ended = events.filter((event) => event.type === 'PassEnded');
    expect(
      ended.map(({ outcome, durationMs, againInMs }) => [outcome.kind, durationMs, againInMs]),
    ).toEqual([
      ['retry', 20, 100],
      ['retry', 20, 200],
      ['requeueAfter', 20, 50_000],
    ]);
  });

  it('requeues no key that is done', async () => {
    start(async () => done);
    queue.add('a');
    await pass(10);
    expect(events).toMatchObject([
      { type: 'PassStarted' },
      { type: 'PassEnded', againInMs: null, depth: 0 },
    ]);
  });

  it('reports no reconcile as overdue that has ended in time', async () => {
    start(async () => done);
    queue.add('a');
    await pass(6_000);
    expect(events.map(({ type }) => type)).toEqual(['PassStarted', 'PassEnded']);
  });

  it('may always act if there is no Lease', async () => {
    const seen: unknown[] = [];
    start(async (_key, { token, mayAct }) => {
      seen.push(token, mayAct());
      return done;
    });
    queue.add('a');
    await pass(10);
    expect(seen).toEqual([null, true]);
  });

  it('may act under a Lease only while no other process can have it', async () => {
    const token = { leaseUid: 'u', transitions: 3 };
    const signal = new AbortController().signal;
    let isProven = true;
    const leadership = { token, signal, isProven: () => isProven, release: async () => {} };
    const seen: unknown[] = [];
    start(
      async (_key, context) => {
        seen.push(context.token, context.mayAct());
        isProven = false;
        seen.push(context.mayAct());
        return done;
      },
      { leadership },
    );
    queue.add('a');
    await pass(10);
    expect(seen).toEqual([token, true, false]);
  });

  it('continues when its event listener throws', async () => {
    const passes: string[] = [];
    const worker = start(async (key) => {
      passes.push(key);
      return done;
    });
    events.push = () => {
      throw new Error('broken log');
    };
    queue.add('a');
    queue.add('b');
    await pass(10);
    await worker.stop();
    expect(passes).toEqual(['a', 'b']);
  });
});
