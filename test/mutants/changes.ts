/** The changed lines of the modules since a base commit; at most as many as the CI gate has time for. */
import { mutatedFiles, type MutantModule } from './mutant-module.ts';

/** Lines count from 1; `last` is included. */
export interface LineRange {
  readonly file: string;
  readonly first: number;
  readonly last: number;
}

export interface ChosenChanges {
  readonly byModule: readonly {
    readonly module: MutantModule;
    readonly ranges: readonly LineRange[];
  }[];
  readonly leftOut: readonly LineRange[];
}

const HUNK = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/;

/** Reads the output of `git diff --unified=0`; returns the lines that only the new version has. */
export function changedRanges(diff: string): LineRange[] {
  const ranges: LineRange[] = [];
  let file: string | undefined;
  for (const line of diff.split('\n')) {
    if (line.startsWith('+++ ')) file = line.startsWith('+++ b/') ? line.slice(6) : undefined;
    const [, first, count = '1'] = HUNK.exec(line) ?? [];
    if (file === undefined || first === undefined || count === '0') continue;
    ranges.push({ file, first: Number(first), last: Number(first) + Number(count) - 1 });
  }
  return ranges;
}

/**
 * Takes ranges until `linesMax` lines are used up. It goes module after module in the order of the table, so that the
 * most dangerous modules are never left out. Within a module it takes one range of each file in turn, so that a large
 * file does not use up the lines of the others. A range that does not fit is truncated.
 */
export function chooseChanges(
  ranges: readonly LineRange[],
  modules: readonly MutantModule[],
  linesMax: number,
): ChosenChanges {
  const leftOut: LineRange[] = [];
  let left = linesMax;
  const byModule = modules.map((module) => {
    const files = new Set(mutatedFiles(module, [...new Set(ranges.map(({ file }) => file))]));
    const taken: LineRange[] = [];
    for (const range of inTurn(ranges.filter(({ file }) => files.has(file)))) {
      const last = Math.min(range.last, range.first + left - 1);
      if (last >= range.first) taken.push({ ...range, last });
      if (last < range.last) leftOut.push({ ...range, first: last + 1 });
      left -= last - range.first + 1;
    }
    return { module, ranges: taken };
  });
  return { byModule: byModule.filter(({ ranges: taken }) => taken.length > 0), leftOut };
}

/** The first range of every file, then the second of every file, and so on. */
function inTurn(ranges: readonly LineRange[]): LineRange[] {
  const seen = new Map<string, number>();
  const turns = ranges.map((range) => {
    const turn = seen.get(range.file) ?? 0;
    seen.set(range.file, turn + 1);
    return { range, turn };
  });
  return turns.toSorted((a, b) => a.turn - b.turn).map(({ range }) => range);
}
