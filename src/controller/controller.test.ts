import { getEventListeners } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';

import { deferred, type Deferred } from '../../test/fixtures/deferred.ts';
import { World } from '../../test/sim/world.ts';
import { makeController } from './controller.ts';
import { done } from './reconcile.ts';
import type { Source } from './source.ts';

let world: World;
let synced: Deferred<undefined>;
let reconciled: string[];
/** Number of listeners that the source has now. */
let listeners: number;
let stop: AbortController;
let term: AbortController;

/** A controller with one key, whose source has not synced yet. */
function start(): Promise<void> {
  const source: Source = {
    synced: () => synced.promise,
    listen: (enqueue) => {
      enqueue('a');
      listeners += 1;
      return () => {
        listeners -= 1;
      };
    },
  };
  const controller = makeController({
    name: 'sample',
    sources: [source],
    platform: { clock: world.clockOf(), timers: world.timersOf(world.spawn()) },
    random: () => 1,
    reconcile: async (key) => {
      reconciled.push(key);
      return done;
    },
  });
  const leadership = {
    token: { leaseUid: 'u', transitions: 0 },
    signal: term.signal,
    isProven: () => true,
    release: async () => {},
  };
  return controller.run({ stop: stop.signal, leadership });
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
};

beforeEach(() => {
  world = new World();
  synced = deferred();
  reconciled = [];
  listeners = 0;
  stop = new AbortController();
  term = new AbortController();
});

describe('a controller', () => {
  it('CTRL-C1: reconciles no key before its sources have synced', async () => {
    const running = start();
    await settle();
    expect(reconciled).toEqual([]);
    synced.resolve(undefined);
    await settle();
    expect(reconciled).toEqual(['a']);
    stop.abort();
    await running;
  });

  it('leaves no listener on the signals of its term: the process may lead again', async () => {
    const signals = [stop.signal, term.signal];
    const running = start();
    synced.resolve(undefined);
    await settle();
    expect(listeners).toBe(1);
    expect(signals.map((signal) => getEventListeners(signal, 'abort').length)).toEqual([1, 1]);
    term.abort();
    await running;
    expect(listeners).toBe(0);
    expect(signals.map((signal) => getEventListeners(signal, 'abort').length)).toEqual([0, 0]);
  });

  it('CTRL-C3: reconciles no key if it is stopped before its sources have synced', async () => {
    const running = start();
    await settle();
    stop.abort();
    await running;
    expect(reconciled).toEqual([]);
  });

  it('CTRL-C3: reconciles no key if its term ends before its sources have synced', async () => {
    const running = start();
    await settle();
    term.abort();
    await running;
    expect(reconciled).toEqual([]);
  });
});
