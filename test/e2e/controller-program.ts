/** `lifehook controller` as a user runs it, in a separate process: the build, its log, and its exit. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

import type { CustomResourceDefinition } from 'kubernetes-types/apiextensions/v1.js';
import { parseAllDocuments } from 'yaml';

import { getOrNull } from '../../src/kube/get-or-null.ts';
import { customResourceDefinitions } from '../../src/kube/resources.ts';
import { type ClusterStand, run } from './cluster-stand.ts';

const PROGRAM = resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js');
const READY_MS = 60_000;
const LOOK_MS = 50;

export interface LogLine extends Readonly<Record<string, unknown>> {
  readonly msg: string;
}

export interface ControllerProgram extends AsyncDisposable {
  readonly log: readonly LogLine[];
  /** Base URL of its metrics: "http://127.0.0.1:40000". */
  readonly metricsUrl: string;
  metrics(): Promise<string>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /** Sends SIGTERM; resolves with the exit code and the milliseconds until the exit. */
  end(): Promise<{ readonly code: number | null; readonly ms: number }>;
}

/** Starts the controller; resolves once it is ready. */
export async function startController(
  { kubeconfig }: Pick<ClusterStand, 'kubeconfig'>,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ControllerProgram> {
  const addresses = ['--metrics-address', '127.0.0.1:0'];
  const child = spawn(
    process.execPath,
    [PROGRAM, 'controller', '--kubeconfig', kubeconfig, ...addresses, ...args],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } },
  );
  const log: LogLine[] = [];
  const lines = createInterface({ input: child.stdout }).on('line', (line) => {
    log.push(JSON.parse(line) as LogLine);
  });
  const read = once(lines, 'close');
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  const ended = new Promise<number | null>((done) => {
    child.on('close', done);
  });
  const end: ControllerProgram['end'] = async () => {
    const startedMs = Date.now();
    child.kill('SIGTERM');
    const code = await ended;
    await read;
    return { code, ms: Date.now() - startedMs };
  };
  const endMs = Date.now() + READY_MS;
  while (!(await isReady(log))) {
    if (child.exitCode !== null || Date.now() > endMs) {
      child.kill('SIGKILL');
      await ended;
      throw new Error(`the controller is not ready: ${complaints}${JSON.stringify(log)}`);
    }
    await pause(LOOK_MS);
  }
  const metricsUrl = urlIn(log) ?? '';
  return {
    log,
    metricsUrl,
    metrics: async () => (await fetch(`${metricsUrl}/metrics`)).text(),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    end,
    [Symbol.asyncDispose]: async () => {
      await end();
    },
  };
}

async function isReady(log: readonly LogLine[]): Promise<boolean> {
  const url = urlIn(log);
  if (url === undefined) return false;
  // A controller that fails on start may exit while it is asked.
  const answer = await fetch(`${url}/readyz`).catch(() => null);
  return answer?.ok === true;
}

/** The URL of the metrics: the first of the log lines "Listening" is that of the metrics server. */
function urlIn(log: readonly LogLine[]): string | undefined {
  const line = log.find(({ msg }) => msg === 'Listening');
  return line === undefined ? undefined : String(line['url']);
}

/**
 * Applies objects of `lifehook install` that the cluster lacks. Objects that would run the controllers in the cluster
 * are excluded.
 */
export async function installKinds({ client }: Pick<ClusterStand, 'client'>): Promise<void> {
  const { stdout } = await run(process.execPath, [PROGRAM, 'install', '--snapshot-kinds']);
  const objects = parseAllDocuments(stdout).map((one) => one.toJS() as CustomResourceDefinition);
  const kinds = objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
  const install = async (kind: CustomResourceDefinition): Promise<void> => {
    const name = kind.metadata?.name ?? '';
    // A cluster may already have the snapshot kinds of its own storage.
    const isOurs = name.endsWith('.lifehook.dev');
    if (!isOurs && (await getOrNull(client, customResourceDefinitions, { name })) !== null) return;
    await client.apply(customResourceDefinitions, kind, { fieldManager: 'test' });
  };
  await Promise.all(kinds.map(install));
}
