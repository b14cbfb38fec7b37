import type { ConfigMap } from 'kubernetes-types/core/v1.js';
import { beforeEach, describe, expect, it } from 'vitest';

import { fedInformer, type FedInformer } from '../../test/fixtures/fed-informer.ts';
import { UnreachableError } from '../kube/api-error.ts';
import type { WatchEvent } from '../kube/client.ts';
import { Expectations, followChildren } from './expectations.ts';

const OWNER = 'ns/owner';

let fed: FedInformer;
let expectations: Expectations;
let stop: () => void;

const child = (name: string, version: number, deletionTimestamp?: string): ConfigMap => ({
  metadata: {
    name,
    namespace: 'ns',
    uid: `uid-${name}`,
    resourceVersion: String(version),
    ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
  },
});

const upsert = (object: ConfigMap): WatchEvent<ConfigMap> => ({ type: 'Upsert', object });

const isWaiting = (): boolean => expectations.waitingFor(OWNER) !== null;

beforeEach(() => {
  fed = fedInformer();
  const clock = { nowMs: () => 0, monotonicMs: () => 0 };
  expectations = new Expectations({ platform: { clock } });
  stop = followChildren({ informer: fed.informer, expectations, keys: () => [OWNER] });
});

describe('followChildren', () => {
  it('CTRL-X1: ends the wait for a create when the cache has the new child', async () => {
    await expectations.create(OWNER, async () => child('a', 1));
    expect(isWaiting()).toBe(true);
    await fed.deliver(upsert(child('a', 1)));
    expect(isWaiting()).toBe(false);
  });

  it('CTRL-X3: does not take a change of a known child for the effect of a lost create', async () => {
    await fed.deliver(upsert(child('a', 1)));
    const lost = new UnreachableError('no answer', { sent: true });
    await expect(expectations.create(OWNER, () => Promise.reject(lost))).rejects.toBe(lost);
    await fed.deliver(upsert(child('a', 2)));
    expect(isWaiting()).toBe(true);
    await fed.deliver(upsert(child('b', 3)));
    expect(isWaiting()).toBe(false);
  });

  it.each<[string, WatchEvent<ConfigMap>]>([
    ['is terminating', upsert(child('a', 3, '2026-01-01T00:00:00Z'))],
    ['is deleted', { type: 'Delete', object: child('a', 3) }],
  ])('CTRL-X1: ends the wait for a delete when the cached child %s', async (_, event) => {
    await fed.deliver(upsert(child('a', 1)));
    await expectations.delete(OWNER, 'uid-a', async () => child('a', 1));
    await fed.deliver(upsert(child('a', 2)));
    expect(isWaiting()).toBe(true);
    await fed.deliver(event);
    expect(isWaiting()).toBe(false);
  });

  it('reports nothing after it was stopped', async () => {
    await expectations.create(OWNER, async () => child('a', 1));
    stop();
    await fed.deliver(upsert(child('a', 1)));
    expect(isWaiting()).toBe(true);
  });
});
