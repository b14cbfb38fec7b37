import { describe, expect, it } from 'vitest';

import { facts, frozen, target, tried } from '../../../../test/sim/snapshot/hook-facts.ts';
import { Informer } from '../../../controller/informer.ts';
import type { WatchEvent } from '../../../kube/client.ts';
import { type ContainerStatus, type ExecutionHook, executionHooks } from '../kinds.ts';
import {
  type Holder,
  holderOf,
  hookIndexes,
  hooksOfPod,
  HoldRegistry,
  unprovenText,
} from './hold-registry.ts';

const held = (place: string): ContainerStatus => target(place, frozen);
const overdue = (place: string): ContainerStatus =>
  target(place, { ...frozen, postActionStatus: tried(['Failed'], { actionSucceed: false }) });

const hook = (name: string, targets: readonly ContainerStatus[]): ExecutionHook =>
  facts(targets, { metadata: { name, uid: `uid-${name}`, resourceVersion: '1' } }).hook;

/** A cache that has these hooks. */
async function cacheOf(...hooks: readonly ExecutionHook[]): Promise<Informer<ExecutionHook>> {
  const stop = new AbortController();
  const informer = new Informer<ExecutionHook>({
    resource: executionHooks,
    indexes: hookIndexes,
    watch: async function* (): AsyncGenerator<WatchEvent<ExecutionHook>> {
      for (const object of hooks) yield { type: 'Upsert', object };
      yield await Promise.resolve({ type: 'Synced', resourceVersion: '1' });
      stop.abort();
    },
  });
  await informer.run(stop.signal);
  return informer;
}

const holder = (name: string, snapshot = `uid-${name}`): Holder => ({
  key: `ns/${name}`,
  uid: `uid-${name}`,
  for: snapshot,
});

const asked = (registry: HoldRegistry, place: string): string | undefined =>
  registry.blockOf(holder('new'), { targets: [target(place)], claimNames: [] })?.reason;

describe('HoldRegistry', () => {
  it('reads the holds of hooks not reconciled yet from the cache', async () => {
    const registry = new HoldRegistry(await cacheOf(hook('old', [held('a/x'), target('a/y')])));
    expect([asked(registry, 'a/x'), asked(registry, 'a/y')]).toEqual(['WaitsForHold', undefined]);
    expect(
      registry.blockOf(holder('old'), { targets: [target('a/x')], claimNames: [] }),
    ).toBeNull();
  });

  it('prefers the result of a reconcile to the cache, and wakes waiting hooks', async () => {
    const registry = new HoldRegistry(await cacheOf(hook('old', [held('a/x')])));
    expect(asked(registry, 'a/x')).toBe('WaitsForHold');
    const old = holder('old');
    expect(registry.update(old, [target('a/x', { ...frozen, thawedBy: 'post' })])).toEqual([
      'ns/new',
    ]);
    expect(asked(registry, 'a/x')).toBeUndefined();
    registry.update(old, [held('b/x')]);
    expect([asked(registry, 'b/x'), registry.forget('ns/old', 'uid-old')]).toEqual([
      'WaitsForHold',
      ['ns/new'],
    ]);
  });

  it('lets the hooks of one snapshot share a target until the last releases it', async () => {
    const registry = new HoldRegistry(await cacheOf());
    const [first, second] = [holder('first', 'uid-snapshot'), holder('second', 'uid-snapshot')];
    registry.update(first, [held('a/x')]);
    expect(registry.blockOf(second, { targets: [target('a/x')], claimNames: [] })).toBeNull();
    registry.update(second, [held('a/x')]);
    registry.update(second, []);
    expect(asked(registry, 'a/x')).toBe('WaitsForHold');
    registry.update(first, []);
    expect(asked(registry, 'a/x')).toBeUndefined();
  });

  it('blocks a target by namespace, pod and container name, also after the pod was recreated', async () => {
    const registry = new HoldRegistry(await cacheOf(hook('old', [held('a/x')])));
    const replaced = target('a/x', { podUID: 'uid-of-the-next' });
    expect(registry.blockOf(holder('new'), { targets: [replaced], claimNames: [] })?.reason).toBe(
      'WaitsForHold',
    );
    const elsewhere = { ...holder('new'), key: 'other/new' };
    expect(registry.blockOf(elsewhere, { targets: [target('a/x')], claimNames: [] })).toBeNull();
  });

  it('takes the snapshot of a hook from its owner reference', () => {
    const made = hook('made', []);
    expect(holderOf('ns/made', made).for).toBe('uid-made');
    const owner = { apiVersion: 'lifehook.dev/v1alpha1', kind: 'ApplicationSnapshot', name: 's' };
    made.metadata = { ...made.metadata, ownerReferences: [{ ...owner, uid: 'uid-s' }] };
    expect(holderOf('ns/made', made).for).toBe('uid-s');
  });

  it('blocks freezes only on the node of an overdue thaw', async () => {
    const registry = new HoldRegistry(await cacheOf(hook('old', [overdue('a/x')])));
    expect(asked(registry, 'b/x')).toBe('ThawOverdue');
    expect(
      registry.blockOf(holder('new'), {
        targets: [target('b/x', { nodeName: 'node-2' })],
        claimNames: [],
      }),
    ).toBeNull();
    registry.update(holder('old'), [overdue('a/x')]);
    expect(asked(registry, 'b/x')).toBe('ThawOverdue');
    expect(registry.update(holder('old'), [])).toEqual(['ns/new']);
    expect(asked(registry, 'b/x')).toBeUndefined();
  });

  it('wakes waiting hooks when an overdue thaw is done by hand, though nothing else is released', async () => {
    const registry = new HoldRegistry(await cacheOf());
    registry.update(holder('old'), [held('a/x')], [held('a/x')]);
    expect(asked(registry, 'b/x')).toBe('ThawOverdue');
    expect(registry.update(holder('old'), [held('a/x')], [])).toEqual(['ns/new']);
    expect(asked(registry, 'b/x')).toBeUndefined();
  });

  it('wakes waiting hooks when one of several targets is released, and not before', async () => {
    const registry = new HoldRegistry(await cacheOf());
    registry.update(holder('old'), [held('a/x'), held('b/x')]);
    expect(asked(registry, 'a/x')).toBe('WaitsForHold');
    expect(registry.update(holder('old'), [held('a/x'), held('b/x')])).toEqual([]);
    expect(registry.update(holder('old'), [held('b/x')])).toEqual(['ns/new']);
  });

  it('wakes waiting hooks when one target is released and another one is held at once', async () => {
    const registry = new HoldRegistry(await cacheOf());
    registry.update(holder('old'), [held('a/x')]);
    expect(asked(registry, 'a/x')).toBe('WaitsForHold');
    expect(registry.update(holder('old'), [held('b/x')])).toEqual(['ns/new']);
  });

  it('does not count a target without a node as on the node of an overdue thaw', async () => {
    const registry = new HoldRegistry(await cacheOf(hook('old', [overdue('a/x')])));
    const { nodeName: _, ...nowhere } = target('b/x');
    expect(registry.blockOf(holder('new'), { targets: [nowhere], claimNames: [] })).toBeNull();
  });

  it('names the hook that is in the way, and what ends that', async () => {
    const registry = new HoldRegistry(await cacheOf(hook('old', [held('a/x'), overdue('b/x')])));
    const messageFor = (place: string): string | undefined =>
      registry.blockOf(holder('new'), { targets: [target(place)], claimNames: [] })?.message;
    expect(messageFor('a/x')).toBe(
      'The container x of pod a is frozen by the hook ns/old: waiting for its thaw.',
    );
    const breaker =
      'A thaw of the hook ns/old is overdue on the node node-1: nothing more is frozen there until it succeeds or is marked as done by hand.';
    expect(messageFor('c/x')).toBe(breaker);
    registry.update(holder('old'), [overdue('b/x')]);
    expect(messageFor('c/x')).toBe(breaker);
    expect(unprovenText('data', 'ns/old')).toBe(
      'The volume of claim data may still be frozen: the hook ns/old froze it in a pod that is deleted, and no thaw is proven. No hook freezes it until the thaw is proven or marked as done by hand: thaw the volume by hand if it is frozen, then: lifehook snapshot release -n ns old --by YOU.',
    );
  });

  it('takes no owner of another kind for the snapshot of a hook', () => {
    const made = hook('made', []);
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 's', uid: 'uid-s' };
    made.metadata = { ...made.metadata, ownerReferences: [owner] };
    expect(holderOf('ns/made', made).for).toBe('uid-made');
  });
});

describe('hooksOfPod', () => {
  it('lists the hooks with a frozen target in the pod', async () => {
    const released = hook('late', [held('a/x'), target('b/x', { ...frozen, thawedBy: 'post' })]);
    released.status = { ...released.status, release: { cause: 'Cut', at: '2026-01-01T00:00:00Z' } };
    const hooks = await cacheOf(hook('old', [held('a/x')]), released);
    expect(hooksOfPod(hooks, 'ns/a')).toEqual(['ns/old', 'ns/late']);
    expect(hooksOfPod(hooks, 'ns/b')).toEqual([]);
  });

  it('lists a hook that waits for its turn, until it is released', async () => {
    const waiting = await cacheOf(hook('new', [target('a/x')]));
    expect(hooksOfPod(waiting, 'ns/a')).toEqual(['ns/new']);
    const released = hook('late', [target('a/x')]);
    released.status = { ...released.status, release: { cause: 'Cut', at: '2026-01-01T00:00:00Z' } };
    expect(hooksOfPod(await cacheOf(released), 'ns/a')).toEqual([]);
  });

  it('blocks the claims whose thaw is not proven, in their namespace only', async () => {
    const thawUnproven = { at: '2026-01-01T00:00:00Z', reason: 'r' };
    const more = { ...frozen, postActionStatus: { actionSucceed: false } };
    const unproven = target('a/x', { ...more, thawUnproven, claimNames: ['data'] });
    const registry = new HoldRegistry(await cacheOf(hook('old', [unproven])));
    const ask = (claim: string, key = 'ns/new'): string | undefined =>
      registry.blockOf({ ...holder('new'), key }, { targets: [target('b/x')], claimNames: [claim] })
        ?.reason;
    expect([ask('data'), ask('other'), ask('data', 'other/new')]).toEqual([
      'ThawUnproven',
      undefined,
      undefined,
    ]);
    expect(registry.update(holder('old'), [unproven])).toEqual([]);
    expect(ask('data')).toBe('ThawUnproven');
    expect(registry.update(holder('old'), [{ ...unproven, thawedBy: 'released' }])).toEqual([
      'ns/new',
    ]);
    expect(ask('data')).toBeUndefined();
  });
});
