/** Artifacts whose builder Lifehook does not run, once lifehook.yaml had its say: refused, or left out. Pure. */
import type { Problem } from '../../../model/problem.ts';
import { REFUSED_BUILDERS } from './field-effects.ts';
import { refusedProblem } from './judge-fields.ts';
import type { Artifact, ModuleConfig } from './model.ts';

export interface BuildableModules {
  /** Without artifacts that are not built here. */
  readonly modules: readonly ModuleConfig[];
  /** Warnings where they are ignored. */
  readonly problems: readonly Problem[];
}

export function withoutRefusedBuilders(
  modules: readonly ModuleConfig[],
  isIgnored: boolean,
): BuildableModules {
  const artifacts = modules.flatMap(({ build }) => build.artifacts);
  return {
    problems: artifacts.flatMap((one) => problemOf(one, isIgnored)),
    modules: modules.map((module) => ({
      ...module,
      build: {
        ...module.build,
        artifacts: module.build.artifacts.filter(({ builder }) => builder.kind !== 'unsupported'),
      },
    })),
  };
}

function problemOf({ image, builder }: Artifact, isIgnored: boolean): readonly Problem[] {
  if (builder.kind !== 'unsupported') return [];
  const rule = REFUSED_BUILDERS[`Artifact.${builder.name}`];
  if (rule === undefined) throw new Error(`no rule for the builder ${builder.name}`);
  const problem = refusedProblem(
    { path: `${builder.name} of ${image}`, at: builder.at, rule },
    isIgnored,
  );
  if (isIgnored) return [problem];
  const next = `Call ${builder.name} in the buildCommand of a custom builder, or give --ignore-unsupported: then ${rule.ignored}.`;
  return [{ ...problem, next }];
}
