/**
 * Faults while a database is frozen on a real cluster, with the program as it is delivered. Each fault has its own
 * namespace, database, controller and connection to the API server, so that several run in parallel. The results are in
 * the table of docs/reliability.md.
 *
 * @module-tag node
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { groupSnapshots, snapshots } from '../../src/kube/snapshots.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { defineSnapshotKinds } from '../fixtures/define-snapshot-kinds.ts';
import { defineRolloutKinds } from '../fixtures/rollout/define-rollout-kinds.ts';
import type { FaultCase, FaultRow, FaultWorld } from '../fixtures/snapshot-faults/fault-case.ts';
import {
  type FaultStand,
  lateOn,
  openFaultStand,
} from '../fixtures/snapshot-faults/fault-stand.ts';
import { killCases } from '../fixtures/snapshot-faults/kill-cases.ts';
import {
  STOPPED_SECONDS,
  connectionCases,
  podCases,
  serverCases,
  snapshotterCases,
  stoppedServerCases,
} from '../fixtures/snapshot-faults/other-cases.ts';
import {
  committedRows,
  rowText,
  writeTable,
} from '../fixtures/snapshot-faults/reliability-table.ts';
import { runFault } from '../fixtures/snapshot-faults/run-fault.ts';
import { clusterAccess, connectToCluster, kubeconfigPath } from './real-cluster.ts';
import { startSnapshotter } from './snapshotter-stand.ts';

/** Longer than the sum of all waits. */
const TIMEOUT_MS = 900_000;

const undo: (() => Promise<unknown>)[] = [];
let stand: FaultStand;

beforeAll(async () => {
  const cluster = connectToCluster();
  const { client, connection } = cluster;
  undo.push(async () => {
    connection.transport.close();
  });
  undo.push(await startSnapshotter(cluster, lateOn(nodePlatform)));
  await eventually('snapshots are served', async () => {
    try {
      return await Promise.all([client.list(snapshots), client.list(groupSnapshots)]);
    } catch {
      return null;
    }
  });
  undo.push(await defineSnapshotKinds(client));
  // The program also runs the rollout controllers, which need their kinds.
  undo.push(await defineRolloutKinds(client));
  stand = await openFaultStand({ client, connection, access: clusterAccess() });
  undo.push(async () => stand[Symbol.asyncDispose]());
});

afterAll(async () => {
  for (const each of undo.toReversed()) await each();
});

const rows: Map<FaultCase, FaultRow> = new Map();

async function show(faultCase: FaultCase): Promise<void> {
  rows.set(faultCase, await runFault(stand, faultCase));
}

const sideBySide = [
  ...killCases,
  ...serverCases,
  ...connectionCases,
  ...podCases,
  ...snapshotterCases,
];

describe.concurrent('a database thaws within its bound', () => {
  for (const faultCase of sideBySide) {
    it(`${faultCase.freeze}, ${faultCase.fault}`, { timeout: TIMEOUT_MS }, () => show(faultCase));
  }
});

const allReady: (() => void)[] = [];
const allFrozen: (() => void)[] = [];
const stopped = stoppedServerCases(stopServer, meet);

it(
  'every database thaws within its bound when the process of the API server is stopped',
  { timeout: TIMEOUT_MS, tags: 'control-plane' },
  async () => {
    await Promise.all(stopped.map(show));
  },
);

it('the table in docs/reliability.md equals the results', { tags: 'control-plane' }, () => {
  const seen = [...sideBySide, ...stopped].flatMap((each) => rows.get(each) ?? []);
  if (process.env['LIFEHOOK_RECORD'] === '1') writeTable(seen);
  expect(committedRows()).toEqual(seen.map(rowText));
});

/**
 * Waits until every test is ready to create its snapshot. Otherwise one snapshot could expire while the pod of another
 * test starts.
 */
async function meet(): Promise<void> {
  await new Promise<void>((go) => {
    allReady.push(go);
    if (allReady.length === stopped.length) for (const each of allReady) each();
  });
}

/** Stops the API server once for all tests, when all databases are frozen. */
async function stopServer(world: FaultWorld): Promise<void> {
  await new Promise<void>((go) => {
    allFrozen.push(go);
    if (allFrozen.length === stopped.length) void stopProcess();
  });
  world.strike();
  await pause(STOPPED_SECONDS * 1_000);
}

async function stopProcess(): Promise<void> {
  const pid = Number(readFileSync(join(dirname(kubeconfigPath()), 'pids/kube-apiserver'), 'utf8'));
  const release = (): void => {
    process.kill(pid, 'SIGCONT');
  };
  process.once('exit', release);
  try {
    process.kill(pid, 'SIGSTOP');
    for (const go of allFrozen) go();
    await pause(STOPPED_SECONDS * 1_000);
  } finally {
    release();
    process.off('exit', release);
  }
}
