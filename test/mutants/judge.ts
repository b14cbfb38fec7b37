/**
 * Judges the mutants of one module: its score, survivors that are not accepted, and stale entries of the list of
 * accepted ones.
 */
import type { TriedMutant } from './try-mutants.ts';

/** An accepted survivor; see test/README.md. */
export interface AllowedSurvivor {
  readonly file: string;
  readonly mutator: string;
  readonly from: string;
  readonly to: string;
  /** The source line; needed if the same change is not accepted elsewhere in the file. */
  readonly line?: string;
  readonly reason: string;
}

export interface Judgement {
  readonly tried: number;
  readonly killed: number;
  readonly allowed: number;
  readonly open: readonly TriedMutant[];
  readonly stale: readonly AllowedSurvivor[];
}

export function judge(tried: readonly TriedMutant[], list: readonly AllowedSurvivor[]): Judgement {
  const survivors = tried.filter(({ killed }) => !killed);
  const isListed = (mutant: TriedMutant): boolean => list.some((entry) => allows(entry, mutant));
  const files = new Set(tried.map(({ file }) => file));
  return {
    tried: tried.length,
    killed: tried.length - survivors.length,
    allowed: survivors.filter(isListed).length,
    open: survivors.filter((mutant) => !isListed(mutant)),
    stale: list.filter(
      (entry) => files.has(entry.file) && !survivors.some((mutant) => allows(entry, mutant)),
    ),
  };
}

function allows(entry: AllowedSurvivor, mutant: TriedMutant): boolean {
  return (
    entry.file === mutant.file &&
    entry.mutator === mutant.mutator &&
    entry.from === mutant.from &&
    entry.to === mutant.to &&
    (entry.line ?? mutant.line) === mutant.line
  );
}

/** Percentage of killed mutants. Accepted survivors count as not killed here. */
export function scoreOf({ tried, killed }: Judgement): number {
  return tried === 0 ? 100 : (100 * killed) / tried;
}

/**
 * The message if the score is below the floor; null if the floor is reached. For a few mutants a percentage is too
 * coarse, so the allowed number of survivors is rounded up. One of three may survive in a changed file.
 */
export function belowFloor({ tried, open }: Judgement, floor: number): string | null {
  const mayRemain = Math.ceil((tried * (100 - floor)) / 100);
  if (open.length <= mayRemain) return null;
  return `${open.length} of ${tried} mutants survive without a reason; a floor of ${floor} % allows ${mayRemain}`;
}
