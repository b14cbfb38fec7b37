/**
 * Kills `lifehook up` with `kill -9` at random moments under load, with containers of both runners.
 * No acknowledged write may be lost. No container may be started twice or left behind. Logs and exit codes must be
 * complete.
 */
import type { Pod } from 'kubernetes-types/core/v1.js';
import { randomInt } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';

import { isReason } from '../../src/kube/api-error.ts';
import { configMaps, pods } from '../../src/kube/resources.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type ClusterStand, openCluster } from '../e2e/cluster-stand.ts';

/** The gate of CI sets a smaller number, to save time. */
const KILLS = Number(process.env['LIFEHOOK_KILLS'] ?? 100);
const MOST_MS = 700;
const LINES = 40;
/** Bounds the work that follows the kills: a slow machine would otherwise create more pods the slower it is. */
const PODS_MAX = 6 * KILLS;
const RUNNERS = ['process', 'runc'] as const;

test(`loses no write and no container over ${KILLS} kills`, { timeout: 900_000 }, async () => {
  const shared = await mkdtemp(join(tmpdir(), 'lifehook-kill-'));
  await using stand = await openCluster();
  try {
    const imported = await stand.lifehook('image', 'import', await busyboxRoot(shared), 'box:1');
    expect(imported.stderr).toBe('');
    const load = new Load(stand, shared);
    const working = Promise.all([load.writeObjects(), load.makePods()]);
    for (let kill = 0; kill < KILLS; kill += 1) {
      await wait(randomInt(MOST_MS));
      await stand.kill9();
      const up = await stand.lifehook('up');
      expect(up.stderr).toBe('');
    }
    load.stop();
    await working;
    await expectNothingLost(stand, load);
    for (const name of load.pods) await expectWhole(stand, shared, name);
    await stand.lifehook('down');
    expect(await processesWith(shared)).toEqual([]);
  } finally {
    await rm(shared, { recursive: true, force: true });
  }
});

/** Sends requests all the time, and records those that the API server has acknowledged. */
class Load {
  readonly written: string[] = [];
  readonly pods: string[] = [];
  readonly #stand: ClusterStand;
  readonly #shared: string;
  #stopped = false;

  constructor(stand: ClusterStand, shared: string) {
    this.#stand = stand;
    this.#shared = shared;
  }

  stop(): void {
    this.#stopped = true;
  }

  async writeObjects(): Promise<void> {
    for (let count = 0; !this.#stopped; count += 1) {
      const name = `written-${count}`;
      if (await this.#create(configMaps, { metadata: { name, namespace: 'default' } })) {
        this.written.push(name);
      }
    }
  }

  async makePods(): Promise<void> {
    for (let count = 0; !this.#stopped && count < PODS_MAX; count += 1) {
      const name = `pod-${count}`;
      if (await this.#create(pods, podOf(name, count, this.#shared))) this.pods.push(name);
      await wait(300);
    }
  }

  /** Returns false if it is unknown whether the object was stored. */
  async #create(
    ...[resource, object]: Parameters<ClusterStand['client']['create']>
  ): Promise<boolean> {
    try {
      await this.#stand.client.create(resource, object);
      return true;
    } catch (error) {
      // An earlier try has stored the object, but its response was lost.
      if (isReason(error, 'AlreadyExists')) return true;
      await wait(20);
      return false;
    }
  }
}

/** The container logs its start, prints its lines, and exits with an exit code that depends on `count`. */
function podOf(name: string, count: number, shared: string): Pod {
  const script = `echo start >>"$SHARED/${name}"; i=0; while [ $i -lt ${LINES} ]; do echo line $i; i=$((i+1)); sleep 0.05; done; exit ${exitCodeOf(count)}`;
  return {
    metadata: { name, namespace: 'default', labels: { count: String(count) } },
    spec: {
      restartPolicy: 'Never',
      runtimeClassName: RUNNERS[count % RUNNERS.length] ?? 'process',
      volumes: [{ name: 'shared', hostPath: { path: shared } }],
      containers: [
        {
          name: 'app',
          image: 'box:1',
          command: ['sh', '-c', script],
          env: [{ name: 'SHARED', value: shared }],
          volumeMounts: [{ name: 'shared', mountPath: shared }],
        },
      ],
    },
  };
}

function exitCodeOf(count: number): number {
  return count % 5;
}

async function expectNothingLost(stand: ClusterStand, { written }: Load): Promise<void> {
  const { items } = await stand.client.list(configMaps, { namespace: 'default' });
  const there = new Set(items.map(({ metadata }) => metadata?.name));
  expect(written.length).toBeGreaterThan(KILLS);
  expect(written.filter((name) => !there.has(name))).toEqual([]);
}

async function expectWhole(stand: ClusterStand, shared: string, name: string): Promise<void> {
  const key = { namespace: 'default', name };
  const pod = await eventually(
    `${name} has ended`,
    async () => {
      const found = await stand.client.get(pods, key);
      return ['Succeeded', 'Failed'].includes(found.status?.phase ?? '') ? found : null;
    },
    60,
  );
  const [status] = pod.status?.containerStatuses ?? [];
  const count = Number(pod.metadata?.labels?.['count']);
  expect(status?.state?.terminated?.exitCode, `exit code of ${name}`).toBe(exitCodeOf(count));
  expect(await readFile(join(shared, name), 'utf8'), `starts of ${name}`).toBe('start\n');
  const { stdout } = await stand.kubectl('logs', name);
  const lines = Array.from({ length: LINES }, (_, index) => `line ${index}\n`).join('');
  expect(stdout, `log of ${name}`).toBe(lines);
}

/** Makes a root directory with a static busybox. */
async function busyboxRoot(folder: string): Promise<string> {
  const root = join(folder, 'root');
  await mkdir(join(root, 'bin'), { recursive: true });
  await copyFile('/bin/busybox', join(root, 'bin', 'busybox'));
  for (const name of ['sh', 'sleep', 'echo', 'cat'])
    await symlink('busybox', join(root, 'bin', name));
  return root;
}

/** The command lines of all running processes that have this text in their environment variable SHARED. */
async function processesWith(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
      if (environment.includes(`SHARED=${text}`))
        found.push(await readFile(`/proc/${pid}/cmdline`, 'utf8'));
    } catch {
      // The process has exited, or is a kernel thread.
    }
  }
  return found;
}
