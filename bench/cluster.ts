/** The local cluster: time until it is ready, comparison with a real API server, pods, and memory. */
import type { Pod } from 'kubernetes-types/core/v1.js';
import { readFile } from 'node:fs/promises';

import { listWatch } from '../src/kube/list-watch.ts';
import { configMaps, pods } from '../src/kube/resources.ts';
import { type ClusterStand, openCluster, openWholeCluster } from '../test/e2e/cluster-stand.ts';
import { connectToCluster } from '../test/cluster/real-cluster.ts';
import { apiFigures } from './cluster-api.ts';
import { median, type BenchResult } from './measure.ts';

const READY_ROUNDS = 10;
const POD_ROUNDS = 3;
const PODS = 100;
const OBJECTS = 10_000;
const AT_ONCE = 50;

export async function cluster(): Promise<readonly BenchResult[]> {
  return [await ready(), ...(await realServer()), await hundredPods(), await memory()];
}

/** The time of the whole `lifehook up`, with its new process and the installation of our kinds. */
async function ready(): Promise<BenchResult> {
  const seconds: number[] = [];
  for (let round = -1; round < READY_ROUNDS; round += 1) {
    const started = performance.now();
    await using _stand = await openWholeCluster();
    if (round >= 0) seconds.push((performance.now() - started) / 1_000);
  }
  return {
    name: 'cluster-ready',
    value: median(seconds),
    unit: 's',
    goal: 0.3,
    against: 'nothing: lifehook up, to its end',
    samples: READY_ROUNDS,
  };
}

async function realServer(): Promise<readonly BenchResult[]> {
  await using stand = await openCluster();
  const real = connectToCluster();
  try {
    return await apiFigures([
      { name: 'local', connection: stand.connection },
      { name: 'real', connection: real.connection },
    ]);
  } finally {
    real.connection.transport.close();
  }
}

async function hundredPods(): Promise<BenchResult> {
  const seconds: number[] = [];
  for (let round = 0; round < POD_ROUNDS; round += 1) {
    await using stand = await openCluster('--runner', 'process');
    const started = performance.now();
    const running = allRunning(stand);
    await Promise.all(
      Array.from({ length: PODS }, (_, index) => stand.client.create(pods, pod(index))),
    );
    await running;
    seconds.push((performance.now() - started) / 1_000);
  }
  return {
    name: `pods-${PODS}-running`,
    value: median(seconds),
    unit: 's',
    goal: 10,
    against: 'nothing: from the first create to the last Running',
    samples: POD_ROUNDS,
  };
}

function pod(index: number): Pod {
  return {
    metadata: { name: `bench-${index}`, namespace: 'default' },
    spec: {
      terminationGracePeriodSeconds: 0,
      containers: [{ name: 'app', image: 'none', command: ['sleep', '1000'] }],
    },
  };
}

async function allRunning({ connection }: ClusterStand): Promise<void> {
  const seen = new Set<string>();
  const end = new AbortController();
  for await (const event of listWatch(connection, pods, {
    namespace: 'default',
    signal: end.signal,
  })) {
    if (event.type !== 'Upsert' || event.object.status?.phase !== 'Running') continue;
    seen.add(event.object.metadata?.name ?? '');
    if (seen.size === PODS) break;
  }
  end.abort();
}

/** Resident memory of the cluster's one process. Each object contains 1 kB. */
async function memory(): Promise<BenchResult> {
  await using stand = await openCluster();
  const empty = await residentMegabytes(stand);
  for (let from = 0; from < OBJECTS; from += AT_ONCE) {
    const names = Array.from({ length: AT_ONCE }, (_, index) => `object-${from + index}`);
    await Promise.all(
      names.map((name) =>
        stand.client.create(configMaps, {
          metadata: { name, namespace: 'default' },
          data: { text: 'x'.repeat(1_000) },
        }),
      ),
    );
  }
  return {
    name: `memory-${OBJECTS}-objects`,
    value: await residentMegabytes(stand),
    unit: 'MB',
    goal: null,
    against: `the empty cluster (${empty.toFixed(0)} MB)`,
    samples: 1,
  };
}

async function residentMegabytes(stand: ClusterStand): Promise<number> {
  const status = await readFile(`/proc/${await stand.pid()}/status`, 'utf8');
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+) kB/.exec(status) ?? [];
  return Number(kilobytes) / 1_024;
}
