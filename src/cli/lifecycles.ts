/**
 * The table of the lifecycles: what each of them adds to the commands that serve all of them. A lifecycle is deleted with
 * its directories and its lines here (`test/delete-lifecycle.test.ts`). Except for the declarations of commands, a part is
 * loaded when a command needs it.
 */
import type { Command } from 'commander';

import type { OciContainers, RuntimeWorld } from '../../packages/local-cluster/src/index.ts';
import type { Problem } from '../model/problem.ts';
import type { OpenPodWorkers, PodWorkersOptions } from './cluster/pod-workers.ts';
import type { Looks } from './completion/complete.ts';
import { addOciCommands } from './container/commands.ts';
import type { FileConversion } from './convert/run-convert.ts';
import type { Shop } from './demo/shop.ts';
import type { Stage } from './demo/stage.ts';
import type { WantedPlace } from './doctor/gather/local.ts';
import type { Settle } from './exit-codes.ts';
import type { Inputs } from './lint/find-inputs.ts';
import type { ManifestRules } from './lint/manifests/manifest-rules.ts';
import { addPipelineCommands } from './pipeline/commands.ts';
import { addPodCommands } from './pod/commands.ts';
import type { Opening, OpenSource, SourceOptions } from './ui/open-source.ts';

/** By lifecycle. */
export type Parts<T> = Readonly<Record<string, () => Promise<T>>>;

export function loadParts<T>(parts: Parts<T>): Promise<readonly T[]> {
  return Promise.all(Object.values(parts).map((load) => load()));
}

interface Commands {
  /** The heading of the help. */
  readonly group: 'Pipeline:' | 'Kubernetes:' | 'Containers:';
  readonly add: (program: Command, settle: Settle) => void;
}

/** In the order of the help. */
export const commands: Readonly<Record<string, Commands>> = {
  pipeline: { group: 'Pipeline:', add: addPipelineCommands },
  pod: { group: 'Kubernetes:', add: addPodCommands },
  container: { group: 'Containers:', add: addOciCommands },
};

/** What runs the pods of the local cluster: the first. */
export const podWorkers: Parts<{
  readonly podWorkersOf: (options: PodWorkersOptions) => Promise<OpenPodWorkers>;
}> = {
  pod: () => import('./pod/pod-workers.ts'),
};

/** What `lifehook lint` checks in manifests. */
export const manifestRules: Parts<{ readonly manifestRules: ManifestRules }> = {
  pod: () => import('./pod/manifest-rules.ts'),
};

/** What `lifehook lint` checks in other files. */
export const lintFiles: Parts<{
  readonly problemsOfFiles: (inputs: Inputs) => Promise<readonly Problem[]>;
}> = {
  container: () => import('./container/lint-files.ts'),
  pipeline: () => import('./pipeline/lint-files.ts'),
};

/** What `lifehook convert` converts file by file. */
export const fileConversions: Parts<FileConversion> = {
  container: () => import('./container/file-conversion.ts'),
  pipeline: () => import('./pipeline/file-conversion.ts'),
};

/** Hooks of containers of the local cluster that an OCI runtime runs: the first. */
export const runtimeContainers: Parts<{
  readonly hookedContainers: (world: RuntimeWorld, command: string) => OciContainers;
}> = {
  container: () => import('./container/hooked-containers.ts'),
};

/** The directories that `lifehook doctor` looks at. */
export const writtenPlaces: Parts<{ readonly writtenPlaces: () => readonly WantedPlace[] }> = {
  container: () => import('./container/written-places.ts'),
  pipeline: () => import('./pipeline/written-places.ts'),
};

/** What `lifehook ui` shows next to a cluster; null: there is nothing of the kind on this machine. */
export const timelineSources: Parts<{
  readonly timelineSource: (options: SourceOptions, opening: Opening) => OpenSource | null;
}> = {
  pipeline: () => import('./pipeline/timeline-source.ts'),
  container: () => import('./container/timeline-source.ts'),
};

/** The acts of `lifehook demo`, in their order. */
export const demoActs: Parts<{
  readonly play: (stage: Stage, shop: Shop) => Promise<void>;
}> = {
  container: () => import('./container/demo-act.ts'),
};

/** The values that a shell completes, by what they are; those of several lifecycles are offered together. */
export const completions: Parts<{ readonly looks: Looks }> = {
  pipeline: () => import('./pipeline/completion.ts'),
  rollout: () => import('./rollout/completion.ts'),
  snapshot: () => import('./snapshot/completion.ts'),
};
