/** The deploy example of pipelines on a real cluster, whose node has the image docker.io/local/busybox:1. */
import { afterAll, beforeAll } from 'vitest';

import { kubectlPath, run } from '../e2e/cluster-stand.ts';
import { type StoryCluster, runDeployStory } from '../fixtures/pipeline/deploy-story.ts';
import { connectToCluster, kubeconfigPath, makeNamespace } from './real-cluster.ts';

let cluster: StoryCluster;
let close: () => Promise<void>;

beforeAll(async () => {
  const { client, connection } = connectToCluster();
  const { namespace, remove } = await makeNamespace(client, 'pipeline-deploy');
  const kubeconfig = kubeconfigPath();
  close = async () => {
    await remove();
    connection.transport.close();
  };
  cluster = {
    kubeconfig,
    namespace,
    kubectl: (...args) => run(kubectlPath(), ['--kubeconfig', kubeconfig, ...args]),
  };
});

afterAll(async () => {
  await close();
});

runDeployStory(() => cluster);
