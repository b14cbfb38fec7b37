/**
 * Tries the mutants of a fixture. Each function of the fixture shows one way in which a mutant is killed or survives.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

import { instrument } from '../mutants/instrument.ts';
import { tryMutants } from '../mutants/try-mutants.ts';

const FIXTURE = 'test/fixtures/mutants';
const SOURCE = readFileSync(`${FIXTURE}/account.ts`, 'utf8');

it('reports which mutants a test kills, which survive and which cannot be tried', async () => {
  const instrumented = await instrument([`${FIXTURE}/account.ts`]);
  const { tried, constants } = await tryMutants({ instrumented, tests: [FIXTURE], stallMs: 5000 });
  const inFunction = (name: string) => {
    const lines = SOURCE.split('\n');
    const first = lines.findIndex((line) => line.includes(`function ${name}(`)) + 1;
    const last = lines.indexOf('}', first) + 1;
    return tried
      .filter(({ lineNumber }) => lineNumber > first && lineNumber <= last)
      .map(({ from, to, killedBy }) => [`${from} -> ${to}`, killedBy?.replace(/^.*?: /, '')]);
  };
  expect(constants.map(({ from }) => from)).toEqual(["'limit'"]);
  expect(inFunction('isCovered').map(([, killedBy]) => killedBy)).not.toContain(undefined);
  expect(inFunction('isUnseen').map(([, killedBy]) => killedBy)).toEqual(Array(4).fill(undefined));
  expect(inFunction('isUntested').map(([, killedBy]) => killedBy)).toEqual(
    Array(4).fill(undefined),
  );
  // Only beforeAll calls this function, and no mutant is active at that time.
  expect(inFunction('opened')).toEqual([['amount + 1 -> amount - 1', undefined]]);
  expect(inFunction('countTo')).toContainEqual(['count += 1 -> count -= 1', 'an endless loop']);
  expect(inFunction('stepOf')).toContainEqual([
    'from < to -> false',
    'The process hung or ended, twice',
  ]);
  expect(inFunction('later')).toContainEqual([
    'isOpen -> false',
    'nothing was left that could end the test',
  ]);
  expect(inFunction('later')).toContainEqual(['isOpen -> true', undefined]);
});
