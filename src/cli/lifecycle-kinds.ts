/**
 * The kinds of the lifecycles in a cluster: their definitions, the permissions of their controllers, and the spans of
 * their objects. They are imported statically: the bundler then leaves out the lists that a program does not use.
 */
import type { Definition } from '../controller/definitions/definition.ts';
import type { Permission } from '../controller/ask-permissions.ts';
import type { Resource } from '../kube/object.ts';
import { deploymentLifecycles, hookRuns } from '../lifecycles/rollout/kinds.ts';
import { GATE_CONFIGURATION } from '../lifecycles/rollout/names.ts';
import { rolloutPermissions } from '../lifecycles/rollout/permissions.ts';
import { rolloutDefinitions } from '../lifecycles/rollout/schema/definitions.ts';
import { KINDS_CONFIGURATION } from '../lifecycles/snapshot/names.ts';
import {
  applicationSnapshots,
  executionHooks,
  snapshotGuards,
} from '../lifecycles/snapshot/kinds.ts';
import { restorePermissions, snapshotPermissions } from '../lifecycles/snapshot/permissions.ts';
import { snapshotRestores } from '../lifecycles/snapshot/restore/kinds.ts';
import { snapshotSchedules } from '../lifecycles/snapshot/schedule/kinds.ts';
import { snapshotDefinitions } from '../lifecycles/snapshot/schema/definitions.ts';
import type { ClusterSource } from '../timeline/sources/follow-cluster.ts';
import { podEventPermissions, podEventSource } from '../timeline/sources/pod/pod-event-bars.ts';
import { rolloutSource } from '../timeline/sources/rollout/cluster-source.ts';
import { snapshotSource } from '../timeline/sources/snapshot/cluster-source.ts';

/** The definitions of each lifecycle, in the order of the manifests of `lifehook install`. */
export const definitions: Readonly<Record<string, () => readonly Definition[]>> = {
  snapshot: snapshotDefinitions,
  rollout: rolloutDefinitions,
};

/** The kinds without which the controllers cannot run. */
export const neededKinds: Readonly<Record<string, readonly Resource[]>> = {
  snapshot: [
    applicationSnapshots,
    executionHooks,
    snapshotSchedules,
    snapshotRestores,
    snapshotGuards,
  ],
  rollout: [deploymentLifecycles, hookRuns],
};

export const webhookNames: Readonly<Record<string, string>> = {
  snapshot: KINDS_CONFIGURATION,
  rollout: GATE_CONFIGURATION,
};

export const permissions: Readonly<Record<string, readonly Permission[]>> = {
  snapshot: [...snapshotPermissions, ...restorePermissions],
  rollout: rolloutPermissions,
};

/** The objects of Lifehook's kinds that the timeline of a cluster reads. */
export const clusterSources: Readonly<Record<string, ClusterSource>> = {
  snapshot: snapshotSource,
  rollout: rolloutSource,
};

/**
 * Timeline sources that read Events. They are unused if the records of the node are read, or if Events may not be read.
 */
export const eventSources: Readonly<Record<string, ClusterSource>> = {
  pod: podEventSource,
};

export const eventPermissions: Readonly<Record<string, readonly Permission[]>> = {
  pod: podEventPermissions,
};
