/** Carries a plan of slices out. Names are the server's, so what was made is waited for before the next plan. */
import type { EndpointSlice } from 'kubernetes-types/discovery/v1.js';

import { isReason } from '../../../../../src/kube/api-error.ts';
import type { Expectations } from '../../../../../src/controller/expectations.ts';
import type { KubeClient } from '../../../../../src/kube/client.ts';
import type { OwnerReference, Resource } from '../../../../../src/kube/object.ts';
import { makeResource } from '../../../../../src/kube/resources.ts';
import type { SlicePlan } from './slices.ts';

export const endpointSlices: Resource<EndpointSlice> = makeResource({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
});

export interface SliceWrite {
  readonly client: KubeClient;
  readonly expectations: Expectations;
  readonly key: string;
  readonly namespace: string;
  /** The service's name, or that of the Endpoints: slices are named after it. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly owner: OwnerReference;
}

export async function writeSlices(write: SliceWrite, plan: SlicePlan): Promise<void> {
  const { client, expectations, key, namespace, name, labels, owner } = write;
  for (const body of plan.create) {
    const metadata = {
      generateName: `${name}-`,
      namespace,
      labels: { ...labels },
      ownerReferences: [owner],
    };
    await expectations.create(key, () => client.create(endpointSlices, { ...body, metadata }));
  }
  for (const slice of plan.update) await client.replace(endpointSlices, slice);
  for (const { metadata } of plan.remove) {
    try {
      await client.delete(endpointSlices, { namespace, name: metadata?.name ?? '' });
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }
}
