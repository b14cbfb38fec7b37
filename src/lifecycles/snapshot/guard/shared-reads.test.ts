import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';

import { GuardBench } from '../../../../test/fixtures/snapshot/guard-bench.ts';
import { creationOf, sampleWindow } from '../../../../test/fixtures/snapshot/guard-samples.ts';
import { silence } from '../../../../test/sim/controller/silence.ts';
import { SimBench } from '../../../../test/sim/controller/sim-bench.ts';
import type { Listener } from '../../../controller/informer.ts';
import { keyOf } from '../../../controller/object-key.ts';
import { type ApplicationSnapshot, applicationSnapshots } from '../kinds.ts';
import { guardJudge, SharedReads } from './guard-world.ts';
import { CALL_MS, POLL_WITH_CACHE_MS } from './limits.ts';

const never = new AbortController().signal;

/** A window on the server, and the cache of a process. The test fills the cache itself. */
async function stand() {
  const bench = new SimBench();
  const window = await bench.until(bench.client.create(applicationSnapshots, sampleWindow(1)));
  let reads = 0;
  const failures: Error[] = [];
  let isSilent = false;
  const client = {
    get: (...args: Parameters<typeof bench.client.get>) => {
      reads += 1;
      if (isSilent) return silence(bench.host, args[2]);
      for (const failure of failures.splice(0)) return Promise.reject(failure);
      return bench.client.get(...args);
    },
  } as typeof bench.client;
  let cached: ApplicationSnapshot = window;
  let listener: Listener<ApplicationSnapshot> = () => {};
  const cache = {
    get: () => cached,
    listen: (listen: Listener<ApplicationSnapshot>) => {
      listener = listen;
      return () => {};
    },
  };
  const shared = new SharedReads({ client, timers: bench.host.timers, cache });
  const change = (resourceVersion: string): ApplicationSnapshot => {
    const before = cached;
    cached = { ...window, metadata: { ...window.metadata, resourceVersion } };
    listener({ key: keyOf(window), before, after: cached });
    return cached;
  };
  const key = { namespace: window.metadata?.namespace ?? '', name: window.metadata?.name ?? '' };
  const next = () => shared.next(key, window.metadata?.resourceVersion, never);
  const mute = (): void => {
    isSilent = true;
  };
  return { bench, shared, key, change, next, failures, mute, reads: () => reads };
}

it('takes the next state of a window from the cache, without a request (SNAP-W6)', async () => {
  const { bench, change, next, reads } = await stand();
  const both = Promise.all([next(), next()]);
  await bench.pass(10);
  const changed = change('changed');
  expect(await bench.until(both)).toEqual([changed, changed]);
  expect(reads()).toBe(0);
});

it('does not wait for a change that came before (SNAP-W6)', async () => {
  const { bench, change, next, reads } = await stand();
  const changed = change('changed');
  expect(await bench.until(next())).toBe(changed);
  expect(reads()).toBe(0);
});

it('reads the server once for all that wait, if the cache shows no change (SNAP-W6)', async () => {
  const { bench, next, reads } = await stand();
  const [first, second] = await bench.until(Promise.all([next(), next()]));
  expect([first?.metadata?.name, second?.metadata?.name]).toEqual([
    'mariadb-window-1',
    'mariadb-window-1',
  ]);
  expect(reads()).toBe(1);
});

it('takes a change from the cache while the server does not answer (SNAP-W6)', async () => {
  const { bench, change, next, mute, reads } = await stand();
  mute();
  const waiting = next();
  await bench.pass(POLL_WITH_CACHE_MS + 10);
  expect(reads()).toBe(1);
  const changed = change('changed');
  await bench.pass(10);
  expect(await Promise.race([waiting, Promise.resolve('still waiting')])).toBe(changed);
});

it('fails when a read of the webhook is not answered in its time (SNAP-W8)', async () => {
  const { bench, next, mute } = await stand();
  mute();
  await expect(bench.until(next())).rejects.toThrow('no answer');
  expect(bench.world.elapsedMs).toBeLessThan(POLL_WITH_CACHE_MS + CALL_MS + 100);
});

it('fails when the claim of a request is not read in that time (SNAP-W8)', async () => {
  const bench = new GuardBench();
  bench.guard();
  const { host } = bench;
  const client: typeof bench.client = {
    ...bench.client,
    get: (_resource, _key, options) => silence(host, options),
  };
  const judge = guardJudge({ client, platform: host, observe: () => {} });
  const asked = bench.ask(creationOf('u'), { by: judge });
  await expect(bench.until(asked)).rejects.toThrow('no answer');
  expect(bench.world.elapsedMs).toBeLessThan(CALL_MS + 100);
});

it('reads the server again after a read that failed (SNAP-W6)', async () => {
  const { bench, failures, next } = await stand();
  failures.push(new Error('no answer'));
  await expect(bench.until(next())).rejects.toThrow('no answer');
  expect((await bench.until(next()))?.metadata?.name).toBe('mariadb-window-1');
});

it.each([
  ['the window has changed', true],
  ['its time is over', false],
])('listens no longer to the request when %s', async (_, isChanged) => {
  const { bench, shared, key, change } = await stand();
  const { signal } = new AbortController();
  const seen = shared.next(
    key,
    bench.api.get(applicationSnapshots, key).metadata.resourceVersion,
    signal,
  );
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  if (isChanged) change('changed');
  await bench.until(seen);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
