import { describe, expect, it } from 'vitest';

import type { KubeObject } from '../kube/object.ts';
import { OwnWrites } from './own-writes.ts';

const object = (resourceVersion: string, uid: string = 'u1'): KubeObject => ({
  metadata: { namespace: 'ns', name: 'a', uid, resourceVersion },
});

describe('OwnWrites', () => {
  it('gives its own write while the cache is behind it, and the cache from then on', () => {
    const own = new OwnWrites();
    own.remember(object('12'));
    expect(own.newest('ns/a', object('9'))?.metadata?.resourceVersion).toBe('12');
    expect(own.newest('ns/a', object('13'))?.metadata?.resourceVersion).toBe('13');
    expect(own.size).toBe(0);
    expect(own.newest('ns/a', object('11'))?.metadata?.resourceVersion).toBe('11');
  });

  it('is not moved back by an answer that comes late', () => {
    const own = new OwnWrites();
    own.remember(object('12'));
    own.remember(object('10'));
    expect(own.newest('ns/a', object('11'))?.metadata?.resourceVersion).toBe('12');
  });

  it('knows an object that came after one of the same name, whichever of the two was written', () => {
    const own = new OwnWrites();
    own.remember(object('12', 'old'));
    expect(own.newest('ns/a', object('20', 'new'))?.metadata?.uid).toBe('new');
    own.remember(object('30', 'newer'));
    expect(own.newest('ns/a', object('20', 'new'))?.metadata?.uid).toBe('newer');
  });

  it('forgets what the cache does not hold any more', () => {
    const own = new OwnWrites();
    own.remember(object('12'));
    expect([own.newest('ns/a', undefined), own.size]).toEqual([undefined, 0]);
  });

  it('believes the cache where versions can not be compared', () => {
    const own = new OwnWrites();
    own.remember(object('abc'));
    expect(own.newest('ns/a', object('xyz'))?.metadata?.resourceVersion).toBe('xyz');
  });

  it('gives the write itself once the cache has it, and hands out nothing that can be changed', () => {
    const own = new OwnWrites();
    own.remember(object('12'));
    const seen = own.newest('ns/a', object('1'));
    expect(Object.isFrozen(seen?.metadata)).toBe(true);
    const cached = object('12');
    expect(own.newest('ns/a', cached)).toBe(cached);
  });
});
