/**
 * The table of the lifecycles: what each of them adds to the commands that serve all of them. A lifecycle is deleted with
 * its directories and its lines here (`test/delete-lifecycle.test.ts`). Except for the declarations of commands, a part is
 * loaded when a command needs it.
 */
import type { Command } from 'commander';

import type { OpenPodWorkers, PodWorkersOptions } from './cluster/pod-workers.ts';
import type { Settle } from './exit-codes.ts';
import type { ManifestRules } from './lint/manifests/manifest-rules.ts';
import { addPodCommands } from './pod/commands.ts';

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
  pod: { group: 'Kubernetes:', add: addPodCommands },
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
