import { expect, it } from 'vitest';

import { MAX_COPIED_BYTES } from '../../objects/patch/json-patch.ts';
import { patched } from './read-review.ts';

const copy = { op: 'copy', from: '/half', path: '/other' };
const half = 'x'.repeat(MAX_COPIED_BYTES / 2);

it('limits the bytes that all copies of a patch of a webhook make together', () => {
  const apply = (...operations: object[]): unknown =>
    patched('w', { half }, JSON.stringify(operations));
  expect(apply(copy)).toEqual({ half, other: half });
  expect(() => apply(copy, copy)).toThrow(
    `the accumulated size increase of patch is ${MAX_COPIED_BYTES + 4}, exceeding the limit ${MAX_COPIED_BYTES}`,
  );
});

it('names the operation of a patch that does not apply', () => {
  const patch = [
    { op: 'add', path: '/a', value: 1 },
    { op: 'remove', path: '/b' },
  ];
  expect(() => patched('w', {}, JSON.stringify(patch))).toThrow(
    'remove operation does not apply: doc is missing path: "/b": missing value',
  );
});
