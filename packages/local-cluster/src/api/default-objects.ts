/**
 * Creates the initial objects of a cluster: its namespaces, and the service at which pods reach the API server.
 *
 * Each start creates the missing objects. Existing ones keep their content, except the address of the API server.
 */
import type { Endpoints, Namespace, Service } from 'kubernetes-types/core/v1.js';

import { sameJson } from '../../../../src/controller/same-json.ts';
import type { KubeClient } from '../../../../src/kube/client.ts';
import { getOrNull } from '../../../../src/kube/get-or-null.ts';
import { endpoints, namespaces, services } from '../../../../src/kube/resources.ts';
import { ensure } from '../ensure.ts';
import { KUBERNETES_SERVICE_IP } from './allocate.ts';

export interface ApiServerAddress {
  readonly host: string;
  readonly port: number;
  /** Cluster IP of the service `kubernetes`; default: the first address of the default range. */
  readonly serviceIp?: string;
}

const NAMESPACES = ['default', 'kube-system', 'kube-public', 'kube-node-lease'] as const;

export async function ensureNamespaces(client: KubeClient): Promise<void> {
  // Created in parallel, so that one sync to disk covers all of them.
  await Promise.all(
    NAMESPACES.map((name) => ensure<Namespace>(client, namespaces, { metadata: { name } })),
  );
}

/**
 * Creates or updates the Service `kubernetes` and its endpoints. `address`: the address at which the server listens.
 */
export async function ensureKubernetesService(
  client: KubeClient,
  address: ApiServerAddress,
): Promise<void> {
  await Promise.all([
    ensure<Service>(client, services, kubernetesService(address)),
    ensureEndpoints(client, address),
  ]);
}

const metadata = {
  name: 'kubernetes',
  namespace: 'default',
  labels: { component: 'apiserver', provider: 'kubernetes' },
};

function kubernetesService({ port, serviceIp = KUBERNETES_SERVICE_IP }: ApiServerAddress): Service {
  const ports = [{ name: 'https', port: 443, protocol: 'TCP', targetPort: port }];
  return { metadata, spec: { type: 'ClusterIP', clusterIP: serviceIp, ports } };
}

/** Creates the Endpoints of the API server, or replaces them if the address has changed since the last start. */
async function ensureEndpoints(
  client: KubeClient,
  { host, port }: ApiServerAddress,
): Promise<void> {
  const ports = [{ name: 'https', port, protocol: 'TCP' }];
  const object: Endpoints = { metadata, subsets: [{ addresses: [{ ip: host }], ports }] };
  const { name, namespace } = metadata;
  const before = await getOrNull(client, endpoints, { name, namespace });
  if (before === null || !sameJson(before.subsets, object.subsets)) {
    await client.replace(endpoints, object);
  }
}
