/**
 * Parses the arguments of `npm run sim:coverage`, `sim:mutants` and `sim:million`. A returned string is an error
 * message.
 */
import { availableParallelism } from 'node:os';

import { coveragePlans } from './coverage-plans.ts';
import { keptMutants } from './kept-mutants.ts';
import { lifecycles } from './lifecycles.ts';
import type { Work } from './million/chunks.ts';
import { chooseNames, isCount, parseOptions, readRange } from './parse-options.ts';

export interface CoverageOptions {
  readonly names: readonly string[];
  /** Number of seeds; null: the number in the lifecycle's plan. */
  readonly seeds: number | null;
}

export function readCoverageOptions(args: readonly string[]): CoverageOptions | string {
  const values = parseOptions(args, { lifecycle: { type: 'string' }, seeds: { type: 'string' } });
  if (typeof values === 'string') return values;
  const names = chooseNames(values.lifecycle, Object.keys(coveragePlans));
  if (typeof names === 'string') return names;
  if (values.seeds === undefined) return { names, seeds: null };
  const range = readRange({ from: '1', seeds: values.seeds });
  return typeof range === 'string' ? range : { names, seeds: range.seeds };
}

export interface MutantOptions {
  /** The lifecycles whose mutants are tried. */
  readonly names: readonly string[];
  /** `{ number: 2, of: 3 }`: the second third of their mutants. */
  readonly part: { readonly number: number; readonly of: number };
}

export function readMutantOptions(args: readonly string[]): MutantOptions | string {
  const values = parseOptions(args, {
    lifecycle: { type: 'string' },
    part: { type: 'string', default: '1/1' },
  });
  if (typeof values === 'string') return values;
  const names = chooseNames(values.lifecycle, Object.keys(keptMutants));
  if (typeof names === 'string') return names;
  const [number = 0, of = 0, ...more] = values.part.split('/').map(Number);
  if (!isCount(number) || !isCount(of) || number > of || more.length > 0) {
    return `--part is K/N, with K from 1 to N. Received ${values.part}.`;
  }
  return { names, part: { number, of } };
}

export interface MillionOptions {
  readonly work: Work;
  readonly workers: number;
}

export function readMillionOptions(args: readonly string[]): MillionOptions | string {
  const values = parseOptions(args, {
    lifecycle: { type: 'string' },
    seeds: { type: 'string', default: '1000000' },
    from: { type: 'string', default: '1' },
    workers: { type: 'string', default: String(availableParallelism()) },
  });
  if (typeof values === 'string') return values;
  const names = chooseNames(values.lifecycle, Object.keys(lifecycles));
  if (typeof names === 'string') return names;
  const range = readRange(values);
  if (typeof range === 'string') return range;
  const workers = Number(values.workers);
  if (!isCount(workers)) {
    return `--workers is a whole number from 1. Received ${values.workers}.`;
  }
  return { work: { lifecycles: names, ...range }, workers };
}
