import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { snapshots } from '../../src/kube/snapshots.ts';
import { removeVolumes, snapshotCases } from '../fixtures/api-cases/snapshots.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { connectToCluster, makeNamespace } from './real-cluster.ts';
import { startSnapshotter } from './snapshotter-stand.ts';

const cluster = connectToCluster();
const { client, connection } = cluster;
let stop: () => Promise<void> = async () => {};

beforeAll(async () => {
  stop = startSnapshotter(cluster);
  await eventually('snapshots are served', async () => {
    try {
      return (await client.list(snapshots)).items;
    } catch {
      return null;
    }
  });
});

afterAll(async () => {
  await stop();
  connection.transport.close();
});

describe('the snapshotter on a real cluster', () => {
  for (const { title, run, expected } of snapshotCases) {
    it(title, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'lifehook-snapshots-'));
      const { namespace, remove } = await makeNamespace(client, 'c3-vs');
      try {
        expect(await run({ client, namespace, folder })).toEqual(expected);
      } finally {
        await remove();
        await removeVolumes({ client, namespace });
        rmSync(folder, { recursive: true });
      }
    });
  }
});
