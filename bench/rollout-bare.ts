/** The same rollout and the same pods without us, and the same number of requests without anything else. */
import type { PodSpec } from 'kubernetes-types/core/v1.js';

import { configMaps, pods } from '../src/kube/resources.ts';
import { buildHookPod, isRefusal } from '../src/lifecycles/rollout/hookpod/build-hook-pod.ts';
import { caseDeployment } from '../test/fixtures/rollout-cases/case-manifests.ts';
import type { RolloutCluster } from './rollout-cluster.ts';
import {
  hasEnded,
  HOOK,
  isRolledOut,
  patchTemplate,
  type Stand,
  templateOf,
  WRITTEN,
} from './rollout-stand.ts';

export async function rollBare(stand: Stand, round: number): Promise<void> {
  const { cluster } = stand;
  const version = `round-${round}`;
  await runBare(stand, `pre-${round + 1}`, version);
  const { metadata } = await patchTemplate(cluster, 'bare', version);
  const generation = metadata?.generation ?? 0;
  await stand.deployments.first(
    'it is complete',
    (each) =>
      each.metadata?.name === 'bare' &&
      (each.metadata.generation ?? 0) >= generation &&
      isRolledOut(each),
  );
  await runBare(stand, `post-${round + 1}`, version);
}

/** As a hook's pod is, without an owner. */
async function runBare(stand: Stand, name: string, version: string): Promise<void> {
  const { client, namespace } = stand.cluster;
  const built = buildHookPod({
    deployment: caseDeployment(namespace, {}),
    number: 1,
    stage: 'pre',
    attempt: 1,
    direction: 'Rollout',
    template: templateOf('bare', version),
    hook: HOOK,
    replicaSet: null,
  });
  if (isRefusal(built) || built.spec === undefined) throw new Error(JSON.stringify(built));
  await client.create(pods, { metadata: { namespace, name }, spec: withoutPermit(built.spec) });
  await stand.pods.first(
    `${name} has ended`,
    (pod) => pod.metadata?.name === name && hasEnded(pod),
  );
}

/** It has no token of a permit, since no controller grants it one. */
function withoutPermit(spec: PodSpec): PodSpec {
  const containers = spec.containers.map((container) => ({
    ...container,
    env: (container.env ?? []).filter(({ valueFrom }) => valueFrom === undefined),
  }));
  return { ...spec, containers };
}

/**
 * What a rollout with both hooks needs one after the other while we are to act. Writes: the PATCH itself, the
 * opening, Releasing, the release, Post and Done; of each hook its HookRun, its intent, its permit, its pod and its
 * outcome. Reads: the fence's list; of each hook the list before its pod, and its log, while
 * which the permit is revoked.
 */
export const WRITES = 16;
export const READS = 5;

export async function bareRequests(
  { client, namespace }: RolloutCluster,
  round: number,
): Promise<void> {
  const key = { namespace, name: WRITTEN };
  for (let count = 0; count < WRITES; count += 1) {
    const body = { data: { text: `${round}/${count}` } };
    await client.patch(configMaps, key, { type: 'merge', body });
  }
  for (let count = 0; count < READS; count += 1) await client.get(configMaps, key);
}
