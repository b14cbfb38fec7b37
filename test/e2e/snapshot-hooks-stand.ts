/**
 * A local cluster with the snapshot kinds, pods that run shell scripts, and the hook controller as a separate process.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

import { isReason } from '../../src/kube/api-error.ts';
import { customResourceDefinitions, events, pods } from '../../src/kube/resources.ts';
import {
  type ExecutionHook,
  executionHooks,
  type ExecutionHookSpec,
} from '../../src/lifecycles/snapshot/kinds.ts';
import { snapshotDefinitions } from '../../src/lifecycles/snapshot/schema/definitions.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type ClusterStand, openCluster } from './cluster-stand.ts';

const NAMESPACE = 'default';
/** Seconds until all of hundreds of containers run. */
const PODS_S = 240;

export interface HooksStand extends AsyncDisposable {
  readonly cluster: ClusterStand;
  /** Starts the controller; kills a running one first. */
  start(): Promise<void>;
  /** Kills the controller with SIGKILL. */
  kill(): Promise<void>;
  /** Creates idle pods; resolves once they run. */
  makePods(names: readonly string[], containers?: readonly string[]): Promise<void>;
  /** argv that appends "word pod" to the log and then runs the script. */
  say(word: string, script?: string): string[];
  /** Lines that were written since the log was last emptied. */
  log(): Promise<readonly string[]>;
  makeHook(name: string, spec: Partial<ExecutionHookSpec>): Promise<void>;
  hook(name: string): Promise<ExecutionHook | null>;
  /** Resolves once the condition is true for the hook; null stands for a deleted hook. */
  until(
    name: string,
    what: string,
    isSo: (hook: ExecutionHook | null) => boolean,
  ): Promise<ExecutionHook | null>;
  annotate(name: string, annotations: Readonly<Record<string, string>>): Promise<void>;
  remove(name: string): Promise<void>;
  reasons(name: string): Promise<readonly string[]>;
  /** Events of the controllers, in order. */
  observed(): readonly { readonly type: string; readonly atMs: number }[];
}

export async function openHooksStand(): Promise<HooksStand> {
  const cluster = await openCluster('--runner', 'process');
  const { client, folder } = cluster;
  const program = join(folder, 'hook-controller.mjs');
  await bundle(program);
  for (const definition of snapshotDefinitions()) {
    await client.create(customResourceDefinitions, definition);
  }
  await eventually('the kinds are served', async () => {
    try {
      return await client.list(executionHooks);
    } catch {
      return null;
    }
  });
  const logFile = join(folder, 'log');
  await writeFile(logFile, '');
  let controller: ChildProcess | null = null;
  let output = '';
  const get = async (name: string): Promise<ExecutionHook | null> => {
    try {
      return await client.get(executionHooks, { namespace: NAMESPACE, name });
    } catch (error) {
      if (isReason(error, 'NotFound')) return null;
      throw error;
    }
  };
  const stand: HooksStand = {
    cluster,
    start: async () => {
      await stand.kill();
      controller = spawn(process.execPath, [program, cluster.kubeconfig], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      controller.stdout?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    },
    kill: async () => {
      const running = controller;
      controller = null;
      if (running === null || running.exitCode !== null) return;
      const ended = new Promise((resolve) => running.once('exit', resolve));
      running.kill('SIGKILL');
      await ended;
    },
    makePods: async (names, containers = ['app']) => {
      await Promise.all(
        names.map((name) =>
          client.create(pods, {
            metadata: { name, namespace: NAMESPACE, labels: { app: name.replace(/-\d+$/, '') } },
            spec: {
              terminationGracePeriodSeconds: 0,
              containers: containers.map((container) => ({
                name: container,
                image: 'none',
                command: ['sh', '-c', 'while :; do sleep 1000; done'],
              })),
            },
          }),
        ),
      );
      for (const name of names) {
        await eventually(
          `${name} runs`,
          async () => {
            const { status } = await client.get(pods, { namespace: NAMESPACE, name });
            const running = (status?.containerStatuses ?? []).filter(({ state }) => state?.running);
            return running.length === containers.length;
          },
          PODS_S,
        );
      }
    },
    say: (word, script = ':') => ['sh', '-c', `echo "${word} $HOSTNAME" >>${logFile}; ${script}`],
    log: async () => (await readFile(logFile, 'utf8')).split('\n').filter((line) => line !== ''),
    makeHook: async (name, spec) => {
      await writeFile(logFile, '');
      const hook = { metadata: { name, namespace: NAMESPACE }, spec };
      await client.create(executionHooks, hook);
    },
    hook: get,
    until: (name, what, isSo) =>
      eventually(`${name}: ${what}`, async () => {
        const hook = await get(name);
        return isSo(hook) ? { hook } : null;
      }).then(({ hook }) => hook),
    annotate: async (name, annotations) => {
      const body = { metadata: { annotations: { ...annotations } } };
      await client.patch(executionHooks, { namespace: NAMESPACE, name }, { type: 'merge', body });
    },
    remove: async (name) => {
      await client.delete(executionHooks, { namespace: NAMESPACE, name });
    },
    reasons: async (name) => {
      const { items } = await client.list(events, { namespace: NAMESPACE });
      const own = items.filter(({ involvedObject }) => involvedObject.name === name);
      return own.map(({ reason = '' }) => reason);
    },
    observed: () =>
      output
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { type: string; atMs: number }),
    [Symbol.asyncDispose]: async () => {
      await stand.kill();
      await cluster[Symbol.asyncDispose]();
    },
  };
  return stand;
}

async function bundle(outfile: string): Promise<void> {
  await build({
    entryPoints: ['test/e2e/snapshot-hooks-program.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: ['vitest'],
    logLevel: 'warning',
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
}
