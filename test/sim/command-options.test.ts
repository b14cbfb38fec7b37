import { expect, it } from 'vitest';

import { readCoverageOptions, readMillionOptions, readMutantOptions } from './command-options.ts';

it('takes one lifecycle or all of them, and a number of seeds', () => {
  expect(readCoverageOptions(['--lifecycle', 'pod', '--seeds', '7'])).toEqual({
    names: ['pod'],
    seeds: 7,
  });
  expect(readCoverageOptions([])).toMatchObject({
    names: expect.arrayContaining(['pod']),
    seeds: null,
  });
  expect(readMutantOptions(['--lifecycle', 'engine'])).toEqual({
    names: ['engine'],
    part: { number: 1, of: 1 },
  });
  expect(readMutantOptions(['--part', '2/3'])).toMatchObject({ part: { number: 2, of: 3 } });
  const million = ['--lifecycle', 'pod', '--from', '4294967294', '--seeds', '3', '--workers', '2'];
  expect(readMillionOptions(million)).toEqual({
    work: { lifecycles: ['pod'], from: 4_294_967_294, seeds: 3 },
    workers: 2,
  });
  expect(readMillionOptions([])).toMatchObject({ work: { from: 1, seeds: 1_000_000 } });
});

it.each([
  [['--nosuch'], "Unknown option '--nosuch'"],
  [['engine'], "Unexpected argument 'engine'"],
  [['--lifecycle', 'constructor'], 'Received constructor'],
])('says of each command what is wrong with %j', (args, problem) => {
  expect(readCoverageOptions(args)).toContain(problem);
  expect(readMutantOptions(args)).toContain(problem);
  expect(readMillionOptions(args)).toContain(problem);
});

it.each([
  [['--seeds', '0'], 'Seeds are whole numbers from 1 to 4294967296'],
  [['--seeds', 'many'], 'Received --from 1 --seeds many'],
  [['--seeds', '4294967297'], 'later ones repeat them. Received --from 1 --seeds 4294967297'],
])('says of coverage and million what is wrong with %j', (args, problem) => {
  expect(readCoverageOptions(args)).toContain(problem);
  expect(readMillionOptions(args)).toContain(problem);
});

it.each([
  [['--from', '4294967296', '--seeds', '2'], 'Received --from 4294967296 --seeds 2'],
  [['--from', '1.5'], 'Received --from 1.5 --seeds 1000000'],
  [['--workers', '0'], '--workers is a whole number from 1. Received 0'],
])('says of million what is wrong with %j', (args, problem) => {
  expect(readMillionOptions(args)).toContain(problem);
});

it.each(['3', '0/3', '4/3', '1/0', '1.5/3', 'a/b', '1/3/9'])(
  'refuses the part %s of the mutants',
  (part) => {
    expect(readMutantOptions(['--part', part])).toBe(
      `--part is K/N, with K from 1 to N. Received ${part}.`,
    );
  },
);
