/**
 * The real Kubernetes that the cluster suites run against. All suites share it, so each works in namespaces of its own
 * and deletes them at its end.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { orNull } from '../../src/kube/api-error.ts';
import type { KubeClient, KubeConnection } from '../../src/kube/client.ts';
import { getOrNull } from '../../src/kube/get-or-null.ts';
import { loadKubeAccess } from '../../src/kube/kube-config.ts';
import { makeKubeClient } from '../../src/kube/make-client.ts';
import { namespaces, serviceAccounts } from '../../src/kube/resources.ts';
import { nodeAuthPlugin } from '../../src/platform/node-auth-plugin.ts';
import { nodeHttpTransport } from '../../src/platform/node-http-transport.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import type { NodeTransportOptions } from '../../src/platform/node-server-link.ts';
import { kubectlPath } from '../e2e/cluster-stand.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { KUBECONFIG } from './parameters.ts';

/** Long, since the first call on a machine builds the cluster. */
const UP_TIMEOUT_MS = 1_800_000;

/**
 * Path of an administrator's kubeconfig. If no cluster is given, starts the cluster of the recipe ../shared/modern
 * (next to this checkout), unless it is running.
 */
export function kubeconfigPath(): string {
  if (KUBECONFIG !== undefined) return KUBECONFIG;
  const up = resolve(import.meta.dirname, '../../../shared/modern/up');
  const output = execFileSync(up, { encoding: 'utf8', timeout: UP_TIMEOUT_MS });
  return output.trim().split('\n').at(-1) ?? '';
}

/** Path of a program in the version that the recipe's cluster runs. */
export function recipeProgram(name: string): string {
  const state = dirname(kubeconfigPath());
  const version = readFileSync(join(state, 'version'), 'utf8').trim();
  return resolve(state, `../bin-${version}`, name);
}

/** Path of kubectl: in the version of the recipe's cluster, or from the PATH if a cluster is given. */
export function clusterKubectl(): string {
  return KUBECONFIG === undefined ? recipeProgram('kubectl') : kubectlPath();
}

/** Access as the user of the kubeconfig's current context. */
export function clusterAccess(): NodeTransportOptions {
  const kubeconfig = kubeconfigPath();
  const view = ['config', 'view', '--raw', '--minify', '--flatten', '-o', 'json'];
  const text = execFileSync(kubectlPath(), ['--kubeconfig', kubeconfig, ...view], {
    encoding: 'utf8',
  });
  const [{ cluster }] = (JSON.parse(text) as Kubeconfig).clusters;
  const world = { ...nodePlatform, authPlugin: nodeAuthPlugin, env: {}, kubeconfig };
  let access: ReturnType<typeof loadKubeAccess> | null = null;
  return {
    server: cluster.server,
    ca: Buffer.from(cluster['certificate-authority-data'], 'base64').toString('utf8'),
    credentials: async () => {
      access ??= loadKubeAccess(world);
      return (await access).transport.credentials?.() ?? {};
    },
  };
}

export interface ClusterConnection {
  readonly connection: KubeConnection;
  readonly client: KubeClient;
}

/** Connects as the administrator; fields of `access` replace the administrator's. The caller closes the transport. */
export function connectToCluster(access: Partial<NodeTransportOptions> = {}): ClusterConnection {
  const connection: KubeConnection = {
    transport: nodeHttpTransport({ ...clusterAccess(), ...access }),
    platform: nodePlatform,
    userAgent: 'lifehook-test',
    random: Math.random,
  };
  return { connection, client: makeKubeClient(connection) };
}

/**
 * Creates a namespace whose name begins with the prefix, and resolves when the API server accepts pods in it. The caller
 * must call `remove`.
 */
export async function makeNamespace(
  client: KubeClient,
  prefix: string,
): Promise<{ readonly namespace: string; readonly remove: () => Promise<void> }> {
  const namespace = `${prefix}-${randomBytes(4).toString('hex')}`;
  await client.create(namespaces, { metadata: { name: namespace } });
  const account = { namespace, name: 'default' };
  await eventually('the default account', () => getOrNull(client, serviceAccounts, account));
  return {
    namespace,
    remove: async () => {
      await orNull(client.delete(namespaces, { name: namespace }), 'NotFound');
    },
  };
}

interface Kubeconfig {
  readonly clusters: readonly [
    { cluster: { server: string; 'certificate-authority-data': string } },
  ];
}
