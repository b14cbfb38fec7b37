/**
 * The real Kubernetes that the cluster suites run against. It is shared by all of them: each works in
 * namespaces of its own, and takes them away again.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { parse } from 'yaml';

import type { KubeClient, KubeConnection } from '../../src/kube/client.ts';
import { makeKubeClient } from '../../src/kube/make-client.ts';
import { namespaces } from '../../src/kube/resources.ts';
import { nodeHttpTransport } from '../../src/platform/node-http-transport.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import type { NodeTransportOptions } from '../../src/platform/node-server-link.ts';

/** The first call on a machine builds it. */
const UP_TIMEOUT_MS = 900_000;

/** Brings the cluster up where it is not, and gives the path of an administrator's kubeconfig. */
export function kubeconfigPath(): string {
  const given = process.env['LIFEHOOK_TEST_KUBECONFIG'];
  if (given !== undefined && given !== '') return given;
  const up = resolve(import.meta.dirname, '../../../shared/cluster/up');
  const output = execFileSync(up, { encoding: 'utf8', timeout: UP_TIMEOUT_MS });
  return output.trim().split('\n').at(-1) ?? '';
}

/** The way to it with an administrator's certificate. */
export function clusterAccess(): NodeTransportOptions {
  const config = parse(readFileSync(kubeconfigPath(), 'utf8')) as Kubeconfig;
  const [{ cluster }] = config.clusters;
  const [{ user }] = config.users;
  const credentials = {
    cert: decode(user['client-certificate-data']),
    key: decode(user['client-key-data']),
  };
  return {
    server: cluster.server,
    ca: decode(cluster['certificate-authority-data']),
    credentials: async () => credentials,
  };
}

export interface ClusterConnection {
  readonly connection: KubeConnection;
  readonly client: KubeClient;
}

/** The caller closes its transport. `access` lies over the administrator's. */
export function connectToCluster(access: Partial<NodeTransportOptions> = {}): ClusterConnection {
  const connection: KubeConnection = {
    transport: nodeHttpTransport({ ...clusterAccess(), ...access }),
    platform: nodePlatform,
    userAgent: 'lifehook-test',
    random: Math.random,
  };
  return { connection, client: makeKubeClient(connection) };
}

/** A new namespace whose name begins with the prefix. Whoever made it calls `remove`. */
export async function makeNamespace(
  client: KubeClient,
  prefix: string,
): Promise<{ readonly namespace: string; readonly remove: () => Promise<void> }> {
  const namespace = `${prefix}-${randomBytes(4).toString('hex')}`;
  await client.create(namespaces, { metadata: { name: namespace } });
  return {
    namespace,
    remove: async () => {
      await client.delete(namespaces, { name: namespace });
    },
  };
}

interface Kubeconfig {
  readonly clusters: readonly [
    { cluster: { server: string; 'certificate-authority-data': string } },
  ];
  readonly users: readonly [
    { user: { 'client-certificate-data': string; 'client-key-data': string } },
  ];
}

function decode(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}
