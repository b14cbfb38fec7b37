/** The services of the cluster with the pods that they select: what both kinds of endpoints are made from. */
import type { Pod, Service } from 'kubernetes-types/core/v1.js';

import { byNamespace, ownKey } from '../../../../../src/controller/indexes.ts';
import type { Informer } from '../../../../../src/controller/informer.ts';
import { keyOf } from '../../../../../src/controller/object-key.ts';
import { type Source, watched } from '../../../../../src/controller/source.ts';
import { pods, services } from '../../../../../src/kube/resources.ts';
import type { ControllerContext } from '../context.ts';
import { matches, selects } from './backends.ts';

export interface ServicePods {
  readonly services: Informer<Service>;
  readonly sources: readonly Source[];
  readonly podsOf: (service: Service) => readonly Pod[];
}

export function servicePods({ informers }: ControllerContext): ServicePods {
  const indexes = { namespace: byNamespace };
  const ofServices = informers.of<Service>(services, { indexes });
  const ofPods = informers.of<Pod>(pods, { indexes });
  const selecting = (pod: Pod): readonly string[] =>
    ofServices
      .byIndex('namespace', pod.metadata?.namespace ?? '')
      .filter((service) => selects(service) && matches(service, pod))
      .map((service) => keyOf(service));
  return {
    services: ofServices,
    sources: [
      watched({ informer: ofServices, keys: ownKey }),
      watched({ informer: ofPods, keys: selecting }),
    ],
    podsOf: (service) =>
      ofPods
        .byIndex('namespace', service.metadata?.namespace ?? '')
        .filter((pod) => matches(service, pod)),
  };
}
