/**
 * Explains why each hook file does or does not apply to a container: every found file, the file that masks it,
 * every condition with the tried values, and the stages of its hook. Pure.
 */
import type { Problem } from '../../../model/problem.ts';
import type { ContainerFacts, HookFile } from './hook-file.ts';
import { matchHookFile, type Condition, type Verdict } from './match.ts';
import { pathOf } from './read-hook-file.ts';
import type { EntryState, LoadedSet } from './resolve.ts';
import { selectHooks, targetStages, type Selecting, type Selection } from './select.ts';

export interface Explanation {
  /**
   * In the order of injection by name. Of several files with the same name, the one in the directory with the highest
   * precedence is first.
   */
  readonly files: readonly ExplainedFile[];
  /** The injected hooks: the final order per stage. */
  readonly selection: Selection;
}

export interface ExplainedFile {
  readonly path: string;
  readonly state: EntryState;
  readonly schema?: HookFile['schema'];
  readonly maskedBy?: string;
  /** Absent for a file that is not in force: its conditions are not evaluated. */
  readonly verdict?: Verdict;
  /** Every condition of a file in force, including those after the deciding one. */
  readonly conditions: readonly Condition[];
  /** The stages that the hook is injected into; empty without a match. */
  readonly into: readonly string[];
  readonly problems: readonly Problem[];
}

export function explainHooks(
  set: LoadedSet,
  facts: ContainerFacts,
  selecting: Omit<Selecting, 'trace'>,
): Explanation {
  const inForce = new Set(set.active);
  const files = set.entries.map((entry): ExplainedFile => {
    const { state, file, maskedBy, problems } = entry;
    const found = {
      path: pathOf(entry),
      state,
      problems,
      ...(file !== undefined && { schema: file.schema }),
      ...(maskedBy !== undefined && { maskedBy }),
    };
    if (file === undefined || !inForce.has(file)) return { ...found, conditions: [], into: [] };
    return { ...found, ...explainFile(file, facts, selecting) };
  });
  return { files, selection: selectHooks(set.active, facts, selecting) };
}

function explainFile(
  file: HookFile,
  facts: ContainerFacts,
  { matcherOf, prestart }: Omit<Selecting, 'trace'>,
): Pick<ExplainedFile, 'verdict' | 'conditions' | 'into'> {
  const conditions: Condition[] = [];
  const trace = (condition: Condition): number => conditions.push(condition);
  const verdict = matchHookFile(file, facts, { matcherOf, trace });
  const into = verdict.kind === 'match' ? [...targetStages(file, prestart)] : [];
  return { verdict, conditions, into };
}
