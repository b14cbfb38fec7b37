/** Protects from deletion: a claim while a pod uses it, and a volume while it is bound. */
import type { PersistentVolume, PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1.js';

import { type Controller, makeController } from '../../../../../src/controller/controller.ts';
import {
  addFinalizer,
  finalizerStep,
  removeFinalizer,
} from '../../../../../src/controller/finalizers.ts';
import { ownKey } from '../../../../../src/controller/indexes.ts';
import type { Informer } from '../../../../../src/controller/informer.ts';
import { done, type Outcome } from '../../../../../src/controller/reconcile.ts';
import { type Source, watched } from '../../../../../src/controller/source.ts';
import type { KubeObject, Resource } from '../../../../../src/kube/object.ts';
import {
  persistentVolumeClaims,
  persistentVolumes,
  pods,
} from '../../../../../src/kube/resources.ts';
import type { ControllerContext } from '../context.ts';
import { claimKeys, isOnNode } from './claims.ts';
import { PV_PROTECTION, PVC_PROTECTION } from './bind.ts';

export function makeClaimProtection(context: ControllerContext): Controller {
  const { client, informers } = context;
  const claims = informers.of<PersistentVolumeClaim>(persistentVolumeClaims);
  const ofPods = informers.of<Pod>(pods, { indexes: { claim: claimKeys } });
  return protect(context, {
    name: 'claim-protection',
    informer: claims,
    resource: persistentVolumeClaims,
    finalizer: PVC_PROTECTION,
    more: [watched({ informer: ofPods, keys: claimKeys })],
    // The server is read too: the cache may lack a pod that was just bound.
    isNeeded: async (key) => {
      if (ofPods.byIndex('claim', key).some(isOnNode)) return true;
      const namespace = key.slice(0, key.indexOf('/'));
      const { items } = await client.list(pods, { namespace });
      return items.some((pod) => isOnNode(pod) && claimKeys(pod).includes(key));
    },
  });
}

export function makeVolumeProtection(context: ControllerContext): Controller {
  const volumes = context.informers.of<PersistentVolume>(persistentVolumes);
  return protect(context, {
    name: 'volume-protection',
    informer: volumes,
    resource: persistentVolumes,
    finalizer: PV_PROTECTION,
    more: [],
    isNeeded: async (key) => volumes.get(key)?.status?.phase === 'Bound',
  });
}

interface Protecting<T extends KubeObject> {
  readonly name: string;
  readonly informer: Informer<T>;
  readonly resource: Resource<T>;
  readonly finalizer: string;
  readonly more: readonly Source[];
  readonly isNeeded: (key: string) => Promise<boolean>;
}

function protect<T extends KubeObject>(
  context: ControllerContext,
  { name, informer, resource, finalizer, more, isNeeded }: Protecting<T>,
): Controller {
  const { client } = context;
  return makeController({
    ...context,
    name,
    sources: [watched({ informer, keys: ownKey }), ...more],
    reconcile: async (key): Promise<Outcome> => {
      const object = informer.get(key);
      if (object === undefined) return done;
      const step = finalizerStep(object, finalizer);
      if (step === 'add') await addFinalizer({ client, resource, object, finalizer });
      if (step === 'cleanUp' && !(await isNeeded(key))) {
        await removeFinalizer({ client, resource, object, finalizer });
      }
      return done;
    },
  });
}
