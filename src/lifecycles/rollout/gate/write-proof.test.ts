import { describe, expect, it } from 'vitest';

import { isProvenWith, proveWith } from './write-proof.ts';

const key = 'k'.repeat(32);
const replaced = { uid: 'u-1', resourceVersion: '7' };

describe('a proof of a write', () => {
  it('is believed for the object and the revision that it was made for', () => {
    expect(isProvenWith(key)(replaced, proveWith(key)(replaced))).toBe(true);
  });

  it.each([
    ['none', undefined],
    ['an empty one', ''],
    ['one of another revision', proveWith(key)({ ...replaced, resourceVersion: '6' })],
    ['one of another object', proveWith(key)({ ...replaced, uid: 'u-2' })],
    ['one of another key', proveWith('other')(replaced)],
  ])('is not believed: %s', (_, proof) => {
    expect(isProvenWith(key)(replaced, proof)).toBe(false);
  });
});
