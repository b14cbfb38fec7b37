/** One pipeline of a user: `lifehook up`, a project, and `lifehook pipeline run` with hooks around each phase. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { getOrNull } from '../../src/kube/get-or-null.ts';
import { pods } from '../../src/kube/resources.ts';
import { type ClusterStand, openWholeCluster } from '../e2e/cluster-stand.ts';
import {
  hostHook,
  openProject,
  type Project,
  shellHook,
  shopFiles,
} from '../e2e/pipeline-stand.ts';
import { deleted } from '../fixtures/api-cases/case.ts';

const KEY = { namespace: 'default', name: 'web' };

let cluster: ClusterStand;

beforeAll(async () => {
  cluster = await openWholeCluster('--runner', 'process');
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

const project = (hooks: Parameters<typeof shopFiles>[0]): Project =>
  openProject(cluster.kubeconfig, shopFiles(hooks));

const inContainer = '{ container: { podName: "web*", command: [cat, page.html] } }';

describe('a pipeline that deploys to the local cluster', () => {
  it('builds and deploys, and runs its hooks on the host and in the container in order', async () => {
    using shop = project({
      build: `{ before: [${shellHook('echo "before $IMAGE"')}], after: [${shellHook('echo "after $IMAGE"')}] }`,
      deploy: `{ before: [${hostHook('echo "to $SKAFFOLD_KUBE_CONTEXT"')}], after: [${hostHook('echo "into $SKAFFOLD_NAMESPACES"')}, ${inContainer}] }`,
    });
    const { code, stdout, stderr } = await shop.lifehook('pipeline', 'run');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const image = (await cluster.client.get(pods, KEY)).spec?.containers[0]?.image ?? '';
    expect(image).toMatch(/^web:[0-9a-f]{64}$/u);
    const lines = stdout.split('\n').filter((line) => line.startsWith('['));
    expect(lines).toEqual([
      `[build/web/before/0] before ${image}`,
      `[build/web/after/0] after ${image}`,
      '[deploy/kubectl/before/0] to lifehook-local',
      '[deploy] Pod default/web applied',
      '[deploy/kubectl/after/0] into default',
      '[deploy/kubectl/after/1 default/web/web] hello',
    ]);
    const removed = await shop.lifehook('pipeline', 'delete');
    expect(removed.code, removed.stderr).toBe(0);
    await deleted(cluster.client, pods, KEY);
  });

  it('deploys nothing when a build hook fails, and exits with 3', async () => {
    using shop = project({ build: `{ before: [${shellHook('echo "no licence" >&2; exit 9')}] }` });
    const { code, stderr } = await shop.lifehook('pipeline', 'run');
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /error LHL201: The hook build\/web\/before\/0 failed: .*exited with code 9/u,
    );
    expect(stderr).toContain('  | no licence\n');
    expect(await getOrNull(cluster.client, pods, KEY)).toBeNull();
  });
});
