/** Keeps as many pods as a replica set asks for. This file holds its sources; a reconcile is in `sync.ts`. */
import type { ReplicaSet } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import { type Controller, makeController } from '../../../../../src/controller/controller.ts';
import { Expectations } from '../../../../../src/controller/expectations.ts';
import { followChildren } from '../../../../../src/controller/follow-children.ts';
import {
  byNamespace,
  controllerKey,
  controllerOf,
  ownKey,
} from '../../../../../src/controller/indexes.ts';
import type { Informer } from '../../../../../src/controller/informer.ts';
import { keyOf } from '../../../../../src/controller/object-key.ts';
import { done } from '../../../../../src/controller/reconcile.ts';
import { watched } from '../../../../../src/controller/source.ts';
import { pods, replicaSets } from '../../../../../src/kube/resources.ts';
import type { ControllerContext } from '../context.ts';
import { childIndex, selects } from '../workload/child-index.ts';
import { WORKLOAD_BACKOFF } from '../workload/slow-start.ts';
import { syncReplicaSet } from './sync.ts';

const ofReplicaSet = controllerKey({ group: 'apps', kind: 'ReplicaSet' });
const WORKERS = 5;

export function makeReplicaSetController(context: ControllerContext): Controller {
  const { informers, client, recorder, platform } = context;
  const ofPods = informers.of<Pod>(pods, { indexes: childIndex });
  const ofSets = informers.of(replicaSets, { indexes: { namespace: byNamespace } });
  const expectations = new Expectations({ platform });
  // By uid: a set that replaces another of its name does not wait for the pods of that set.
  followChildren({ informer: ofPods, expectations, keys: ownersUid });
  ofSets.listen(({ before, after }) => {
    if (after === null) expectations.forget(before?.metadata?.uid ?? '');
  });
  const world = {
    client,
    recorder,
    expectations,
    pods: ofPods,
    nowMs: () => platform.clock.nowMs(),
  };
  return makeController({
    ...context,
    name: 'replicaset',
    workers: WORKERS,
    backoff: WORKLOAD_BACKOFF,
    sources: [
      watched({ informer: ofSets, keys: ownKey }),
      watched({ informer: ofPods, keys: (pod) => keysOf(ofSets, pod) }),
    ],
    reconcile: async (key) => {
      const replicaSet = ofSets.get(key);
      return replicaSet === undefined ? done : syncReplicaSet(world, replicaSet);
    },
  });
}

function ownersUid(pod: Pod): readonly string[] {
  const owner = controllerOf(pod);
  return owner === undefined ? [] : [owner.uid];
}

/** An orphan concerns every set that could adopt it. */
function keysOf(sets: Informer<ReplicaSet>, pod: Pod): readonly string[] {
  if (controllerOf(pod) !== undefined) return ofReplicaSet(pod);
  return sets
    .byIndex('namespace', pod.metadata?.namespace ?? '')
    .filter(({ spec }) => selects(spec?.selector, pod))
    .map((set) => keyOf(set));
}
