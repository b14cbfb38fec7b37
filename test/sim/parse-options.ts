/**
 * Parses options that the commands of the simulations share. A returned string is an error message. Unknown options are
 * errors.
 */
import { parseArgs, type ParseArgsConfig } from 'node:util';

import { asError } from '../../src/platform/error-text.ts';

/** Seeds have 32 bits, so a greater seed would repeat a smaller one. */
const SEEDS_MAX = 2 ** 32;

type Config = NonNullable<ParseArgsConfig['options']>;

type Values<T extends Config> = ReturnType<
  typeof parseArgs<{ args: string[]; options: T }>
>['values'];

export function parseOptions<T extends Config>(
  args: readonly string[],
  options: T,
): Values<T> | string {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    return asError(error).message;
  }
}

export interface SeedRange {
  /** The first seed. */
  readonly from: number;
  readonly seeds: number;
}

export function readRange(given: {
  readonly from: string;
  readonly seeds: string;
}): SeedRange | string {
  const [from, seeds] = [Number(given.from), Number(given.seeds)];
  if (isCount(from) && isCount(seeds) && from + seeds - 1 <= SEEDS_MAX) return { from, seeds };
  const received = `--from ${given.from} --seeds ${given.seeds}`;
  return `Seeds are whole numbers from 1 to ${SEEDS_MAX}: later ones repeat them. Received ${received}.`;
}

export const isCount = (number: number): boolean => Number.isInteger(number) && number > 0;

/** The name of the chosen lifecycle, or of all lifecycles if none is chosen. */
export function chooseNames(
  chosen: string | undefined,
  known: readonly string[],
): readonly string[] | string {
  if (chosen === undefined) return known;
  return known.includes(chosen) ? [chosen] : unknownName(chosen, known);
}

export function unknownName(name: string, known: readonly string[]): string {
  return `--lifecycle is one of ${known.join(', ')}. Received ${name}.`;
}
