import { expect, test } from 'vitest';

import { EVERYTHING } from './filter.ts';
import { type Place, placeHash, placeOf } from './permalink.ts';

const opening: Place = { bar: null, window: null, filter: EVERYTHING, shows: 'chart' };

test('a page as it opens needs no link', () => {
  expect(placeHash(opening)).toBe('');
  expect(placeOf('')).toEqual(opening);
});

test('what is in a link comes out of it', () => {
  const place: Place = {
    bar: 'snapshot/shop/nightly&x=1#2 ü',
    window: { fromMs: 1_764_000_000_000, toMs: 1_764_000_004_000 },
    filter: { text: 'db & web', lifecycles: ['pod'], outcomes: ['Failed', 'Unknown'] },
    shows: 'table',
  };
  expect(placeOf(placeHash(place))).toEqual(place);
});

test('what is not understood is left out', () => {
  expect(placeOf('#from=5&to=4&lifecycle=moon,pod&outcome=&view=3d')).toEqual({
    ...opening,
    filter: { ...EVERYTHING, lifecycles: ['pod'] },
  });
  expect(placeOf('#from=abc&to=4').window).toBeNull();
});
