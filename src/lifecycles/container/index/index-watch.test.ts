import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { betweenPlaces, readWatched, writeWatched } from './index-watch.ts';

describe('writeWatched', () => {
  it('writes one line of ASCII that readWatched reads back, for any names', () => {
    const text = fc.string({ unit: 'grapheme' });
    const watched = fc.array(fc.record({ folder: text, names: text }));
    fc.assert(
      fc.property(watched, (places) => {
        const line = writeWatched(places);
        expect(line.replaceAll(betweenPlaces, '')).toMatch(/^[ -~]*$/);
        const parts = line === '' ? [] : line.split(betweenPlaces);
        expect(readWatched(parts)).toEqual(places);
      }),
    );
  });
});
