import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

import { instrument, TEXT_MAX } from './instrument.ts';

const SOURCE = `export function isOld(age: number): boolean {
  if (age > 9) return true;
  return age > 9;
}
`;

function fileOf(source: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'instrument-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const file = join(folder, 'age.ts');
  writeFileSync(file, source);
  return file;
}

it('names a mutant by the text that it replaces and the line that it is on', async () => {
  const file = fileOf(SOURCE);
  const { mutants } = await instrument([file]);
  expect(mutants.find(({ to }) => to === 'age >= 9')).toEqual({
    id: expect.any(String),
    file,
    mutator: 'EqualityOperator',
    from: 'age > 9',
    to: 'age >= 9',
    line: 'if (age > 9) return true;',
    lineNumber: 2,
  });
});

it('makes only the mutants that begin and end in the given lines', async () => {
  const file = fileOf(SOURCE);
  const { mutants } = await instrument([file], [{ file, first: 3, last: 3 }]);
  expect([...new Set(mutants.map(({ lineNumber }) => lineNumber))]).toEqual([3]);
});

it('puts every mutant behind a switch of its own', async () => {
  const file = fileOf(SOURCE);
  const { code, mutants } = await instrument([file]);
  const text = code.get(file) ?? '';
  expect(mutants.filter(({ id }) => !text.includes(`("${id}")`))).toEqual([]);
});

it('writes text of several lines on one, and cuts it', async () => {
  const { mutants } = await instrument([
    fileOf(`function a() {\n  b();\n\n  ${'c'.repeat(TEXT_MAX)}();\n}`),
  ]);
  expect(mutants.find(({ mutator }) => mutator === 'BlockStatement')?.from).toBe(
    `{ b(); ${'c'.repeat(TEXT_MAX - 7)}`,
  );
});
