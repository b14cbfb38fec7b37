import { beforeEach, describe, expect, it } from 'vitest';

import { World } from '../../test/sim/world.ts';
import { ApiError, UnreachableError } from '../kube/api-error.ts';
import type { KubeObject } from '../kube/object.ts';
import { LifehookError } from '../model/problem.ts';
import { RecentMap } from './event-correlator.ts';
import { Expectations, isUnknown, MAX_ENDED } from './expectations.ts';

let world: World;
let expectations: Expectations;

const made = (uid: string): Promise<KubeObject> => Promise.resolve({ metadata: { uid } });
const lost = (): Promise<never> =>
  Promise.reject(new UnreachableError('no answer', { sent: true }));
const refused = (): Promise<never> => Promise.reject(new ApiError(403, { reason: 'Forbidden' }));
const waits = (): boolean => expectations.waitingFor('a') !== null;

const pass = async (ms: number): Promise<void> => {
  let over = false;
  world.after(ms, () => (over = true));
  await world.runUntil(() => over, 10);
};

beforeEach(() => {
  world = new World();
  const platform = { clock: world.clockOf() };
  expectations = new Expectations({ platform, timeoutMs: 60_000 });
});

describe('Expectations of creations', () => {
  it('CTRL-X1: wait until the cache has the object', async () => {
    await expectations.create('a', () => made('x'));
    expectations.sawNew('a', 'another');
    expect(waits()).toBe(true);
    expectations.sawNew('a', 'x');
    expect(waits()).toBe(false);
  });

  it('CTRL-X2: do not wait for an object that the cache saw before the response', async () => {
    await expectations.create('a', () => {
      expectations.sawNew('a', 'x');
      return made('x');
    });
    expect(waits()).toBe(false);
  });

  it('CTRL-X2: match objects seen early to their own request, whichever response is first', async () => {
    let second: Promise<unknown> = Promise.resolve();
    await expectations.create('a', () => {
      second = expectations.create('a', () => made('y'));
      expectations.sawNew('a', 'x');
      return made('x');
    });
    await second;
    expect(expectations.waitingFor('a')?.reason).toMatch('1 creation and 0 deletions');
    expectations.sawNew('a', 'y');
    expect(waits()).toBe(false);
  });

  it('CTRL-X2: do not wait for a create that was refused', async () => {
    await expect(expectations.create('a', refused)).rejects.toThrow();
    expect(waits()).toBe(false);
  });

  it('CTRL-X3: wait after a create whose response was lost', async () => {
    await expect(expectations.create('a', lost)).rejects.toThrow('no answer');
    expect(waits()).toBe(true);
    expectations.sawNew('a', 'whatever');
    expect(waits()).toBe(false);
  });

  it('CTRL-X3: take an unclaimed object seen early as the result of the create without a response', async () => {
    const failing = expectations.create('a', () => {
      expectations.sawNew('a', 'x');
      return lost();
    });
    await expect(failing).rejects.toThrow('no answer');
    expect(waits()).toBe(false);
  });

  it('CTRL-X4: wait no longer than the timeout after the last request', async () => {
    await expectations.create('a', () => made('x'));
    await pass(50_000);
    await expectations.create('a', () => made('y'));
    await pass(50_000);
    expect(expectations.waitingFor('a')?.ms).toBe(10_000);
    await pass(10_000);
    expect(waits()).toBe(false);
  });
});

describe('Expectations of several creations', () => {
  it('CTRL-X1: wait from before the request is sent', async () => {
    let sent = false;
    await expectations.create('a', () => {
      sent = waits();
      return made('x');
    });
    expect(sent).toBe(true);
    expect(expectations.waitingFor('a')).toEqual({
      ms: 60_000,
      reason: 'the cache does not show 1 creation and 0 deletions yet',
    });
  });

  it('CTRL-X3: wait for as many new objects as responses were lost', async () => {
    await expect(expectations.create('a', lost)).rejects.toThrow();
    await expect(expectations.create('a', lost)).rejects.toThrow();
    expectations.sawNew('a', 'x');
    expect(expectations.waitingFor('a')?.reason).toMatch('1 creation and');
    expectations.sawNew('a', 'y');
    expect(waits()).toBe(false);
  });

  it('CTRL-X2: do not take the object of a creation that was answered for a lost one', async () => {
    await expect(expectations.create('a', lost)).rejects.toThrow();
    await expectations.create('a', () => {
      expectations.sawNew('a', 'x');
      return made('x');
    });
    expect(expectations.waitingFor('a')?.reason).toMatch('1 creation and');
  });

  it('count every creation and deletion that is not seen', async () => {
    await expectations.create('a', () => made('x'));
    await expect(expectations.create('a', lost)).rejects.toThrow();
    await expectations.delete('a', 'y', () => made('y'));
    let during = '';
    await expectations.create('a', () => {
      during = expectations.waitingFor('a')?.reason ?? '';
      return made('z');
    });
    expect(during).toBe('the cache does not show 3 creations and 1 deletion yet');
  });

  it('keep the expectations of other keys, and ignore objects of a key without expectations', async () => {
    await expectations.create('a', () => made('x'));
    expectations.sawNew('b', 'x');
    expectations.sawTerminating('b', 'x');
    expect(waits()).toBe(true);
  });

  it('CTRL-X4: wait for five minutes by default', async () => {
    expectations = new Expectations({ platform: { clock: world.clockOf() } });
    await expectations.create('a', () => made('x'));
    expect(expectations.waitingFor('a')?.ms).toBe(300_000);
  });

  it('CTRL-X4: begin again after the timeout', async () => {
    await expectations.create('a', () => made('x'));
    await pass(60_000);
    expect(waits()).toBe(false);
    await expectations.create('a', () => made('y'));
    expectations.sawNew('a', 'y');
    expect(waits()).toBe(false);
  });
});

describe('Expectations of deletions', () => {
  it('CTRL-X1: wait until the cache sees the object terminating', async () => {
    await expectations.delete('a', 'x', () => made('x'));
    expectations.sawTerminating('a', 'y');
    expect(waits()).toBe(true);
    expectations.sawTerminating('a', 'x');
    expect(waits()).toBe(false);
  });

  it('CTRL-X2, CTRL-X3: wait after a lost response, and not after a refusal', async () => {
    await expect(expectations.delete('a', 'x', refused)).rejects.toThrow();
    expect(waits()).toBe(false);
    await expect(expectations.delete('a', 'x', lost)).rejects.toThrow();
    expect(waits()).toBe(true);
  });

  it('CTRL-X2: do not wait for an object that the cache showed as deleted before the request', async () => {
    expectations.sawTerminating('a', 'x');
    await expect(expectations.delete('a', 'x', lost)).rejects.toThrow();
    expect(waits()).toBe(false);
  });

  it('CTRL-X1: wait for an object that a server put back to an older state shows again', async () => {
    expectations.sawTerminating('a', 'x');
    expectations.sawNew('a', 'x');
    await expect(expectations.delete('a', 'x', lost)).rejects.toThrow();
    expect(waits()).toBe(true);
  });

  it('CTRL-X2: remember the objects that were deleted last', async () => {
    for (let index = 0; index <= MAX_ENDED; index += 1) {
      expectations.sawTerminating('a', `uid-${index}`);
    }
    await expect(expectations.delete('a', 'uid-1', lost)).rejects.toThrow();
    expect(waits()).toBe(false);
    await expect(expectations.delete('a', 'uid-0', lost)).rejects.toThrow();
    expect(waits()).toBe(true);
  });

  it('keep keys apart, and forget a key on request', async () => {
    await expectations.delete('a', 'x', () => made('x'));
    expect(expectations.waitingFor('b')).toBe(null);
    expectations.forget('a');
    expect(waits()).toBe(false);
  });
});

const held = new LifehookError({ code: 'LHK104', severity: 'error', message: 'held', next: '' });

describe('a write that failed', () => {
  it.each([
    ['whose request was sent and never answered', new UnreachableError('x', { sent: true }), true],
    ['whose request was never sent', new UnreachableError('x', { sent: false }), false],
    ['that the server gave up on with 500', new ApiError(500, { reason: 'InternalError' }), true],
    ['that the server gave up on with 504', new ApiError(504, { reason: 'Timeout' }), true],
    ['that the server refused with 409', new ApiError(409, { reason: 'Conflict' }), false],
    [
      'that the server refused with 503',
      new ApiError(503, { reason: 'ServiceUnavailable' }),
      false,
    ],
    ['that was held back before it was sent', held, false],
    ['for no reason that anybody knows', new Error('x'), true],
  ])('%s: may have taken effect: %j', (_, error, expected) => {
    expect(isUnknown(error)).toBe(expected);
  });
});

describe('RecentMap', () => {
  it('drops the least recently used entry when it exceeds its limit', () => {
    const map = new RecentMap<number>(2);
    let count = 0;
    const touch = (key: string): number => map.touch(key, () => (count += 1));
    expect([touch('a'), touch('b'), touch('a'), touch('c')]).toEqual([1, 2, 1, 3]);
    expect(map.size).toBe(2);
    expect([touch('a'), touch('b')]).toEqual([1, 4]);
  });
});
