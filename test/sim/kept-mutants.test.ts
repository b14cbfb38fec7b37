import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { keptMutants } from './kept-mutants.ts';

const EACH = Object.entries(keptMutants)
  .flatMap(([lifecycle, mutants]) => mutants.map((mutant) => ({ lifecycle, ...mutant })))
  .map((mutant, index) => ({ ...mutant, changed: `${index}.ts` }));

const OXLINT = join(import.meta.dirname, '../../node_modules/.bin/oxlint');

describe('a kept mutant', () => {
  let folder = '';
  let undeclared: readonly Finding[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lifehook-kept-mutants-'));
    for (const { file, text, by, changed } of EACH) {
      const original = await readFile(file, 'utf8');
      await writeFile(
        join(folder, changed),
        original.replace(text, () => by),
      );
    }
    undeclared = await undeclaredNames(folder);
  });

  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  it.each(EACH)('of $lifecycle finds its text once: $name', async ({ file, text }) => {
    expect((await readFile(file, 'utf8')).split(text)).toHaveLength(2);
  });

  // An undeclared name throws, so the simulation would find the mistake of the mutant instead of its defect.
  it.each(EACH)('of $lifecycle uses declared names only: $name', ({ changed }) => {
    const found = undeclared.filter(({ filename }) => filename === changed);
    expect(found.map(({ message }) => message)).toEqual([]);
  });
});

interface Finding {
  readonly filename: string;
  readonly message: string;
}

async function undeclaredNames(folder: string): Promise<readonly Finding[]> {
  const config = {
    categories: { correctness: 'off' },
    rules: { 'no-undef': 'error' },
    env: { node: true },
  };
  await writeFile(join(folder, '.oxlintrc.json'), JSON.stringify(config));
  const output = await new Promise<string>((resolve) => {
    // The error is ignored, because oxlint exits with 1 if it has found something.
    execFile(OXLINT, ['--format=json', '.'], { cwd: folder }, (_error, stdout) => {
      resolve(stdout);
    });
  });
  return (JSON.parse(output) as { readonly diagnostics: readonly Finding[] }).diagnostics;
}
