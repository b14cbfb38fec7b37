/**
 * One hook that freezes many containers at once, compared with the same number of bare execs by the same client, with
 * equal concurrency.
 */
import { execInPod } from '../src/kube/exec.ts';
import { listWatch } from '../src/kube/list-watch.ts';
import { pods } from '../src/kube/resources.ts';
import { FREEZES_AT_ONCE } from '../src/lifecycles/snapshot/hook/attempts.ts';
import { executionHooks } from '../src/lifecycles/snapshot/kinds.ts';
import { median, type BenchResult } from './measure.ts';
import {
  idlePod,
  inTurns,
  isFrozen,
  removeAll,
  type SnapshotCluster,
  untilRunning,
} from './snapshot-cluster.ts';
import { startController } from './snapshot-controller.ts';

const PODS = 100;
const CONTAINERS = ['one', 'two'];
const ROUNDS = 5;
const RUNNING_SECONDS = 900;
/** If more pods were started at a time, all would start too late on a machine with two cores. */
const STARTED_AT_ONCE = 10;
const COMMAND = ['true'];

export async function freezePods(cluster: SnapshotCluster): Promise<BenchResult> {
  const { client, namespace } = cluster;
  const names = Array.from({ length: PODS }, (_, index) => `idle-${index}`);
  await inTurns(names, (name) => start(cluster, name), STARTED_AT_ONCE);
  await using _controller = await startController(cluster);
  const bareMs: number[] = [];
  const hookMs: number[] = [];
  // Round -1 only warms the caches.
  for (let round = -1; round < ROUNDS; round += 1) {
    const bare = await execAll(cluster, names);
    const hook = await freezeAll(cluster, `freeze-${round + 1}`);
    if (round < 0) continue;
    bareMs.push(bare);
    hookMs.push(hook);
  }
  for (const resource of [executionHooks, pods]) {
    await removeAll(client, resource, namespace);
  }
  const [bare, hook] = [median(bareMs), median(hookMs)];
  return {
    name: `freeze-${PODS}-pods-${cluster.name}`,
    value: hook / bare,
    unit: 'times',
    goal: cluster.name === 'real' ? 1.3 : null,
    against: `${PODS * CONTAINERS.length} bare execs, ${FREEZES_AT_ONCE} at a time (${bare.toFixed(0)} ms; one hook ${hook.toFixed(0)} ms)`,
    samples: ROUNDS,
  };
}

async function start(cluster: SnapshotCluster, name: string): Promise<void> {
  const { client, namespace } = cluster;
  await client.create(pods, { metadata: { name, namespace }, spec: idlePod(CONTAINERS) });
  await untilRunning(cluster, name, RUNNING_SECONDS);
}

/** Milliseconds for one exec in each container. */
async function execAll(cluster: SnapshotCluster, names: readonly string[]): Promise<number> {
  const { connection, namespace } = cluster;
  const all = names.flatMap((pod) => CONTAINERS.map((container) => ({ pod, container })));
  const run = async (target: (typeof all)[number]): Promise<void> => {
    const result = await execInPod(connection, { namespace, ...target, command: COMMAND });
    const isDone = result.outcome === 'exited' && result.exitCode === 0;
    if (!isDone) throw new Error(`a bare exec: ${JSON.stringify(result)}`);
  };
  const startedMs = performance.now();
  await inTurns(all, run, FREEZES_AT_ONCE);
  return performance.now() - startedMs;
}

/** Milliseconds from the creation of the hook until a watch sees all targets frozen. Deletes the hook afterwards. */
async function freezeAll(cluster: SnapshotCluster, name: string): Promise<number> {
  const { client, connection, namespace } = cluster;
  const end = new AbortController();
  const options = { namespace, fieldSelector: `metadata.name=${name}`, signal: end.signal };
  const preAction = { exec: { command: COMMAND } };
  const hook = { metadata: { name, namespace }, spec: { podSelector: {}, preAction } };
  let startedMs = 0;
  for await (const event of listWatch(connection, executionHooks, options)) {
    if (event.type === 'Upsert' && isFrozen(event.object)) break;
    if (event.type !== 'Synced') continue;
    startedMs = performance.now();
    await client.create(executionHooks, hook);
  }
  const tookMs = performance.now() - startedMs;
  end.abort();
  await removeAll(client, executionHooks, namespace);
  return tookMs;
}
