/**
 * Selects the hooks of each stage from the ordered hook files and one container's facts. Pure. Extension stages are
 * separate: their hooks are never in config.json.
 */
import type { Problem } from '../../../model/problem.ts';
import type { ExtensionStage, OciHook, Stage } from '../points.ts';
import { positionOf } from './check-hook.ts';
import type { ContainerFacts, HookFile } from './hook-file.ts';
import { matchHookFile, type Matching } from './match.ts';

/**
 * createRuntime: hooks for the deprecated prestart stage are injected into createRuntime, as Podman and CRI-O do since
 * 2024. keep: they stay in prestart, for runtimes that support nothing else.
 */
export type PrestartMode = 'createRuntime' | 'keep';

export interface SelectedHook {
  readonly file: HookFile;
  readonly hook: OciHook;
}

export interface Selection {
  readonly stages: Readonly<Record<Stage, readonly SelectedHook[]>>;
  readonly extensions: Readonly<Record<ExtensionStage, readonly SelectedHook[]>>;
  /** The problems of the hook files. If one of them is an error, the container must not be created. */
  readonly problems: readonly Problem[];
}

export interface Selecting extends Matching {
  readonly prestart: PrestartMode;
}

export function selectHooks(
  files: readonly HookFile[],
  facts: ContainerFacts,
  selecting: Selecting,
): Selection {
  const chosen = new Map<string, SelectedHook[]>();
  const problems: Problem[] = [];
  for (const file of files) {
    const verdict = matchHookFile(file, facts, selecting);
    if (verdict.kind === 'refused') problems.push(verdict.problem);
    if (verdict.kind !== 'match') continue;
    problems.push(...stageTraps(file, selecting.prestart));
    for (const stage of targetStages(file, selecting.prestart)) {
      const hooks = chosen.get(stage) ?? [];
      chosen.set(stage, hooks);
      hooks.push({ file, hook: file.hook });
    }
  }
  const hooksOf = (stage: string): SelectedHook[] => chosen.get(stage) ?? [];
  return {
    stages: {
      prestart: hooksOf('prestart'),
      createRuntime: hooksOf('createRuntime'),
      createContainer: hooksOf('createContainer'),
      startContainer: hooksOf('startContainer'),
      poststart: hooksOf('poststart'),
      poststop: hooksOf('poststop'),
    },
    extensions: { precreate: hooksOf('precreate'), postexit: hooksOf('postexit') },
    problems,
  };
}

/** The stages of the hook, each once, even if Podman and CRI-O would inject the hook twice. */
export function targetStages(file: HookFile, prestart: PrestartMode): ReadonlySet<string> {
  const mapped = file.stages.map((stage) =>
    stage === 'prestart' && prestart === 'createRuntime' ? 'createRuntime' : stage,
  );
  return new Set(mapped);
}

/** Warns if Podman and CRI-O would inject a hook twice. */
export function stageTraps(file: HookFile, prestart: PrestartMode): Problem[] {
  const repeated = file.stages.findIndex((stage, index) => file.stages.indexOf(stage) !== index);
  const both = file.stages.includes('prestart') && file.stages.includes('createRuntime');
  return [
    ...(repeated === -1 ? [] : [duplicateStage(file, repeated)]),
    ...(both ? [bothCreateStages(file, prestart)] : []),
  ];
}

function duplicateStage(file: HookFile, index: number): Problem {
  return {
    code: 'LHC122',
    severity: 'warning',
    message: `The stage "${file.stages[index]}" is named twice: Lifehook injects the hook once, but Podman and CRI-O inject it twice.`,
    at: positionOf(file, `stages[${index}]`),
    next: 'Remove the repetition.',
  };
}

function bothCreateStages(file: HookFile, prestart: PrestartMode): Problem {
  const effect =
    prestart === 'createRuntime'
      ? 'are one stage today; the hook is injected once, but Podman and CRI-O inject it twice'
      : 'run one after the other; in this mode the hook runs in both';
  return {
    code: 'LHC121',
    severity: 'warning',
    message: `"prestart" and "createRuntime" ${effect}.`,
    at: positionOf(file, `stages[${file.stages.indexOf('prestart')}]`),
    next: 'Name only createRuntime, or only prestart for runtimes older than OCI 1.0.2.',
  };
}
