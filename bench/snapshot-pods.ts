/** Many containers frozen at once by one hook, beside as many bare execs: the same client, as many at a time. */
import { execInPod } from '../src/kube/exec.ts';
import { listWatch } from '../src/kube/list-watch.ts';
import { pods } from '../src/kube/resources.ts';
import { FREEZES_AT_ONCE } from '../src/lifecycles/snapshot/hook/attempts.ts';
import { executionHooks } from '../src/lifecycles/snapshot/kinds.ts';
import { interleave, median, type BenchResult } from './measure.ts';
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
/** More at a time, and a machine of two cores starts none of them in time. */
const STARTED_AT_ONCE = 10;
const COMMAND = ['true'];

export async function freezePods(cluster: SnapshotCluster): Promise<BenchResult> {
  const { client, namespace } = cluster;
  const names = Array.from({ length: PODS }, (_, index) => `idle-${index}`);
  await inTurns(names, (name) => start(cluster, name), STARTED_AT_ONCE);
  await using _controller = await startController(cluster);
  const times = await interleave(
    [
      { name: 'bare', run: () => execAll(cluster, names) },
      { name: 'hook', run: (round) => freezeAll(cluster, `freeze-${round + 1}`) },
    ],
    ROUNDS,
  );
  for (const resource of [executionHooks, pods]) {
    await removeAll(client, resource, namespace);
  }
  const [bare, hook] = [median(times.get('bare') ?? []), median(times.get('hook') ?? [])];
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

async function execAll(cluster: SnapshotCluster, names: readonly string[]): Promise<void> {
  const { connection, namespace } = cluster;
  const all = names.flatMap((pod) => CONTAINERS.map((container) => ({ pod, container })));
  const run = async (target: (typeof all)[number]): Promise<void> => {
    const result = await execInPod(connection, { namespace, ...target, command: COMMAND });
    const isDone = result.outcome === 'exited' && result.exitCode === 0;
    if (!isDone) throw new Error(`a bare exec: ${JSON.stringify(result)}`);
  };
  await inTurns(all, run, FREEZES_AT_ONCE);
}

/** From the create of the hook until a watch sees that everything is frozen. The next round finds nothing of it. */
async function freezeAll(cluster: SnapshotCluster, name: string): Promise<void> {
  const { client, connection, namespace } = cluster;
  const end = new AbortController();
  const options = { namespace, fieldSelector: `metadata.name=${name}`, signal: end.signal };
  const preAction = { exec: { command: COMMAND } };
  const hook = { metadata: { name, namespace }, spec: { podSelector: {}, preAction } };
  for await (const event of listWatch(connection, executionHooks, options)) {
    if (event.type === 'Synced') await client.create(executionHooks, hook);
    if (event.type === 'Upsert' && isFrozen(event.object)) break;
  }
  end.abort();
}
