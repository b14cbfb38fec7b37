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
  const [from, seeds] = [seed ?? values.from, seed === undefined ? values.seeds : '1'].map(Number);
  if (!isSeed(from) || !isSeed(seeds) || from + seeds - 1 > SEEDS_MAX) {
    const received = seed === undefined ? `--from ${values.from} --seeds ${values.seeds}` : seed;
    return `Seeds are whole numbers from 1 to ${SEEDS_MAX}: later ones repeat them. Received ${received}.`;
  }
  const options = { lifecycle, simulate, from, seeds, shrink, keep, focus };
  return unreadOption(options, seed) ?? { ...options, isReplay: seed !== undefined };
}

const isSeed = (number: number | undefined): number is number =>
  number !== undefined && Number.isInteger(number) && number > 0;

function unreadOption(
  { lifecycle, shrink, focus, keep }: Omit<SimOptions, 'isReplay'>,
  seed: string | undefined,
): string | null {
  if (seed === undefined && (shrink || focus !== undefined)) {
    return '--shrink and --focus are of one seed: give it as --seed S.';
  }
  const phases = coveragePlans[lifecycle]?.rules.phases ?? [];
  if (focus !== undefined && !phases.includes(focus)) {
    return `--focus is one of ${phases.join(', ')}. Received ${focus}.`;
  }
  if (keep === undefined || (shrink && /^[a-z0-9-]+$/.test(keep))) return null;
  return '--keep NAME is of --shrink, and NAME is of lower-case letters, digits and dashes.';
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
