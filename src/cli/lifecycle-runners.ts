/**
 * The parts of the lifecycles for the local cluster's program. They are imported statically, because a module that is
 * loaded on demand makes the program's file larger.
 */
import { hookedContainers } from './container/hooked-containers.ts';
import type { HookedContainers, PodWorkersOf } from './lifecycle-parts.ts';
import { podWorkersOf } from './pod/pod-workers.ts';

/** The pod workers of the local cluster: the first entry is used. */
export const podWorkers: Readonly<Record<string, PodWorkersOf>> = {
  pod: podWorkersOf,
};

/** The hooks of containers that an OCI runtime runs for the local cluster: the first entry is used. */
export const runtimeContainers: Readonly<Record<string, HookedContainers>> = {
  container: hookedContainers,
};
