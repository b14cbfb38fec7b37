import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import { exact, type Same } from './exact-schema.ts';

interface Item {
  name: string;
  size?: number;
  mode: 'a' | 'b';
}

const schema = z.strictObject({
  name: z.string(),
  size: z.int().exactOptional(),
  mode: z.enum(['a', 'b']),
});

/** Each is a statement about types, which the compiler judges. */
const judged: readonly [string, boolean][] = [
  ['its own', true satisfies Same<z.output<typeof schema>, Item>],
  ['one without a field', false satisfies Same<z.output<typeof schema>, Omit<Item, 'size'>>],
  [
    'one with a field more',
    false satisfies Same<z.output<typeof schema>, Item & { more?: string }>,
  ],
  ['one that has to have a field', false satisfies Same<z.output<typeof schema>, Required<Item>>],
  ['one with fewer choices', false satisfies Same<z.output<typeof schema>, Item & { mode: 'a' }>],
  ['one with more choices', false satisfies Same<'a' | 'b', 'a' | 'b' | 'c'>],
  ['one that lists others', false satisfies Same<{ of: Item[] }, { of: Omit<Item, 'size'>[] }>],
];

describe('exact', () => {
  it('accepts only the interface that equals the output type of the schema', () => {
    expect(judged.filter(([, same]) => same).map(([what]) => what)).toEqual(['its own']);
  });

  it('returns the schema itself', () => {
    expect(exact<Item>()(schema)).toBe(schema);
  });
});
