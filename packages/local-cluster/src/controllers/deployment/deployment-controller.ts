/** Runs the deployment controller: its watches and its retries. One reconcile is in `sync.ts`. */
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import { type Controller, makeController } from '../../../../../src/controller/controller.ts';
import {
  byNamespace,
  controllerKey,
  controllerOf,
  ownKey,
} from '../../../../../src/controller/indexes.ts';
import type { Informer } from '../../../../../src/controller/informer.ts';
import { keyOf } from '../../../../../src/controller/object-key.ts';
import { done, type Outcome } from '../../../../../src/controller/reconcile.ts';
import { watched } from '../../../../../src/controller/source.ts';
import { deployments, pods, replicaSets } from '../../../../../src/kube/resources.ts';
import type { ControllerContext } from '../context.ts';
import { candidatesFor, childIndex, childrenOf, selects } from '../workload/child-index.ts';
import { claimChildren } from '../workload/claim.ts';
import { retryBounded, WORKLOAD_BACKOFF } from '../workload/slow-start.ts';
import { syncDeployment } from './sync.ts';

const ofDeployment = controllerKey({ group: 'apps', kind: 'Deployment' });
const WORKERS = 5;

export function makeDeploymentController(context: ControllerContext): Controller {
  const { informers } = context;
  const caches: Caches = {
    deployments: informers.of(deployments, { indexes: { namespace: byNamespace } }),
    sets: informers.of(replicaSets, { indexes: childIndex }),
    pods: informers.of<Pod>(pods, { indexes: childIndex }),
  };
  return makeController({
    ...context,
    name: 'deployment',
    workers: WORKERS,
    backoff: WORKLOAD_BACKOFF,
    sources: [
      watched({ informer: caches.deployments, keys: ownKey }),
      watched({ informer: caches.sets, keys: (set) => keysOfSet(caches, set) }),
      // ReplicaSets report which pods are ready. Pods are watched only because Recreate waits for the deletion of the
      // last one.
      watched({
        informer: caches.pods,
        keys: (pod) => keysOfPod(caches, pod),
        when: ({ after }) => after === null,
      }),
    ],
    reconcile: async (key, { attempt }) => {
      const deployment = caches.deployments.get(key);
      if (deployment === undefined) return done;
      try {
        return await sync(context, caches, deployment);
      } catch (error) {
        return retryBounded(error, attempt);
      }
    },
  });
}

interface Caches {
  readonly deployments: Informer<Deployment>;
  readonly sets: Informer<ReplicaSet>;
  readonly pods: Informer<Pod>;
}

async function sync(
  { client, recorder, platform }: ControllerContext,
  caches: Caches,
  deployment: Deployment,
): Promise<Outcome> {
  const sets = await claimChildren({
    client,
    ownerResource: deployments,
    owner: deployment,
    resource: replicaSets,
    candidates: candidatesFor(caches.sets, deployment),
    selects: (set) => selects(deployment.spec?.selector, set),
  });
  return syncDeployment({
    client,
    recorder,
    nowMs: () => platform.clock.nowMs(),
    deployment,
    sets,
    pods: sets.flatMap(({ metadata }) => childrenOf(caches.pods, metadata?.uid ?? '')),
  });
}

/** The deployments that a ReplicaSet concerns. An orphan concerns every deployment that could adopt it. */
function keysOfSet({ deployments: cache }: Caches, set: ReplicaSet): readonly string[] {
  if (controllerOf(set) !== undefined) return ofDeployment(set);
  return cache
    .byIndex('namespace', set.metadata?.namespace ?? '')
    .filter(({ spec }) => selects(spec?.selector, set))
    .map((deployment) => keyOf(deployment));
}

function keysOfPod(caches: Caches, pod: Pod): readonly string[] {
  const owner = controllerOf(pod);
  if (owner?.kind !== 'ReplicaSet') return [];
  const set = caches.sets.get(`${pod.metadata?.namespace ?? ''}/${owner.name}`);
  return set === undefined ? [] : keysOfSet(caches, set);
}
