/**
 * Creates the initial objects of a cluster: its namespaces, and the service at which pods reach the API server.
 *
 * Each start creates the missing objects. Existing ones keep their content.
 */
import type { Endpoints, Namespace, Service } from 'kubernetes-types/core/v1.js';

import type { KubeClient } from '../../../../src/kube/client.ts';
import { getOrNull } from '../../../../src/kube/get-or-null.ts';
import type { KubeObject, ObjectKey, Resource } from '../../../../src/kube/object.ts';
import { endpoints, namespaces, services } from '../../../../src/kube/resources.ts';
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

/** `address`: the address at which the server listens. */
export async function ensureKubernetesService(
  client: KubeClient,
  address: ApiServerAddress,
): Promise<void> {
  await Promise.all([
    ensure<Service>(client, services, kubernetesService(address)),
    ensureEndpoints(client, address),
  ]);
}

/** Reads before it creates: a create of the existing service would be refused because its cluster IP is taken. */
async function ensure<T extends KubeObject>(
  client: KubeClient,
  resource: Resource<T>,
  object: T,
): Promise<void> {
  if ((await getOrNull(client, resource, keyOf(object))) === null) {
    await client.create(resource, object);
  }
}

function keyOf({ metadata: { name = '', namespace } = {} }: KubeObject): ObjectKey {
  return namespace === undefined ? { name } : { namespace, name };
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

/** Replaced on every start, because the port can differ. */
async function ensureEndpoints(
  client: KubeClient,
  { host, port }: ApiServerAddress,
): Promise<void> {
  const ports = [{ name: 'https', port, protocol: 'TCP' }];
  const object: Endpoints = { metadata, subsets: [{ addresses: [{ ip: host }], ports }] };
  await client.replace(endpoints, object);
}
