import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { DEFAULT_GATES } from '../../../src/model/feature-gates.ts';
import type { ContainerRuntime } from '../../../src/platform/container-runtime.ts';
import { nodePlatform } from '../../../src/platform/node-platform.ts';
import { nodeRandomness, type Randomness } from '../../../src/platform/randomness.ts';
import { TokenBook } from './api/tokens.ts';
import { type LocalCluster, type LocalClusterOptions, startLocalCluster } from './local-cluster.ts';

let folder: string;
/** Addresses that are listened on. */
let taken: Set<string>;
/** True once the connections to webhooks are closed, which the API server does when it closes. */
let closed: boolean;
/** Called while the node starts. */
let listContainers: () => Promise<[]>;
/** True while the API server can create no object. */
let broken: boolean;
/** Called when the node's name is read, which is just before the caches start. */
let beforeCaches: () => void;
/** True if the next random number cannot be computed. A watch begins with one. */
let unlucky: boolean;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-cluster-'));
  taken = new Set();
  closed = false;
  broken = false;
  beforeCaches = () => undefined;
  unlucky = false;
  listContainers = async () => [];
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const randomness: Randomness = {
  ...nodeRandomness,
  uuid: () => {
    if (broken) throw new Error('no random bytes');
    return nodeRandomness.uuid();
  },
  below: (limit) => {
    if (!unlucky) return nodeRandomness.below(limit);
    unlucky = false;
    throw new Error('no random number');
  },
};

const start = (): Promise<LocalCluster> => {
  const { clock } = nodePlatform;
  const runtime = { name: 'process', list: () => listContainers() } as unknown as ContainerRuntime;
  return startLocalCluster({
    platform: nodePlatform,
    randomness,
    forwarding: {
      forward: async ({ host, port }: { host: string; port: number }) => {
        taken.add(`${host}:${port}`);
        return {
          stopListening: async () => void taken.delete(`${host}:${port}`),
          closeConnections: () => undefined,
        };
      },
    },
    tokens: new TokenBook({ clock, randomness: nodeRandomness, adminToken: 'a' }),
    stateFolder: folder,
    node: {
      get name() {
        beforeCaches();
        return 'lifehook';
      },
      hostIp: '127.0.0.1',
      operatingSystem: 'linux',
      architecture: 'amd64',
      cpus: 1,
      memoryBytes: 1,
      runtimeVersion: 'process://1',
    },
    runtimes: new Map([['', runtime]]),
    endedByUs: new Set(),
    webhookCall: {
      close: () => {
        closed = true;
      },
    },
    oneLoopbackAddress: false,
    apiServerGates: DEFAULT_GATES,
    podWorkers: { passingConditions: [] },
    endpointDelayMs: 0,
  } as unknown as LocalClusterOptions);
};

it('closes the API server and frees its addresses when a part cannot start', async () => {
  listContainers = () => Promise.reject(new Error('EACCES'));
  await expect(start()).rejects.toThrow('EACCES');
  expect([closed, taken.size]).toEqual([true, 0]);
});

it('stops completely after a part has failed', async () => {
  listContainers = async () => {
    broken = true;
    return [];
  };
  const cluster = await start();
  await expect(cluster.running).rejects.toThrow();
  await cluster.stop();
  expect([closed, taken.size]).toEqual([true, 0]);
});

it('does not wait for caches of which one has failed', async () => {
  beforeCaches = () => {
    unlucky = true;
    beforeCaches = () => undefined;
  };
  await expect(start()).rejects.toThrow('no random number');
  expect([closed, taken.size]).toEqual([true, 0]);
});

it('reports a failed part also to a caller that waits for it only after the stop', async () => {
  listContainers = async () => {
    broken = true;
    return [];
  };
  const cluster = await start();
  await cluster.stop();
  await expect(cluster.running).rejects.toThrow();
});
