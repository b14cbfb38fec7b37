/** Compares our copy of the rules of kstatus with recorded answers of the Go module for objects of real runs. */
import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { kstatusOf } from './fixtures/gitops/kstatus.ts';

interface Answer {
  readonly kstatus: string;
  readonly object: Parameters<typeof kstatusOf>[0];
}

it('kstatus is restated as the module of Go answers', () => {
  const text = readFileSync('test/fixtures/gitops/recorded.json', 'utf8');
  const { answers } = JSON.parse(text) as { readonly answers: readonly Answer[] };
  expect(answers.map(({ object }) => kstatusOf(object))).toEqual(
    answers.map(({ kstatus }) => kstatus),
  );
  expect([...new Set(answers.map(({ kstatus }) => kstatus))].toSorted()).toEqual([
    'Current',
    'Failed',
    'InProgress',
  ]);
});
