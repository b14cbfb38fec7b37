/** Formats the output of a run of the mutants. */
import { belowFloor, scoreOf, type Judgement } from './judge.ts';
import type { MutantModule } from './mutant-module.ts';
import type { TriedMutant } from './try-mutants.ts';

export interface Row {
  readonly module: MutantModule;
  readonly judgement: Judgement;
  /** Number of mutants that were not tried, because only the loading of a module evaluates them. */
  readonly constants: number;
  /** False: only a part of the module was tried, so the floor does not apply. */
  readonly judged: boolean;
}

const WIDTH = 16;

export function scoreTable(rows: readonly Row[]): string {
  const titles = ['module', 'mutants', 'killed', 'score', 'listed', 'open', 'floor', 'constants'];
  const lines = rows.map(({ module, judgement, constants }) => [
    module.name,
    judgement.tried,
    judgement.killed,
    `${scoreOf(judgement).toFixed(1)} %`,
    judgement.allowed,
    judgement.open.length,
    `${module.floor} %`,
    constants,
  ]);
  return [titles, ...lines]
    .map((cells) =>
      cells
        .map((cell) => `${cell}`.padEnd(WIDTH))
        .join('')
        .trimEnd(),
    )
    .join('\n');
}

/** The position of a survivor, then an entry for survivors/NAME.json without its reason. */
export function survivorText({ file, lineNumber, mutator, from, to, line }: TriedMutant): string {
  const entry = { file, mutator, from, to, line, reason: '' };
  return `Survived ${file}:${lineNumber}\n${JSON.stringify(entry, null, 2)},`;
}

/** Problems of a module; each begins with the module's name. */
export function problemsOf({ module, judgement, judged }: Row): string[] {
  const stale = judgement.stale.map(
    ({ file, mutator, from, to }) =>
      `${module.name}: no mutant survives in ${file} with ${mutator} from "${from}" to "${to}"; ` +
      `delete the entry of test/mutants/survivors/${module.name}.json`,
  );
  const below = judged ? belowFloor(judgement, module.floor) : null;
  return below === null ? stale : [`${module.name}: ${below}`, ...stale];
}
