import { describe, expect, it } from 'vitest';

import type { KubeObject } from '../kube/object.ts';
import { OwnWrites } from './own-writes.ts';

const object = (resourceVersion: string, uid: string = 'u1'): KubeObject => ({
  metadata: { namespace: 'ns', name: 'a', uid, resourceVersion },
});

/** No relist, so that every remembered write stays valid. */
const lists = { listsBegun: 0, listsReceived: 0 };

describe('OwnWrites', () => {
  it('returns its own write while the cache is behind it, and the cached object afterwards (CTRL-W1, CTRL-W2)', () => {
    const own = new OwnWrites(lists);
    own.remember(object('12'));
    expect(own.newest('ns/a', object('9'))?.metadata?.resourceVersion).toBe('12');
    expect(own.newest('ns/a', object('13'))?.metadata?.resourceVersion).toBe('13');
    expect(own.size).toBe(0);
    expect(own.newest('ns/a', object('11'))?.metadata?.resourceVersion).toBe('11');
  });

  it('keeps the newest write when a response arrives late (CTRL-W1)', () => {
    const own = new OwnWrites(lists);
    own.remember(object('12'));
    own.remember(object('10'));
    expect(own.newest('ns/a', object('11'))?.metadata?.resourceVersion).toBe('12');
  });

  it('prefers the recreated object, whether it is in the cache or was written', () => {
    const own = new OwnWrites(lists);
    own.remember(object('12', 'old'));
    expect(own.newest('ns/a', object('20', 'new'))?.metadata?.uid).toBe('new');
    own.remember(object('30', 'newer'));
    expect(own.newest('ns/a', object('20', 'new'))?.metadata?.uid).toBe('newer');
  });

  it('forgets a write of an object that the cache no longer has (CTRL-W2)', () => {
    const own = new OwnWrites(lists);
    own.remember(object('12'));
    expect([own.newest('ns/a', undefined), own.size]).toEqual([undefined, 0]);
  });

  it('returns the cached object when the resource versions cannot be compared', () => {
    const own = new OwnWrites(lists);
    own.remember(object('abc'));
    expect(own.newest('ns/a', object('xyz'))?.metadata?.resourceVersion).toBe('xyz');
  });

  it('returns a frozen write, and the cached object once it has the same version', () => {
    const own = new OwnWrites(lists);
    own.remember(object('12'));
    const seen = own.newest('ns/a', object('1'));
    expect(Object.isFrozen(seen?.metadata)).toBe(true);
    const cached = object('12');
    expect(own.newest('ns/a', cached)).toBe(cached);
  });

  it('forgets a write on request, and keeps those of other objects', () => {
    const own = new OwnWrites(lists);
    own.remember(object('12'));
    own.forget('ns/b');
    expect(own.size).toBe(1);
    own.forget('ns/a');
    expect([own.size, own.newest('ns/a', object('1'))?.metadata?.resourceVersion]).toEqual([
      0,
      '1',
    ]);
  });

  it('replaces a write by a newer one, and by one of the same version', () => {
    const own = new OwnWrites(lists);
    own.remember(object('9'));
    own.remember(object('12'));
    expect(own.newest('ns/a', object('10'))?.metadata?.resourceVersion).toBe('12');
    const again = object('12');
    own.remember(again);
    expect(own.newest('ns/a', object('10'))).toBe(again);
  });

  it('believes the cache where a version is missing', () => {
    const own = new OwnWrites(lists);
    own.remember({ metadata: { namespace: 'ns', name: 'a' } });
    const cached = object('1');
    expect(own.newest('ns/a', cached)).toBe(cached);
  });

  it('believes a list that began after the write, though a server that was put back lists an older version (CTRL-W3)', () => {
    const counts = { listsBegun: 1, listsReceived: 1 };
    const own = new OwnWrites(counts);
    own.remember(object('12'));
    counts.listsBegun = 2;
    expect(own.newest('ns/a', object('9'))?.metadata?.resourceVersion).toBe('12');
    counts.listsReceived = 2;
    expect(own.newest('ns/a', object('9'))?.metadata?.resourceVersion).toBe('9');
    own.remember(object('10'));
    expect(own.newest('ns/a', object('9'))?.metadata?.resourceVersion).toBe('10');
  });

  it('keeps a write that was made while a list was being received', () => {
    const counts = { listsBegun: 2, listsReceived: 1 };
    const own = new OwnWrites(counts);
    own.remember(object('12'));
    counts.listsReceived = 2;
    expect(own.newest('ns/a', object('9'))?.metadata?.resourceVersion).toBe('12');
  });

  it('prefers what was read to what the cache held before, though a server that was put back answers an older version (CTRL-W4)', () => {
    const own = new OwnWrites(lists);
    own.rememberRead(object('9'), object('12'));
    expect(own.newest('ns/a', object('12'))?.metadata?.resourceVersion).toBe('9');
    expect(own.newest('ns/a', object('11'))?.metadata?.resourceVersion).toBe('9');
    expect(own.newest('ns/a', object('13'))?.metadata?.resourceVersion).toBe('13');
    expect(own.size).toBe(0);
  });

  it('believes the cache again once it has the version that was read', () => {
    const own = new OwnWrites(lists);
    own.rememberRead(object('9'), object('9'));
    expect([own.newest('ns/a', object('9')), own.size]).toEqual([object('9'), 0]);
    own.rememberRead(object('9'), undefined);
    expect(own.newest('ns/a', object('12'))?.metadata?.resourceVersion).toBe('12');
  });

  it('replaces what an earlier term wrote by what is read in this one', () => {
    const own = new OwnWrites(lists);
    own.remember(object('12'));
    own.rememberRead(object('9'), object('8'));
    expect(own.newest('ns/a', object('8'))?.metadata?.resourceVersion).toBe('9');
  });

  it('knows what the server has answered about in this term', () => {
    const own = new OwnWrites(lists);
    expect(own.isSeen('ns/a')).toBe(false);
    own.remember(object('12'));
    expect([own.isSeen('ns/a'), own.isSeen('ns/b')]).toEqual([true, false]);
    own.forget('ns/a');
    expect(own.isSeen('ns/a')).toBe(false);
    own.rememberRead(object('12'), undefined);
    expect(own.isSeen('ns/a')).toBe(true);
    own.beginTerm();
    expect(own.isSeen('ns/a')).toBe(false);
  });
});
