/** Chooses the hooks of the hook directories for one container, each with the file that defines it. */
import { LifehookError, type Problem } from '../../../model/problem.ts';
import type { PlacedHook } from '../config/configured-hooks.ts';
import type { Point } from './container.ts';
import { positionOf } from '../hooksd/check-hook.ts';
import type { ContainerFacts } from '../hooksd/hook-file.ts';
import { literalFirst } from '../hooksd/literal-first.ts';
import { loadHooks, refusalsOf, type LoadPolicy } from '../hooksd/load.ts';
import type { ScanOptions } from '../hooksd/scan.ts';
import { selectHooks, type PrestartMode, type SelectedHook } from '../hooksd/select.ts';

export interface HookSource {
  readonly scan: ScanOptions;
  readonly policy: LoadPolicy;
  readonly prestart: PrestartMode;
}

export type HooksByPoint = Readonly<Partial<Record<Point, readonly PlacedHook[]>>>;

export interface ChosenHooks {
  readonly hooks: HooksByPoint;
  /** Problems of the directories that stop nothing. */
  readonly warnings: readonly Problem[];
}

/** Throws a LifehookError if the directories, under this policy, permit no container. */
export async function chooseHooks(source: HookSource, facts: ContainerFacts): Promise<ChosenHooks> {
  const { scan, policy, prestart } = source;
  const set = await loadHooks(scan);
  const selection = selectHooks(set.active, facts, {
    matcherOf: literalFirst(scan.compile),
    prestart,
  });
  const errors = [
    ...refusalsOf(set, policy),
    ...selection.problems.filter(({ severity }) => severity === 'error'),
  ];
  if (errors.length > 0) throw new LifehookError(errors);
  const lists = Object.entries({ ...selection.stages, ...selection.extensions });
  return {
    hooks: Object.fromEntries(lists.map(([point, hooks]) => [point, hooks.map(place)])),
    warnings: [...set.problems, ...selection.problems].map(asWarning),
  };
}

/** For a container that has only the hooks of its config.json. */
export const noHooks: ChosenHooks = { hooks: {}, warnings: [] };

function place({ file, hook }: SelectedHook): PlacedHook {
  return { hook, source: { kind: 'file', ...positionOf(file, 'hook') } };
}

function asWarning(problem: Problem): Problem {
  return { ...problem, severity: 'warning' };
}
