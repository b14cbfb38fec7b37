import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { kubectlPath } from './cluster-stand.ts';

const PROGRAM = join(import.meta.dirname, 'api-server-program.ts');

const KUBECTL_TIMEOUT_MS = 90_000;

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** An API server in its own process, for tests that send requests to it and kill it. */
export class ApiServerStand {
  readonly folder: string;
  #process: ChildProcess | undefined;
  #url = '';

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async open(): Promise<ApiServerStand> {
    const stand = new ApiServerStand(await mkdtemp(join(tmpdir(), 'lifehook-api-server-')));
    await stand.start();
    return stand;
  }

  /** Starts the server, on its previous port if it had one. */
  async start(): Promise<void> {
    const port = this.#url === '' ? '0' : new URL(this.#url).port;
    const args = ['--import', 'tsx', PROGRAM, this.folder, port];
    this.#process = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [printed] = (await once(this.#process.stdout ?? this.#process, 'data')) as [Buffer];
    this.#url = printed.toString().trim();
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    const ended = this.#process === undefined ? null : once(this.#process, 'close');
    this.#process?.kill(signal);
    await ended;
    this.#process = undefined;
  }

  async close(): Promise<void> {
    if (this.#process !== undefined) await this.kill();
    await rm(this.folder, { recursive: true });
  }

  /** Runs kubectl; returns stdout, or the error text. */
  async kubectl(command: string): Promise<string> {
    const args = ['--kubeconfig', join(this.folder, 'kubeconfig'), ...command.split(' ')];
    const env = { ...process.env, HOME: this.folder };
    const running = promisify(execFile)(kubectlPath(), args, { timeout: KUBECTL_TIMEOUT_MS, env });
    running.child.stdin?.end();
    return running.then(
      ({ stdout }) => stdout,
      (error: unknown) => String((error as { stderr?: string }).stderr),
    );
  }

  async ask(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const ca = await readFile(join(this.folder, 'pki/ca.crt'));
    return new Promise((resolve, reject) => {
      const call = request(new URL(path, this.#url), { ca, headers, agent: false }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          body += chunk;
        });
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, body });
        });
        response.on('error', reject);
      });
      call.on('error', reject);
      call.end();
    });
  }
}
