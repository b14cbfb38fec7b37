import { expect, test } from 'vitest';

import { EVERYTHING } from './filter.ts';
import { type Place, placeHash, placeOf } from './view.ts';

const opening: Place = { bar: null, window: null, filter: EVERYTHING, shows: 'chart' };

test('the initial page has an empty hash', () => {
  expect(placeHash(opening)).toBe('');
  expect(placeOf('')).toEqual(opening);
});

test('a place is the same after it was written to a hash and read again', () => {
  const place: Place = {
    bar: 'snapshot/shop/nightly&x=1#2 ü',
    window: { fromMs: 1_764_000_000_000, toMs: 1_764_000_004_000 },
    filter: {
      text: 'db & web',
      lifecycles: ['pod'],
      outcomes: ['Failed', 'Unknown'],
      namespace: 'shop',
      lastMs: 3_600_000,
    },
    shows: 'table',
  };
  expect(placeOf(placeHash(place))).toEqual(place);
});

test('unknown and invalid parameters of a hash are ignored', () => {
  expect(placeOf('#from=5&to=4&lifecycle=moon,pod&outcome=&view=3d&last=-1')).toEqual({
    ...opening,
    filter: { ...EVERYTHING, lifecycles: ['pod'] },
  });
  expect(placeOf('#from=abc&to=4').window).toBeNull();
});
