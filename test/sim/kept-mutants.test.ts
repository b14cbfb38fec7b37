import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { keptMutants } from './kept-mutants.ts';

const EACH = Object.entries(keptMutants).flatMap(([lifecycle, mutants]) =>
  mutants.map((mutant) => ({ lifecycle, ...mutant })),
);

describe('a kept mutant', () => {
  it.each(EACH)('of $lifecycle finds its text once: $name', ({ file, text }) => {
    expect(readFileSync(file, 'utf8').split(text)).toHaveLength(2);
  });
});
