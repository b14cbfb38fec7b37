import { describe, expect, it } from 'vitest';

import { isProvenWith, proveWith } from './write-proof.ts';

const key = 'k'.repeat(32);
const replaced = { uid: 'u-1', resourceVersion: '7' };

describe('a proof of a write', () => {
  it('is accepted for the object and revision that it was made for', () => {
    expect(isProvenWith(key)(replaced, proveWith(key)(replaced))).toBe(true);
  });

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['made for another revision', proveWith(key)({ ...replaced, resourceVersion: '6' })],
    ['made for another object', proveWith(key)({ ...replaced, uid: 'u-2' })],
    ['made with another key', proveWith('other')(replaced)],
  ])('is rejected when it is %s', (_, proof) => {
    expect(isProvenWith(key)(replaced, proof)).toBe(false);
  });
});
