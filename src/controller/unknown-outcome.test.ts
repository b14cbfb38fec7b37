import { describe, expect, it } from 'vitest';

import { ApiError, UnreachableError } from '../kube/api-error.ts';
import { LifehookError } from '../model/problem.ts';
import { RecentMap } from './event-correlator.ts';
import { isUnknown } from './unknown-outcome.ts';

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
    let made = 0;
    const touch = (key: string): number => map.touch(key, () => (made += 1));
    expect([touch('a'), touch('b'), touch('a'), touch('c')]).toEqual([1, 2, 1, 3]);
    expect(map.size).toBe(2);
    expect([touch('a'), touch('b')]).toEqual([1, 4]);
  });
});
