/** For comparison: the same rollout and pods without our controller, and the same number of bare API requests. */
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

/** Runs a pod like that of a hook, but without an owner. */
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

/** Drops the variables of the permit, because no controller grants one. */
function withoutPermit(spec: PodSpec): PodSpec {
  const containers = spec.containers.map((container) => ({
    ...container,
    env: (container.env ?? []).filter(({ valueFrom }) => valueFrom === undefined),
  }));
  return { ...spec, containers };
}

/**
 * Number of API requests that delay a rollout with two hooks, because they are sent one after another.
 *
 * Writes: the user's PATCH, the phases Pre, Releasing, Post and Done, and the release; for each hook its HookRun,
 * intent, permit, pod and outcome. Reads: the list of the fence; for each hook the list before its pod, and its log.
 * The revocation of the permit is not counted, because it runs while the log is read.
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
