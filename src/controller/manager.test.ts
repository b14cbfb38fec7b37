import { beforeEach, describe, expect, it } from 'vitest';

import { type Widget, widgets } from '../../test/sim/controller/sample-controller.ts';
import { SimBench } from '../../test/sim/controller/sim-bench.ts';
import { makeSimWatch, noWatchFaults } from '../../test/sim/controller/sim-watch.ts';
import { Random } from '../../test/sim/random.ts';
import { whenAborted } from '../platform/linked-signal.ts';
import { type Controller, type ControllerOptions, makeController } from './controller.ts';
import { ownKey } from './indexes.ts';
import type { Leadership } from './leadership.ts';
import { LeaseElection } from './lease.ts';
import { type ManagerOptions, runManager } from './manager.ts';
import { done, requeueAfter } from './reconcile.ts';
import { SharedInformers } from './shared-informers.ts';
import { watched } from './source.ts';

let bench: SimBench;
let informers: SharedInformers;
let stop: AbortController;
let said: string[];

const say = (text: string): void => {
  said.push(`${Math.round(bench.world.elapsedMs)} ${text}`);
};

const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    bench.host.timers.after(ms, resolve);
  });

const make = (name: string): Widget =>
  bench.api.create(widgets, { metadata: { namespace: 'ns', name } }) as Widget;

function controller(
  reconcile: ControllerOptions['reconcile'],
  more: Partial<ControllerOptions> = {},
): Controller {
  return makeController({
    name: 'sample',
    platform: bench.host,
    random: () => 1,
    sources: [watched({ informer: informers.of(widgets), keys: ownKey })],
    reconcile,
    ...more,
  });
}

const manage = (
  controllers: readonly Controller[],
  election: ManagerOptions['election'] = null,
): Promise<void> => runManager({ informers, controllers, election, signal: stop.signal });

beforeEach(() => {
  bench = new SimBench();
  stop = new AbortController();
  said = [];
  const { api, host } = bench;
  const faults = (): typeof noWatchFaults => noWatchFaults;
  informers = new SharedInformers({
    watch: makeSimWatch({ api, host, random: new Random(1), faults }),
  });
});

describe('runManager', () => {
  it('CTRL-C1: starts no reconcile before the caches have synced, then reconciles every object', async () => {
    make('a');
    make('b');
    const keys: string[] = [];
    const early: string[] = [];
    const sample = controller(async (key) => {
      if (!informers.of(widgets).hasSynced) early.push(key);
      keys.push(key);
      return done;
    });
    // The test does not use the manager, which waits for the caches too.
    const { signal } = stop;
    const running = Promise.all([
      sample.run({ stop: signal, leadership: null }),
      informers.run(signal),
    ]);
    await bench.pass(1_000);
    expect(keys).toEqual(['ns/a', 'ns/b']);
    make('c');
    await bench.pass(1_000);
    expect([keys.slice(2), early]).toEqual([['ns/c'], []]);
    stop.abort();
    await bench.until(running);
  });

  it('CTRL-M1: waits for the Lease only after the caches have synced', async () => {
    make('a');
    const synced: boolean[] = [];
    const election: ManagerOptions['election'] = {
      acquire: async (signal) => {
        synced.push(informers.of(widgets).hasSynced);
        await whenAborted(signal);
        return null;
      },
    };
    const running = manage([controller(async () => done)], election);
    await bench.pass(1_000);
    expect(synced).toEqual([true]);
    stop.abort();
    await bench.until(running);
  });

  it('CTRL-C3, CTRL-C4: waits for running reconciles when it is stopped, and starts no more', async () => {
    make('a');
    make('b');
    const running = manage([
      controller(
        async (key, { signal }) => {
          await wait(5_000);
          say(`${key} ${signal.aborted ? 'told to end' : 'in peace'}`);
          return done;
        },
        { workers: 1 },
      ),
    ]);
    await bench.pass(1_000);
    stop.abort();
    await bench.until(running);
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(/ns\/a in peace$/);
  });

  it('CTRL-C3: aborts reconciles that take longer than the drain', async () => {
    make('a');
    const running = manage([
      controller(
        async (_key, { signal }) => {
          await new Promise<void>((resolve) => {
            signal.addEventListener('abort', resolve);
          });
          return done;
        },
        { drainMs: 2_000 },
      ),
    ]);
    await bench.pass(1_000);
    stop.abort();
    await bench.until(running);
    expect(bench.world.elapsedMs).toBe(3_000);
  });

  it('CTRL-C2, CTRL-M4: aborts the reconciles of a lost term, and begins the next term with all keys', async () => {
    make('a');
    make('b');
    const tokens: (number | undefined)[] = [];
    const forbidden: string[] = [];
    const lease = new LeaseElection({
      client: bench.client,
      namespace: 'system',
      name: 'sample',
      identity: 'me',
      platform: bench.host,
      random: () => 0,
    });
    const running = manage(
      [
        controller(async (key, { token, mayAct }) => {
          if (!mayAct()) forbidden.push(key);
          if (key === 'ns/a') tokens.push(token?.transitions);
          return requeueAfter(60_000, 'nothing');
        }),
      ],
      lease,
    );
    await bench.pass(5_000);
    expect(tokens).toEqual([0]);
    bench.host.cutOffFor(30_000);
    await bench.pass(60_000);
    expect([tokens, forbidden]).toEqual([[0, 1], []]);
    stop.abort();
    await bench.until(running);
  });

  it('CTRL-M2, CTRL-M3: releases the Lease after the last reconcile, and stops the caches after that', async () => {
    make('a');
    const election = {
      acquire: async (): Promise<Leadership> => ({
        token: { leaseUid: 'x', transitions: 0 },
        signal: new AbortController().signal,
        isProven: () => true,
        release: async () => {
          await wait(100);
          say('released');
        },
      }),
    };
    informers.of(widgets).listen(({ key }) => {
      say(`seen ${key}`);
    });
    const running = manage(
      [
        controller(async () => {
          await wait(3_000);
          say('passed');
          return done;
        }),
      ],
      election,
    );
    await bench.pass(1_000);
    stop.abort();
    await bench.pass(1_000);
    make('late');
    await bench.until(running);
    expect(said.map((line) => line.replace(/^\d+ /, ''))).toEqual([
      'seen ns/a',
      'seen ns/late',
      'passed',
      'released',
    ]);
  });

  it('CTRL-M5: stops the other controllers when one fails, and rejects with its error', async () => {
    for (const name of ['a', 'b', 'c']) make(name);
    const other = controller(async () => {
      await wait(1_000);
      say('other passed');
      return done;
    });
    const full = controller(async () => wait(60_000).then(() => done), {
      maxKeys: 2,
      drainMs: 0,
      workers: 1,
    });
    const failing = manage([other, full]);
    await expect(bench.until(failing)).rejects.toThrow('LHK101');
    expect(stop.signal.aborted).toBe(false);
  });

  it('CTRL-M5: stops everything and rejects when a cache fails', async () => {
    const broken = new SharedInformers({
      watch: async function* () {
        yield { type: 'Synced', resourceVersion: '1' };
        await wait(1_000);
        throw new Error('the watch is broken');
      },
    });
    informers = broken;
    const running = manage([controller(async () => done)]);
    await expect(bench.until(running)).rejects.toThrow('the watch is broken');
  });

  it('stops while it still waits for its caches or for the Lease', async () => {
    const never: ManagerOptions['election'] = {
      acquire: (signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            resolve(null);
          });
        }),
    };
    const waiting = manage([controller(async () => done)], never);
    await bench.pass(1_000);
    stop.abort();
    await bench.until(waiting);
    bench = new SimBench();
    informers = new SharedInformers({
      watch: async function* ({ signal }) {
        yield { type: 'Relisting' };
        await new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => {
            resolve();
          });
        });
      },
    });
    stop = new AbortController();
    const syncing = manage([controller(async () => done)]);
    await bench.pass(1_000);
    stop.abort();
    await bench.until(syncing);
  });
});

describe('SharedInformers', () => {
  it('shares one informer per resource and scope', () => {
    const all = informers.of(widgets);
    expect(informers.of(widgets, { indexes: { own: ownKey } })).toBe(all);
    expect(informers.of(widgets, { scope: { namespace: 'ns' } })).not.toBe(all);
    expect(all.byIndex('own', 'x')).toEqual([]);
  });
});
