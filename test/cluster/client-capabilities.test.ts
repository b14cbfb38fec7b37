/** Tests the connection options from a kubeconfig, and the discovery of a real API server. */
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { loadKubeAccess } from '../../src/kube/kube-config.ts';
import { makeKubeClient } from '../../src/kube/make-client.ts';
import { namespaces } from '../../src/kube/resources.ts';
import { readServerFacts } from '../../src/kube/capabilities.ts';
import { nodeAuthPlugin } from '../../src/platform/node-auth-plugin.ts';
import { nodeHttpTransport } from '../../src/platform/node-http-transport.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { type ClusterConnection, connectToCluster, kubeconfigPath } from './real-cluster.ts';

let cluster: ClusterConnection;

beforeAll(() => {
  cluster = connectToCluster();
});

afterAll(() => {
  cluster.connection.transport.close();
});

describe('the facts of the real server', () => {
  it('are its version and its groups', async () => {
    const answer = await cluster.client.raw({ method: 'GET', path: '/version' });
    const { major, minor } = answer as { readonly major: string; readonly minor: string };
    const facts = await readServerFacts(cluster.client);
    expect(facts.groupVersions).toEqual(expect.arrayContaining(['v1', 'apps/v1', 'batch/v1']));
    expect(facts.version).toMatchObject({
      major: Number(major),
      minor: Number.parseInt(minor, 10),
    });
  });
});

describe('the kubeconfig of the real server', () => {
  it('leads to it, from $KUBECONFIG and from an explicit path', async () => {
    const kubeconfig = kubeconfigPath();
    const world = { ...nodePlatform, authPlugin: nodeAuthPlugin };
    for (const given of [{ env: { KUBECONFIG: kubeconfig } }, { env: process.env, kubeconfig }]) {
      const access = await loadKubeAccess({ ...world, ...given });
      const transport = nodeHttpTransport(access.transport);
      const client = makeKubeClient({ ...cluster.connection, transport });
      expect((await client.get(namespaces, { name: access.namespace })).kind).toBe('Namespace');
      transport.close();
    }
  });
});
