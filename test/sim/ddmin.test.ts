import { describe, expect, it } from 'vitest';

import { ddmin } from './ddmin.ts';

const ITEMS = Array.from({ length: 37 }, (_, index) => index);

function failsWith(...needed: number[]): (part: readonly number[]) => Promise<boolean> {
  return (part) => Promise.resolve(needed.every((item) => part.includes(item)));
}

describe('ddmin', () => {
  it.each([[[]], [[0]], [[36]], [[3, 17, 36]], [[11, 12, 13, 14]], [ITEMS]])(
    'finds the items that a failure needs: %j',
    async (needed) => {
      expect(await ddmin(ITEMS, failsWith(...needed))).toEqual(needed);
    },
  );

  it('leaves no single item that can be left out where any two of three fail', async () => {
    const anyTwo = (part: readonly number[]): Promise<boolean> =>
      Promise.resolve([5, 20, 30].filter((item) => part.includes(item)).length >= 2);
    expect(await ddmin(ITEMS, anyTwo)).toHaveLength(2);
  });
});
