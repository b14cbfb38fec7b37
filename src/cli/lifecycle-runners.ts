/**
 * The part of the table of the lifecycles that the program of the local cluster uses. It is loaded at once: modules that are
 * loaded later make the program's file larger.
 */
import { hookedContainers } from './container/hooked-containers.ts';
import type { HookedContainers, PodWorkersOf } from './lifecycle-parts.ts';
import { podWorkersOf } from './pod/pod-workers.ts';

/** Runs the pods of the local cluster: the first. */
export const podWorkers: Readonly<Record<string, PodWorkersOf>> = {
  pod: podWorkersOf,
};

/** Runs hooks of containers of the local cluster that have an OCI runtime: the first. */
export const runtimeContainers: Readonly<Record<string, HookedContainers>> = {
  container: hookedContainers,
};
