import { configMaps, deployments, pods, replicaSets } from '../../../src/kube/resources.ts';
import { type Resource, resourceName } from '../../../src/kube/object.ts';
import { deploymentLifecycles, hookRuns } from '../../../src/lifecycles/rollout/kinds.ts';
import type { SimApi, Stored } from '../controller/sim-api.ts';
import type { World } from '../world.ts';
import type { Workloads } from './sim-workloads.ts';

/** Milliseconds until the simulated garbage collector deletes an object whose owner does not exist. */
const COLLECT_MS = 1_000;

const OWNERS: readonly Resource[] = [deployments, replicaSets, deploymentLifecycles];
const OWNED: readonly Resource[] = [replicaSets, pods, hookRuns, configMaps];

/** Starts the garbage collector. It runs in the process of `workloads`, and stops with it. */
export function collectGarbage(world: World, api: SimApi, workloads: Workloads): void {
  const watched = new Set(OWNERS.map(resourceName));
  const owned = new Set(OWNED.map(resourceName));
  const seen = new Set<string>();
  api.onRestore(() => {
    world.after(COLLECT_MS, () => {
      workloads.whenRunning(() => {
        collect(api);
      });
    });
  });
  api.onCommit(({ type, resource, object }) => {
    // An object may be created after its owner was deleted, so a new object also triggers the collector.
    const isNew = owned.has(resource) && !seen.has(uidOf(object));
    if (isNew) seen.add(uidOf(object));
    if (!isNew && (type !== 'Delete' || !watched.has(resource))) return;
    world.after(COLLECT_MS, () => {
      workloads.whenRunning(() => {
        collect(api);
      });
    });
  });
}

function collect(api: SimApi): void {
  const there = new Set(OWNERS.flatMap((resource) => api.peek(resource)).map(uidOf));
  for (const resource of OWNED) {
    for (const { metadata } of api.peek(resource)) {
      const { ownerReferences = [], namespace = '', name = '' } = metadata;
      const isTerminating = metadata.deletionTimestamp !== undefined;
      if (isTerminating || ownerReferences.length === 0) continue;
      if (ownerReferences.some(({ uid }) => there.has(uid))) continue;
      api.delete(resource, { namespace, name }, {});
    }
  }
}

function uidOf({ metadata }: Stored): string {
  return metadata.uid ?? '';
}
