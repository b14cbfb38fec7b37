/** What a kubeconfig and the discovery of the real server come to. */
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { capabilitiesOf } from '../../src/kube/capabilities.ts';
import { loadKubeAccess } from '../../src/kube/kube-config.ts';
import { makeKubeClient } from '../../src/kube/make-client.ts';
import { namespaces } from '../../src/kube/resources.ts';
import { readServerFacts } from '../../src/kube/server-facts.ts';
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

describe('the capabilities of the real server', () => {
  it('are those of Kubernetes 1.20', async () => {
    const facts = await readServerFacts(cluster.client);
    expect(facts.groupVersions).toEqual(expect.arrayContaining(['v1', 'apps/v1', 'batch/v1']));
    expect(capabilitiesOf(facts)).toMatchObject({
      version: { major: 1, minor: 20 },
      sleepAction: 'no',
      serverSideApply: 'yes',
      execProtocolV5: 'no',
      validatingAdmissionPolicy: null,
      podDisruptionBudget: 'v1beta1',
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
