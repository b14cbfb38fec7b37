/** Tests how a volume of a pod follows changes of its ConfigMap. The test decides when the API server responds. */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Container, Pod } from 'kubernetes-types/core/v1.js';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { type Deferred, deferred } from '../../../../test/fixtures/deferred.ts';
import { nodePlatform } from '../../../../src/platform/node-platform.ts';
import { nodeTrees } from '../../../../src/platform/trees.ts';
import { type LifeOptions, PodLife } from './pod-life.ts';
import type { PodDriving } from './pod-worker.ts';

const container: Container = { name: 'web', command: ['sleep', '1'] };
const configured: Pod = {
  metadata: { namespace: 'shop', name: 'web', uid: 'uid-1' },
  spec: { containers: [container], volumes: [{ name: 'config', configMap: { name: 'settings' } }] },
};
const settings = { kind: 'configmap', name: 'settings' } as const;

let podFolder: string;
/** The value in the ConfigMap. */
let value: string;
/** The next reads of the ConfigMap wait for these, in order. */
let answers: Promise<void>[];
/** Number of times that the volume was written. */
let writes: number;
/** Resolved by a test once the containers of the pod have stopped. */
let over: Deferred<void>;

beforeEach(async () => {
  podFolder = await mkdtemp(join(tmpdir(), 'lifehook-pod-'));
  value = 'first';
  answers = [];
  writes = 0;
  over = deferred();
});

afterEach(async () => {
  await rm(podFolder, { recursive: true, force: true });
});

interface Opened {
  readonly life: PodLife;
  /** Prepares the container, as the pod's worker does before it starts it. */
  readonly prepare: () => Promise<unknown>;
}

function open(pod: Pod): Opened {
  let driving: PodDriving | null = null;
  const client = {
    get: async () => {
      const answer = { data: { key: value } };
      for (const when of answers.splice(0, 1)) await when;
      return answer;
    },
  };
  const files: typeof nodePlatform.files = {
    ...nodePlatform.files,
    rename: async (...args) => {
      await nodePlatform.files.rename(...args);
      writes += 1;
    },
  };
  const start = (given: PodDriving): object => {
    driving = given;
    return { over: over.promise, update: () => undefined, remove: async () => undefined };
  };
  const life = new PodLife({
    pod,
    podFolder,
    client,
    platform: { ...nodePlatform, files },
    trees: nodeTrees,
    podWorkers: { passingConditions: [], start },
    runtime: { name: 'process' },
    found: [],
    resolveImage: () => Promise.resolve(undefined),
    services: () => [],
  } as unknown as LifeOptions);
  const made = driving as PodDriving | null;
  const prepare = async (): Promise<unknown> =>
    made?.host.prepare({ pod, container, id: 'c', labels: {} });
  return { life, prepare };
}

const labelled = (release: string): Pod => ({
  metadata: { namespace: 'shop', name: 'web', uid: 'uid-1', labels: { release } },
  spec: {
    containers: [container],
    volumes: [
      {
        name: 'config',
        downwardAPI: {
          items: [{ path: 'key', fieldRef: { fieldPath: "metadata.labels['release']" } }],
        },
      },
    ],
  },
});

const content = (): Promise<string> => readFile(join(podFolder, 'volumes/config/key'), 'utf8');

/** Lets all started work run until it waits for a promise of the test. */
const turns = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

it('has the newest value, when the answer with an older one comes late', async () => {
  const { life, prepare } = open(configured);
  await prepare();
  expect(await content()).toBe('first');
  const late = deferred<void>();
  answers.push(late.promise);
  value = 'second';
  life.sourceChanged(settings);
  await turns();
  value = 'third';
  life.sourceChanged(settings);
  await turns();
  late.resolve();
  await expect.poll(() => writes).toBe(3);
  expect(await content()).toBe('third');
});

it('has the labels of the newest pod, when they change before its first container has its volumes', async () => {
  const { life, prepare } = open(labelled('first'));
  const prepared = prepare();
  life.update(labelled('second'));
  await prepared;
  expect(await content()).toBe('second');
});

it('leaves nothing of a pod that is deleted while its volume is being updated', async () => {
  const { life, prepare } = open(configured);
  await prepare();
  const late = deferred<void>();
  answers.push(late.promise);
  value = 'second';
  life.sourceChanged(settings);
  await turns();
  over.resolve();
  const ended = life.ended();
  await turns();
  late.resolve();
  await expect.poll(() => writes).toBe(2);
  await ended;
  expect(existsSync(podFolder)).toBe(false);
});
