/** A local cluster as a user starts it: `lifehook up` from the build, and kubectl. Disposing of it stops both. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import type { KubeClient, KubeConnection } from '../../src/kube/client.ts';
import { loadKubeAccess } from '../../src/kube/kube-config.ts';
import { makeKubeClient } from '../../src/kube/make-client.ts';
import { nodeAuthPlugin } from '../../src/platform/node-auth-plugin.ts';
import { nodeHttpTransport } from '../../src/platform/node-http-transport.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { exitsSoon } from '../fixtures/processes/attempt.ts';
import { pathOf } from '../needs.ts';
import { describeHang } from './hung-process.ts';

const PROGRAM = resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js');

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ClusterStand extends AsyncDisposable {
  readonly folder: string;
  readonly kubeconfig: string;
  readonly client: KubeClient;
  readonly connection: KubeConnection;
  lifehook(...args: readonly string[]): Promise<Ended>;
  kubectl(...args: readonly string[]): Promise<Ended>;
  /** Runs `kubectl apply` with the manifest on standard input. */
  apply(manifest: string): Promise<Ended>;
  /** PID of `lifehook up`. */
  pid(): Promise<number>;
  /** Kills `lifehook up`, and waits until it has exited: before that, another `lifehook up` finds a running cluster. */
  kill9(): Promise<void>;
}

/** Starts the cluster without Lifehook's controllers, so that a test can act in their place. */
export function openCluster(...options: readonly string[]): Promise<ClusterStand> {
  return openWholeCluster('--no-controllers', ...options);
}

/** Starts the cluster with all controllers, as `lifehook up` does by default. */
export async function openWholeCluster(...options: readonly string[]): Promise<ClusterStand> {
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-cluster-'));
  const lifehook = (...args: readonly string[]): Promise<Ended> =>
    run(process.execPath, [PROGRAM, ...args, '--state-dir', folder]);
  const end = async (): Promise<void> => {
    await endOrExplain(
      start(process.execPath, [PROGRAM, 'down', '--delete', '--state-dir', folder]),
    );
    await rm(folder, { recursive: true, force: true });
  };
  const up = await lifehook('up', ...options);
  if (up.code !== 0) throw new Error(`lifehook up: ${up.stderr}${up.stdout}`);
  const kubeconfig = join(folder, 'kubeconfig');
  const connection = await connect(kubeconfig).catch(async (error: unknown) => {
    await end();
    throw error;
  });
  const kubectl = (...args: readonly string[]): Promise<Ended> =>
    run(kubectlPath(), ['--kubeconfig', kubeconfig, ...args]);
  const pid = async (): Promise<number> => {
    const text = await readFile(join(folder, 'up.json'), 'utf8');
    return (JSON.parse(text) as { process: { pid: number } }).process.pid;
  };
  return {
    folder,
    kubeconfig,
    connection,
    client: makeKubeClient(connection),
    lifehook,
    kubectl,
    apply: (manifest) =>
      run(kubectlPath(), ['--kubeconfig', kubeconfig, 'apply', '-f', '-'], manifest),
    pid,
    kill9: async () => {
      const victim = await pid();
      process.kill(victim, 'SIGKILL');
      if (!(await exitsSoon(victim))) throw new Error(`process ${victim} survives SIGKILL`);
    },
    [Symbol.asyncDispose]: async () => {
      connection.transport.close();
      await end();
    },
  };
}

export async function connect(kubeconfig: string): Promise<KubeConnection> {
  const { files, clock } = nodePlatform;
  const access = await loadKubeAccess({
    files,
    clock,
    env: {},
    authPlugin: nodeAuthPlugin,
    kubeconfig,
  });
  return {
    transport: nodeHttpTransport(access.transport),
    platform: nodePlatform,
    userAgent: 'lifehook-test',
    random: () => 0.5,
  };
}

/** The pinned kubectl, because `kubectl` on the PATH may be a wrapper that starts the version of the server. */
export function kubectlPath(): string {
  const found = pathOf('kubectl');
  if (found === undefined) throw new Error('these tests need kubectl on the PATH');
  const pinned = join(dirname(realpathSync(found)), 'kubectl.1.32');
  return existsSync(pinned) ? pinned : found;
}

/** Milliseconds; below the limits of the hooks that call it. */
const HANG_MS = 100_000;

/** Kills a `lifehook down` that hangs, and throws with what it waited for. */
async function endOrExplain({ child, ended }: Started): Promise<void> {
  const done = new AbortController();
  const late = wait(HANG_MS, 'late' as const, { signal: done.signal }).catch(
    () => 'ended' as const,
  );
  const first = await Promise.race([ended, late]);
  done.abort();
  if (first !== 'late') return;
  const doing = await describeHang(child.pid ?? 0);
  child.kill('SIGKILL');
  throw new Error(`lifehook down has not exited after ${HANG_MS / 1_000} s:\n${doing}`);
}

interface Started {
  readonly child: ChildProcess;
  /** Resolves with any exit code and never rejects. */
  readonly ended: Promise<Ended>;
}

/** Runs a command; resolves with any exit code and never rejects. */
export function run(file: string, args: readonly string[], stdin: string = ''): Promise<Ended> {
  return start(file, args, stdin).ended;
}

function start(file: string, args: readonly string[], stdin: string = ''): Started {
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env } });
  const out = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      out[name] += text;
    });
  }
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  const ended = new Promise<Ended>((done) => {
    child.on('close', (status) => {
      done({ code: status ?? -1, ...out });
    });
  });
  return { child, ended };
}
