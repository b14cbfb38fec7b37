/** The namespace of a seed. If it is deleted, all its objects are deleted too, and no new one can be created in it. */
import type { Resource } from '../../../src/kube/object.ts';
import {
  configMaps,
  deployments,
  namespaces,
  pods,
  replicaSets,
} from '../../../src/kube/resources.ts';
import { deploymentLifecycles, hookRuns } from '../../../src/lifecycles/rollout/kinds.ts';
import { isTerminating } from '../../../src/controller/finalizers.ts';
import { failure, type SimApi } from '../controller/sim-api.ts';
import type { World } from '../world.ts';
import { NAMESPACE_KEY } from './scene.ts';

/** Finalizer of the simulated namespace controller. */
const FINALIZER = 'simulation/kubernetes';
const LOOK_MS = 1_000;
const INSIDE: readonly Resource[] = [
  deployments,
  replicaSets,
  pods,
  configMaps,
  hookRuns,
  deploymentLifecycles,
];

export function createNamespace(api: SimApi): void {
  api.create(namespaces, { metadata: { ...NAMESPACE_KEY, finalizers: [FINALIZER] } });
}

/** True if the namespace exists and is not being deleted. */
export function isThere(api: SimApi): boolean {
  const found = api.find(namespaces, NAMESPACE_KEY);
  return found !== undefined && !isTerminating(found);
}

/** Throws the server's error if no object can be created in the namespace. */
export function needNamespace(api: SimApi): void {
  const found = api.find(namespaces, NAMESPACE_KEY);
  if (found === undefined) throw failure(404, 'NotFound', 'there is no such namespace');
  if (isTerminating(found)) throw failure(403, 'Forbidden', 'the namespace is being terminated');
}

/** Deletes the namespace, and calls `then` when nothing in it is left. */
export function deleteNamespace(world: World, api: SimApi, then: () => void): void {
  const found = api.find(namespaces, NAMESPACE_KEY);
  if (found === undefined || isTerminating(found)) return;
  world.note('a user deletes the namespace');
  api.delete(namespaces, NAMESPACE_KEY, {});
  const empty = (): void => {
    const left = INSIDE.flatMap((resource) => api.peek(resource).map((one) => ({ resource, one })));
    for (const { resource, one } of left) {
      const { namespace = '', name = '' } = one.metadata;
      const isStored = api.find(resource, { namespace, name }) !== undefined;
      if (isStored && !isTerminating(one)) api.delete(resource, { namespace, name }, {});
    }
    if (left.length > 0) {
      world.after(LOOK_MS, empty);
      return;
    }
    const body = { metadata: { finalizers: [] } };
    api.patch(namespaces, NAMESPACE_KEY, { type: 'merge', body });
    world.note('the namespace is deleted');
    then();
  };
  empty();
}
