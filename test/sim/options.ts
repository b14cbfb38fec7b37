/** Parses the options of `npm run sim`. */
import { coveragePlans } from './coverage-plans.ts';
import { lifecycles, type Simulation } from './lifecycles.ts';
import { parseOptions, readRange, type SeedRange, unknownName } from './parse-options.ts';

export interface SimOptions extends SeedRange {
  readonly lifecycle: string;
  readonly simulate: Simulation;
  /** True if only the first seed is replayed. */
  readonly isReplay: boolean;
  readonly shrink: boolean;
  readonly keep: string | undefined;
  readonly focus: string | undefined;
}

const OPTIONS = {
  lifecycle: { type: 'string', default: 'engine' },
  seeds: { type: 'string', default: '1000' },
  from: { type: 'string', default: '1' },
  seed: { type: 'string' },
  shrink: { type: 'boolean', default: false },
  keep: { type: 'string' },
  focus: { type: 'string' },
} as const;

/** A returned string is an error message about the arguments. */
export function readSimOptions(args: readonly string[]): SimOptions | string {
  const values = parseOptions(args, OPTIONS);
  if (typeof values === 'string') return values;
  const { lifecycle, seed, shrink, focus, keep } = values;
  const simulate = Object.hasOwn(lifecycles, lifecycle) ? lifecycles[lifecycle] : undefined;
  if (simulate === undefined) {
    return unknownName(lifecycle, Object.keys(lifecycles));
  }
  const range = readRange(seed === undefined ? values : { from: seed, seeds: '1' });
  if (typeof range === 'string') return range;
  const options = { lifecycle, simulate, ...range, shrink, keep, focus };
  return unreadOption(options, seed) ?? { ...options, isReplay: seed !== undefined };
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
