import { beforeEach, describe, expect, it } from 'vitest';

import { deferred, type Deferred } from '../../test/fixtures/deferred.ts';
import { whenAborted } from '../platform/linked-signal.ts';
import type { CancelSignal } from '../platform/platform.ts';
import { configMaps, pods, secrets } from '../kube/resources.ts';
import { SharedInformers, type WatchAny } from './shared-informers.ts';

/** For each kind: resolved when its first list is complete, rejected when its watch fails. */
let lists: Record<string, Deferred<undefined>>;
let failures: Record<string, Deferred<Error>>;
let signals: Record<string, CancelSignal>;
let informers: SharedInformers;
let stop: AbortController;

const watch = async function* ({ resource: { kind }, signal }) {
  signals[kind] = signal;
  const failing = (failures[kind] = deferred());
  const listed = (lists[kind] = deferred());
  yield { type: 'Relisting' };
  await listed.promise;
  yield { type: 'Synced', resourceVersion: '1' };
  const failure = await Promise.race([failing.promise, whenAborted(signal)]);
  if (failure instanceof Error) throw failure;
} as WatchAny;

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
};

beforeEach(() => {
  [lists, failures, signals] = [{}, {}, {}];
  stop = new AbortController();
  informers = new SharedInformers({ watch });
});

describe('the shared informers', () => {
  it('are one for each resource, namespace, label selector and field selector', () => {
    const scopes = [
      {},
      { namespace: 'a' },
      { namespace: 'b' },
      { labelSelector: 'a' },
      { fieldSelector: 'a' },
    ];
    const all = [
      ...scopes.map((scope) => informers.of(configMaps, { scope })),
      informers.of(secrets),
    ];
    expect(new Set(all).size).toBe(6);
  });

  it('take an empty selector for none', () => {
    const scope = { namespace: '', labelSelector: '', fieldSelector: '' };
    expect(informers.of(pods, { scope })).toBe(informers.of(pods));
  });

  it('have synced when the first list of each is complete', async () => {
    informers.of(configMaps);
    informers.of(secrets);
    const running = informers.run(stop.signal);
    let isSynced = false;
    const waiting = informers.synced().then(() => (isSynced = true));
    lists['ConfigMap']?.resolve(undefined);
    await settle();
    expect(isSynced).toBe(false);
    lists['Secret']?.resolve(undefined);
    await waiting;
    stop.abort();
    await running;
  });

  it('refuse another informer once they run, since it would never be filled', async () => {
    const known = informers.of(configMaps);
    const running = informers.run(stop.signal);
    expect(informers.of(configMaps)).toBe(known);
    expect(() => informers.of(secrets, { scope: { namespace: 'ns' } })).toThrow(
      'ask for the informer of ["secrets/v1","ns","",""] before they run',
    );
    stop.abort();
    lists['ConfigMap']?.resolve(undefined);
    await running;
  });

  it('CTRL-M5: stop together when one fails, with its reason', async () => {
    informers.of(configMaps);
    informers.of(secrets);
    const running = informers.run(stop.signal);
    for (const listed of Object.values(lists)) listed.resolve(undefined);
    await settle();
    failures['Secret']?.resolve(new Error('the watch is broken'));
    await expect(running).rejects.toThrow('the watch is broken');
    expect(signals['ConfigMap']?.aborted).toBe(true);
  });

  it('give their watch to code that watches kinds which are defined later', () => {
    expect(informers.watch).toBe(watch);
  });

  it('leave no listener at the signal of the program, even if there is none of them', async () => {
    const listeners = new Set<() => void>();
    await informers.run({
      aborted: false,
      addEventListener: (_type, listener) => void listeners.add(listener),
      removeEventListener: (_type, listener) => void listeners.delete(listener),
    });
    expect(listeners.size).toBe(0);
  });
});
