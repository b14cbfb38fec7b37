import { contents, groupSnapshots, snapshots } from '../../../src/kube/snapshots.ts';
import { applicationSnapshots, executionHooks } from '../../../src/lifecycles/snapshot/kinds.ts';
import { resourceName } from '../../../src/kube/object.ts';
import type { SimApi } from '../controller/sim-api.ts';
import type { World } from '../world.ts';

/** Milliseconds until the simulated garbage collector deletes an object whose owner does not exist. */
const COLLECT_MS = 1_000;

const OWNERS = [applicationSnapshots, groupSnapshots, snapshots];
const OWNED = [executionHooks, snapshots, groupSnapshots, contents];

export function collectGarbage(world: World, api: SimApi): void {
  const owners = new Set(OWNERS.map(resourceName));
  api.onCommit(({ type, resource, object }) => {
    if (type !== 'Delete' || !owners.has(resource)) return;
    const { uid } = object.metadata;
    world.after(COLLECT_MS, () => {
      for (const owned of OWNED) {
        for (const { metadata } of api.list(owned)) {
          if (metadata.ownerReferences?.some((owner) => owner.uid === uid) !== true) continue;
          const { namespace, name = '' } = metadata;
          api.delete(owned, namespace === undefined ? { name } : { namespace, name }, {});
        }
      }
    });
  });
}
