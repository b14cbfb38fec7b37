import { expect, it } from 'vitest';

import { readOptions } from './options.ts';

const FILES = ['src/engine/retry.ts', 'src/engine/retry.test.ts', 'src/cli/main.ts'];

it('takes modules, files of them, and a base of the changes', () => {
  const one = readOptions(['--module', 'engine', 'src/engine/retry.ts'], FILES);
  expect(one).toMatchObject({ changed: false, rest: ['src/engine/retry.ts'] });
  const other = readOptions(['--changed', 'main', '--lines', '7'], FILES);
  expect(other).toMatchObject({ changed: true, rest: ['main'], lines: 7 });
});

it.each([
  [['--modul', 'engine'], "Unknown option '--modul'"],
  [['--module', 'motor'], 'there is no module motor'],
  [['src/engine/retri.ts'], 'no chosen module mutates src/engine/retri.ts'],
  [['./src/engine/retry.ts'], 'no chosen module mutates ./src/engine/retry.ts'],
  [['src/engine/retry.test.ts'], 'no chosen module mutates src/engine/retry.test.ts'],
  [['--module', 'pod', 'src/engine/retry.ts'], 'no chosen module mutates src/engine/retry.ts'],
  [['--changed', 'main', 'HEAD'], '--changed compares with one commit'],
  [['--changed', '--lines', '1.5'], '--lines takes a whole number from 1'],
  [['--changed', '--lines', 'many'], '--lines takes a whole number from 1'],
])('says what is wrong with %j', (args, problem) => {
  expect(readOptions(args, FILES)).toContain(problem);
});
