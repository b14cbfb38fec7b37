import { expect, it } from 'vitest';

import { fieldsAt, listAt, numberAt, textAt } from './fields.ts';

it('counts a field of another type as absent, also where no schema has checked the object', () => {
  const others = [undefined, null, 7, Number.NaN, '7', true, ['a'], { a: 1 }];
  expect(others.map((one) => fieldsAt(one))).toEqual([{}, {}, {}, {}, {}, {}, {}, { a: 1 }]);
  expect(others.map((one) => listAt(one))).toEqual([[], [], [], [], [], [], ['a'], []]);
  expect(others.map((one) => textAt(one))).toEqual(['', '', '', '', '7', '', '', '']);
  const u = undefined;
  expect(others.map((one) => numberAt(one))).toEqual([u, u, 7, u, u, u, u, u]);
});
