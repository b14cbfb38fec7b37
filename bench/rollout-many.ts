/**
 * Many Deployments without open rollouts, each with a lifecycle and no pods. It measures the memory and CPU time of the
 * controller, and the time until the controller notices a new template of one Deployment.
 */
import { deployments, pods } from '../src/kube/resources.ts';
import {
  type DeploymentLifecycle,
  deploymentLifecycles,
  hookRuns,
} from '../src/lifecycles/rollout/kinds.ts';
import { caseDeployment, shellHook } from '../test/fixtures/rollout-cases/case-manifests.ts';
import { type BenchResult, median } from './measure.ts';
import { isArmed, type RolloutCluster, startGatedController } from './rollout-cluster.ts';
import { Watched } from './rollout-watch.ts';
import { inTurns, removeAll } from './snapshot-cluster.ts';
import { cpuSeconds, residentMegabytes } from './snapshot-controller.ts';

const DEPLOYMENTS = 500;
/** Waits until pending writes, such as Events, are done. */
const SETTLE_MS = 15_000;
/** Longer than the interval of the gate's proofs, which is at most 75 s. */
const REST_MS = 90_000;
const NOTICES = 25;
/** Percent of one core. */
const GOAL_PERCENT = 1;

export async function manyDeployments(cluster: RolloutCluster): Promise<readonly BenchResult[]> {
  const { client, namespace } = cluster;
  const empty = await emptyMegabytes(cluster);
  const names = Array.from({ length: DEPLOYMENTS }, (_, index) => `web-${index}`);
  await inTurns(names, async (name) => {
    const made = caseDeployment(namespace, { replicas: 0 });
    await client.create(deployments, { ...made, metadata: { namespace, name } });
    const spec = { deploymentName: name, rollingUpdate: { pre: shellHook('true') } };
    await client.create(deploymentLifecycles, { metadata: { namespace, name }, spec });
  });
  const startedMs = performance.now();
  await using controller = await startGatedController(cluster);
  const armedSeconds = ((await allArmed(cluster)) - startedMs) / 1_000;
  await pause(SETTLE_MS);
  const before = await cpuSeconds(controller.pid);
  await pause(REST_MS);
  const rest = ((await cpuSeconds(controller.pid)) - before) / (REST_MS / 1_000);
  const megabytes = await residentMegabytes(controller.pid);
  const noticedMs = await notices(cluster, names);
  for (const resource of [deploymentLifecycles, deployments, hookRuns, pods]) {
    await removeAll(client, resource, namespace);
  }
  return results(cluster.name, {
    empty,
    armedSeconds,
    restPercent: rest * 100,
    megabytes,
    noticedMs,
  });
}

interface Measured {
  readonly empty: number;
  readonly armedSeconds: number;
  readonly restPercent: number;
  readonly megabytes: number;
  readonly noticedMs: readonly number[];
}

function results(cluster: string, measured: Measured): readonly BenchResult[] {
  const { empty, armedSeconds, restPercent, megabytes, noticedMs } = measured;
  const name = (what: string): string => `deployments-${DEPLOYMENTS}-${what}-${cluster}`;
  const shared = { goal: null, samples: 1 };
  return [
    {
      ...shared,
      name: name('armed'),
      value: armedSeconds,
      unit: 's',
      against: 'nothing: from the start of the controller to the last gate that is proven',
    },
    {
      ...shared,
      name: name('memory'),
      value: megabytes,
      unit: 'MB',
      against: `the controller without Deployments (${empty.toFixed(0)} MB)`,
    },
    {
      ...shared,
      name: name('rest'),
      value: restPercent,
      unit: '%',
      goal: GOAL_PERCENT,
      against: `one core, over ${REST_MS / 1_000} s in which nothing happens`,
    },
    {
      ...shared,
      name: name('noticed'),
      value: median(noticedMs),
      unit: 'ms',
      against: `nothing: from the answer to the PATCH until a watch sees the HookRun (longest ${Math.max(...noticedMs).toFixed(0)} ms)`,
      samples: NOTICES,
    },
  ];
}

async function emptyMegabytes(cluster: RolloutCluster): Promise<number> {
  await using controller = await startGatedController(cluster);
  await pause(SETTLE_MS);
  return await residentMegabytes(controller.pid);
}

/** The time at which a watch had seen every Deployment armed. */
async function allArmed(cluster: RolloutCluster): Promise<number> {
  using seen = new Watched(cluster, deploymentLifecycles);
  const armed = new Set<string>();
  const { atMs } = await seen.first('all are armed', (lifecycle: DeploymentLifecycle) => {
    if (isArmed(lifecycle)) armed.add(lifecycle.metadata?.name ?? '');
    return armed.size === DEPLOYMENTS;
  });
  return atMs;
}

/**
 * Milliseconds until the controller noticed each change. Changes are made one after another, in Deployments that are
 * far apart in `names`.
 */
async function notices(cluster: RolloutCluster, names: readonly string[]): Promise<number[]> {
  const { client, namespace } = cluster;
  using seen = new Watched(cluster, hookRuns);
  const noticedMs: number[] = [];
  const step = Math.floor(names.length / (NOTICES + 1));
  // Round 0 only warms the caches.
  for (let round = 0; round <= NOTICES; round += 1) {
    const name = names[round * step] ?? '';
    const run = seen.first(`the hook of ${name}`, ({ spec }) => spec.deploymentName === name);
    const body = { spec: { template: { metadata: { annotations: { version: 't2' } } } } };
    await client.patch(deployments, { namespace, name }, { type: 'merge', body });
    const changedMs = performance.now();
    const { atMs } = await run;
    if (round > 0) noticedMs.push(atMs - changedMs);
  }
  return noticedMs;
}

async function pause(ms: number): Promise<void> {
  await new Promise((over) => {
    setTimeout(over, ms);
  });
}
