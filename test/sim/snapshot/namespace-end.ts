/** Deletes the namespace of a seed with all its objects. After that, no object can be created in it. */
import { type Resource, resourceName } from '../../../src/kube/object.ts';
import { leases, persistentVolumeClaims } from '../../../src/kube/resources.ts';
import { groupSnapshots, snapshots } from '../../../src/kube/snapshots.ts';
import {
  applicationSnapshots,
  executionHooks,
  executionHookTemplates,
} from '../../../src/lifecycles/snapshot/kinds.ts';
import { refuses } from '../controller/server-rules.ts';
import { failure } from '../controller/sim-api.ts';
import type { Random } from '../random.ts';
import type { Place } from './people.ts';
import { NAMESPACE, type SimCluster } from './sim-cluster.ts';
import { isMember } from './snapshot-jobs.ts';

/** Kinds of the objects in the namespace, except pods, which have a grace period. */
const INSIDE: readonly [Resource, ...Resource[]] = [
  executionHooks,
  applicationSnapshots,
  executionHookTemplates,
  snapshots,
  groupSnapshots,
  persistentVolumeClaims,
];
const LEASES = resourceName(leases);
const LONGEST_GRACE_MS = 30_000;

export function deleteNamespace({
  world,
  api,
  cluster,
  random,
}: Place & { readonly cluster: SimCluster }): void {
  if (cluster.isEnding) return;
  cluster.isEnding = true;
  world.faults.met('namespace deleted');
  world.note('a user deletes the namespace');
  const refusal = failure(403, 'Forbidden', `the namespace ${NAMESPACE} is being terminated`);
  api.rules.add(({ verb, resource }) =>
    verb === 'create' && resourceName(resource) !== LEASES ? refuses(refusal) : null,
  );
  for (const name of cluster.podNames) {
    cluster.replacePod(name, { graceMs: random.between(500, LONGEST_GRACE_MS), awayMs: 0 });
  }
  for (const resource of inSomeOrder(random)) {
    for (const object of api.peek(resource)) {
      const { name = '', deletionTimestamp } = object.metadata;
      if (deletionTimestamp !== undefined || isMember(object)) continue;
      // The deletion of an earlier object may have deleted this one too.
      const key = { namespace: NAMESPACE, name };
      if (api.find(resource, key) !== undefined) api.delete(resource, key, {});
    }
  }
}

function inSomeOrder(random: Random): readonly Resource[] {
  const first = random.pick(INSIDE);
  return [first, ...INSIDE.filter((other) => other !== first)];
}
