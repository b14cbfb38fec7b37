import { describe, expect, it } from 'vitest';

import { facts, frozen, target, tried } from '../../../../test/sim/snapshot/hook-facts.ts';
import { Informer } from '../../../controller/informer.ts';
import type { WatchEvent } from '../../../kube/client.ts';
import { type ContainerStatus, type ExecutionHook, executionHooks } from '../kinds.ts';
import { hookIndexes, hooksOfPod, HoldRegistry } from './hold-registry.ts';

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

const asked = (registry: HoldRegistry, place: string): string | undefined =>
  registry.blockOf('ns/new', 'uid-new', [target(place)])?.reason;

describe('HoldRegistry', () => {
  it('knows from the cache what hooks hold that nobody has looked at yet', async () => {
    const registry = new HoldRegistry(await cacheOf(hook('old', [held('a/x'), target('a/y')])));
    expect([asked(registry, 'a/x'), asked(registry, 'a/y')]).toEqual(['WaitsForHold', undefined]);
    expect(registry.blockOf('ns/old', 'uid-old', [target('a/x')])).toBeNull();
  });

  it('believes what a pass has left over what the cache says, and wakes who waits', async () => {
    const registry = new HoldRegistry(await cacheOf(hook('old', [held('a/x')])));
    expect(asked(registry, 'a/x')).toBe('WaitsForHold');
    const old = { key: 'ns/old', uid: 'uid-old' };
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

  it('stops freezes on the node of a thaw that is overdue, and nowhere else', async () => {
    const registry = new HoldRegistry(await cacheOf(hook('old', [overdue('a/x')])));
    expect(asked(registry, 'b/x')).toBe('ThawOverdue');
    expect(
      registry.blockOf('ns/new', 'uid-new', [target('b/x', { nodeName: 'node-2' })]),
    ).toBeNull();
    registry.update({ key: 'ns/old', uid: 'uid-old' }, [overdue('a/x')]);
    expect(asked(registry, 'b/x')).toBe('ThawOverdue');
    registry.update({ key: 'ns/old', uid: 'uid-old' }, []);
    expect(asked(registry, 'b/x')).toBeUndefined();
  });
});

describe('hooksOfPod', () => {
  it('names the hooks that something about the pod can still concern', async () => {
    const released = hook('late', [held('a/x'), target('b/x', { ...frozen, thawedBy: 'post' })]);
    released.status = { ...released.status, release: { cause: 'Cut', at: '2026-01-01T00:00:00Z' } };
    const hooks = await cacheOf(hook('old', [held('a/x')]), released);
    expect(hooksOfPod(hooks, 'ns/a')).toEqual(['ns/old', 'ns/late']);
    expect(hooksOfPod(hooks, 'ns/b')).toEqual([]);
  });
});
