/**
 * A local cluster whose disk was full for a while. For the cluster's process, a limit of the size of files has the
 * effect of a full disk: no journal can be written.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { isReason } from '../../src/kube/api-error.ts';
import { configMaps, pods } from '../../src/kube/resources.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type ClusterStand, openCluster } from './cluster-stand.ts';

let cluster: ClusterStand;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-full-disk-'));
  cluster = await openCluster();
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** A pod whose preStop hook creates the file `NAME-began`, and waits for the file `NAME-go`. */
const pod = (name: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: {
    terminationGracePeriodSeconds: 60,
    containers: [
      {
        name: 'app',
        image: 'none',
        command: [
          'sh',
          '-c',
          `trap '>${folder}/${name}-term; exit' TERM; while sleep 0.1; do :; done`,
        ],
        lifecycle: {
          preStop: {
            exec: {
              command: [
                'sh',
                '-c',
                `>${folder}/${name}-began; until [ -e ${folder}/${name}-go ]; do sleep 0.1; done`,
              ],
            },
          },
        },
      },
    ],
  },
});

const exists = (file: string): Promise<true> =>
  eventually(`${file} exists`, async () => existsSync(join(folder, file)));

const setLimit = async (bytes: string): Promise<void> => {
  execFileSync('prlimit', ['--pid', String(await cluster.pid()), `--fsize=${bytes}:`]);
};

const createMap = (name: string): Promise<unknown> =>
  cluster.client.create(configMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default' },
  });

const isDeleted = (name: string): Promise<boolean> =>
  cluster.client.get(pods, { namespace: 'default', name }).then(
    () => false,
    (error: unknown) => isReason(error, 'NotFound'),
  );

describe('a local cluster whose disk was full', { tags: 'prlimit' }, () => {
  it('ENG-J4: accepts writes and runs hooks again once the disk has space', async () => {
    for (const name of ['a', 'b']) await cluster.client.create(pods, pod(name));
    for (const name of ['a', 'b']) {
      await eventually(`${name} runs`, async () => {
        const { status } = await cluster.client.get(pods, { namespace: 'default', name });
        return status?.phase === 'Running';
      });
    }
    await cluster.client.delete(pods, { namespace: 'default', name: 'a' });
    await exists('a-began');
    await setLimit('1');
    await expect(createMap('refused')).rejects.toThrow('LHE009');
    await writeFile(join(folder, 'a-go'), '');
    // The container is terminated once the outcome of the hook could not be recorded.
    await exists('a-term');
    await setLimit('unlimited');
    await createMap('accepted');
    await eventually('a is deleted', () => isDeleted('a'));
    await writeFile(join(folder, 'b-go'), '');
    await cluster.client.delete(pods, { namespace: 'default', name: 'b' });
    await eventually('b is deleted', () => isDeleted('b'));
    expect(existsSync(join(folder, 'b-began'))).toBe(true);
  });
});
