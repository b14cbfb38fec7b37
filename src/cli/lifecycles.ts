/**
 * The table of the lifecycles: what each of them adds to the commands that serve all of them. A lifecycle is deleted with
 * its directories and its lines here (`test/delete-lifecycle.test.ts`). Except for the declarations of commands, a part is
 * loaded when a command needs it.
 */

import type { FileConversion } from './convert/run-convert.ts';
import type {
  Commands,
  CompletionPart,
  DemoActPart,
  LintFilesPart,
  ManifestRulesPart,
  PodWorkersPart,
  RuntimeContainersPart,
  StatusPart,
  TimelineSourcePart,
  WrittenPlacesPart,
} from './lifecycle-parts.ts';
import { addOciCommands } from './container/commands.ts';
import { addPipelineCommands } from './pipeline/commands.ts';
import { addPodCommands } from './pod/commands.ts';
import { addRolloutCommands } from './rollout/commands.ts';
import { addSnapshotCommands } from './snapshot/commands.ts';

/** By lifecycle. */
export type Parts<T> = Readonly<Record<string, () => Promise<T>>>;

export function loadParts<T>(parts: Parts<T>): Promise<readonly T[]> {
  return Promise.all(Object.values(parts).map((load) => load()));
}

/** In the order of the help. */
export const commands: Readonly<Record<string, Commands>> = {
  pipeline: { group: 'Pipeline:', add: addPipelineCommands },
  rollout: { group: 'Kubernetes:', add: addRolloutCommands },
  snapshot: { group: 'Kubernetes:', add: addSnapshotCommands },
  pod: { group: 'Kubernetes:', add: addPodCommands },
  container: { group: 'Containers:', add: addOciCommands },
};

/** What runs the pods of the local cluster: the first. */
export const podWorkers: Parts<PodWorkersPart> = {
  pod: () => import('./pod/pod-workers.ts'),
};

/** What `lifehook lint` checks in manifests. */
export const manifestRules: Parts<ManifestRulesPart> = {
  pod: () => import('./pod/manifest-rules.ts'),
};

/** What `lifehook lint` checks in other files. */
export const lintFiles: Parts<LintFilesPart> = {
  container: () => import('./container/lint-files.ts'),
  pipeline: () => import('./pipeline/lint-files.ts'),
};

/** What `lifehook convert` converts file by file. */
export const fileConversions: Parts<FileConversion> = {
  container: () => import('./container/file-conversion.ts'),
  pipeline: () => import('./pipeline/file-conversion.ts'),
};

/** Hooks of containers of the local cluster that an OCI runtime runs: the first. */
export const runtimeContainers: Parts<RuntimeContainersPart> = {
  container: () => import('./container/hooked-containers.ts'),
};

/** The directories that `lifehook doctor` looks at. */
export const writtenPlaces: Parts<WrittenPlacesPart> = {
  container: () => import('./container/written-places.ts'),
  pipeline: () => import('./pipeline/written-places.ts'),
};

/** What `lifehook ui` shows next to a cluster; null: there is nothing of the kind on this machine. */
export const timelineSources: Parts<TimelineSourcePart> = {
  pipeline: () => import('./pipeline/timeline-source.ts'),
  container: () => import('./container/timeline-source.ts'),
};

/** The acts of `lifehook demo`, in their order. */
export const demoActs: Parts<DemoActPart> = {
  rollout: () => import('./rollout/demo-act.ts'),
  snapshot: () => import('./snapshot/demo-act.ts'),
  pod: () => import('./pod/demo-act.ts'),
  container: () => import('./container/demo-act.ts'),
};

/** The values that a shell completes, by what they are; those of several lifecycles are offered together. */
export const completions: Parts<CompletionPart> = {
  pipeline: () => import('./pipeline/completion.ts'),
  rollout: () => import('./rollout/completion.ts'),
  snapshot: () => import('./snapshot/completion.ts'),
};

/** The status verb for one object, which `lifehook status OBJECT` runs; it resolves with the exit code. */
export const statuses: Parts<StatusPart> = {
  rollout: () => import('./rollout/status.ts'),
  snapshot: () => import('./snapshot/status.ts'),
};
