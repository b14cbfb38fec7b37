/** What `npm run sim` is asked to do. */
import { parseArgs } from 'node:util';

import { asError } from '../../src/platform/error-text.ts';
import { coveragePlans } from './coverage-plans.ts';
import { lifecycles, type Simulation } from './lifecycles.ts';

/** The dice have 32 bits: a later seed repeats an earlier one. */
const SEEDS_MAX = 2 ** 32;

export interface SimOptions {
  readonly lifecycle: string;
  readonly simulate: Simulation;
  /** The first seed. */
  readonly from: number;
  readonly seeds: number;
  /** Only the first seed is replayed. */
  readonly isReplay: boolean;
  readonly shrink: boolean;
  readonly keep: string | undefined;
  readonly focus: string | undefined;
}

/** A string is what is wrong with the arguments: none is left unread. */
export function readSimOptions(args: readonly string[]): SimOptions | string {
  const values = parse(args);
  if (typeof values === 'string') return values;
  const { lifecycle, seed, shrink, focus, keep } = values;
  const simulate = Object.hasOwn(lifecycles, lifecycle) ? lifecycles[lifecycle] : undefined;
  if (simulate === undefined) {
    return `--lifecycle is one of ${Object.keys(lifecycles).join(', ')}. Received ${lifecycle}.`;
  }
  const range = readRange(values);
  if (typeof range === 'string') return range;
  const options = { lifecycle, simulate, ...range, shrink, keep, focus };
  return unreadOption(options, seed) ?? { ...options, isReplay: seed !== undefined };
}

const isSeed = (number: number | undefined): number is number =>
  number !== undefined && Number.isInteger(number) && number > 0;

interface Range {
  readonly seed?: string | undefined;
  readonly from: string;
  readonly seeds: string;
}

function readRange(given: Range): Pick<SimOptions, 'from' | 'seeds'> | string {
  const isOne = given.seed !== undefined;
  const [from, seeds] = [given.seed ?? given.from, isOne ? '1' : given.seeds].map(Number);
  if (isSeed(from) && isSeed(seeds) && from + seeds - 1 <= SEEDS_MAX) return { from, seeds };
  const received = given.seed ?? `--from ${given.from} --seeds ${given.seeds}`;
  return `Seeds are whole numbers from 1 to ${SEEDS_MAX}: later ones repeat them. Received ${received}.`;
}

function unreadOption(
  { lifecycle, shrink, focus, keep }: Omit<SimOptions, 'isReplay'>,
  seed: string | undefined,
): string | null {
  if (seed === undefined && (shrink || focus !== undefined)) {
    return '--shrink and --focus are of one seed: give it as --seed S.';
  }
  const isKept = keep === undefined || (shrink && /^[a-z0-9-]+$/.test(keep));
  if (isKept) return focus === undefined ? null : problemOfFocus(lifecycle, focus);
  return '--keep NAME is of --shrink, and NAME is of lower-case letters, digits and dashes.';
}

function problemOfFocus(lifecycle: string, focus: string): string | null {
  const phases = coveragePlans[lifecycle]?.rules.phases ?? [];
  return phases.includes(focus)
    ? null
    : `--focus is one of ${phases.join(', ')}. Received ${focus}.`;
}

function parse(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        lifecycle: { type: 'string', default: 'engine' },
        seeds: { type: 'string', default: '1000' },
        from: { type: 'string', default: '1' },
        seed: { type: 'string' },
        shrink: { type: 'boolean', default: false },
        keep: { type: 'string' },
        focus: { type: 'string' },
      },
    });
    return values;
  } catch (error) {
    return asError(error).message;
  }
}
