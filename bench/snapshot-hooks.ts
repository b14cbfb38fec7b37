/**
 * Many hooks at once: how fast they freeze and thaw, and what they cost while they hold their freezes.
 *
 * They freeze a server in this process through httpGet, because an exec would measure the kubelet. The pods are only
 * objects with the status Running: no node runs them.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Pod } from 'kubernetes-types/core/v1.js';

import type { WatchEvent } from '../src/kube/client.ts';
import { listWatch } from '../src/kube/list-watch.ts';
import { pods } from '../src/kube/resources.ts';
import { type ExecutionHook, executionHooks } from '../src/lifecycles/snapshot/kinds.ts';
import { sleep } from '../src/platform/sleep.ts';
import { nodePlatform } from '../src/platform/node-platform.ts';
import type { BenchResult } from './measure.ts';
import { inTurns, isFrozen, removeAll, type SnapshotCluster } from './snapshot-cluster.ts';
import { cpuSeconds, residentMegabytes, startController } from './snapshot-controller.ts';

const HOOKS = 5_000;
const CONTAINERS_PER_POD = 10;
/** Seconds to wait until pending writes, such as Events, are done. */
const SETTLE_SECONDS = 15;
const REST_SECONDS = 60;
/** Percent of one core. */
const GOAL_PERCENT = 1;
const MB_DIGITS = 0;

export async function manyHooks(cluster: SnapshotCluster): Promise<readonly BenchResult[]> {
  const { client, namespace } = cluster;
  await using server = await answerAll();
  await makePods(cluster);
  const empty = await emptyMegabytes(cluster);
  const indexes = Array.from({ length: HOOKS }, (_, index) => index);
  await inTurns(indexes, (index) =>
    client.create(executionHooks, hookOf(namespace, index, server)),
  );
  const frozen = untilAll(cluster, isFrozen);
  const startedMs = performance.now();
  const flags = ['--allow-hook-host', '127.0.0.1'];
  await using controller = await startController({ ...cluster, flags });
  const { pid } = controller;
  const freezeSeconds = ((await frozen) - startedMs) / 1_000;
  await sleepSeconds(SETTLE_SECONDS);
  const before = await cpuSeconds(pid);
  await sleepSeconds(REST_SECONDS);
  const restPercent = (((await cpuSeconds(pid)) - before) / REST_SECONDS) * 100;
  const megabytes = await residentMegabytes(pid);
  const ended = untilAll(cluster, () => false);
  const endedMs = performance.now();
  await inTurns(indexes, (index) =>
    client.delete(executionHooks, { namespace, name: hookName(index) }),
  );
  const thawSeconds = ((await ended) - endedMs) / 1_000;
  await removeAll(client, pods, namespace);
  return results(cluster.name, { freezeSeconds, thawSeconds, restPercent, megabytes, empty });
}

interface Measured {
  readonly freezeSeconds: number;
  readonly thawSeconds: number;
  readonly restPercent: number;
  readonly megabytes: number;
  readonly empty: number;
}

function results(cluster: string, measured: Measured): readonly BenchResult[] {
  const { freezeSeconds, thawSeconds, restPercent, megabytes, empty } = measured;
  const name = (what: string): string => `hooks-${HOOKS}-${what}-${cluster}`;
  const shared = { goal: null, samples: 1 };
  return [
    {
      ...shared,
      name: name('frozen'),
      value: HOOKS / freezeSeconds,
      unit: 'hooks/s',
      against: `nothing: from the start of the controller to the last one frozen (${freezeSeconds.toFixed(1)} s)`,
    },
    {
      ...shared,
      name: name('thawed'),
      value: HOOKS / thawSeconds,
      unit: 'hooks/s',
      against: `nothing: from the first deletion to the last one gone (${thawSeconds.toFixed(1)} s)`,
    },
    {
      ...shared,
      name: name('memory'),
      value: megabytes,
      unit: 'MB',
      against: `the controller without hooks (${empty.toFixed(MB_DIGITS)} MB)`,
    },
    {
      ...shared,
      name: name('rest'),
      value: restPercent,
      unit: '%',
      goal: GOAL_PERCENT,
      against: `one core, over ${REST_SECONDS} s in which all are frozen and nothing happens`,
    },
  ];
}

interface Server extends AsyncDisposable {
  readonly port: number;
}

/** A server that answers every request with success. */
async function answerAll(): Promise<Server> {
  const server = createServer((_, answer) => {
    answer.end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const hookName = (index: number): string => `hook-${index}`;
const podName = (index: number): string => `object-${Math.floor(index / CONTAINERS_PER_POD)}`;
const containerName = (index: number): string => `c${index % CONTAINERS_PER_POD}`;

async function makePods({ client, namespace }: SnapshotCluster): Promise<void> {
  const names = Array.from({ length: CONTAINERS_PER_POD }, (_, index) => containerName(index));
  const count = Math.ceil(HOOKS / CONTAINERS_PER_POD);
  const indexes = Array.from({ length: count }, (_, index) => index * CONTAINERS_PER_POD);
  await inTurns(indexes, async (index) => {
    const pod = await client.create(pods, podOf(namespace, podName(index), names));
    const startedAt = new Date().toISOString();
    await client.replaceStatus(pods, { ...pod, status: statusOf(names, startedAt) });
  });
}

function podOf(namespace: string, name: string, names: readonly string[]): Pod {
  return {
    metadata: { name, namespace },
    spec: {
      schedulerName: 'nobody',
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 0,
      containers: names.map((container) => ({ name: container, image: 'none' })),
    },
  };
}

function statusOf(names: readonly string[], startedAt: string): Pod['status'] & object {
  return {
    phase: 'Running',
    containerStatuses: names.map((name) => ({
      name,
      image: 'none',
      imageID: 'none',
      containerID: `none://${name}`,
      ready: true,
      restartCount: 0,
      state: { running: { startedAt } },
    })),
  };
}

function hookOf(namespace: string, index: number, { port }: Server): ExecutionHook {
  const httpGet = { host: '127.0.0.1', port };
  const target = { podName: podName(index), containerNames: [containerName(index)] };
  return {
    metadata: { name: hookName(index), namespace },
    spec: {
      podContainerNamesList: [target],
      preAction: { httpGet },
      postAction: { httpGet },
      expirationSeconds: 3_600,
    },
  };
}

/** Resolves with the time at which every existing hook fulfils `isSo` or is deleted. */
async function untilAll(
  { connection, namespace }: SnapshotCluster,
  isSo: (hook: ExecutionHook) => boolean,
): Promise<number> {
  const end = new AbortController();
  const { signal } = end;
  const waiting = new Set<string>();
  let synced = false;
  for await (const event of listWatch(connection, executionHooks, { namespace, signal })) {
    synced ||= event.type === 'Synced';
    const change = changeIn(event, isSo);
    if (change !== null) waiting[change.waits ? 'add' : 'delete'](change.name);
    if (synced && waiting.size === 0) break;
  }
  end.abort();
  return performance.now();
}

function changeIn(
  event: WatchEvent<ExecutionHook>,
  isSo: (hook: ExecutionHook) => boolean,
): { readonly name: string; readonly waits: boolean } | null {
  if (event.type !== 'Upsert' && event.type !== 'Delete') return null;
  const { name = '' } = event.object.metadata ?? {};
  return { name, waits: event.type === 'Upsert' && !isSo(event.object) };
}

/** Memory of a new controller that has seen the pods and no hook, in MB. */
async function emptyMegabytes(cluster: SnapshotCluster): Promise<number> {
  await using controller = await startController(cluster);
  await sleepSeconds(SETTLE_SECONDS);
  return await residentMegabytes(controller.pid);
}

async function sleepSeconds(seconds: number): Promise<void> {
  await sleep(nodePlatform.timers, seconds * 1_000, new AbortController().signal);
}
