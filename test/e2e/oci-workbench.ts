/** Shared parts of the tests of `lifehook oci …`: a directory, the built program, bundles and hooks. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { expect } from 'vitest';

export const program: string =
  process.env['LIFEHOOK_TEST_PROGRAM'] ?? join(import.meta.dirname, '../../dist/lifehook.js');

/** Time limit, which only a command that hangs reaches. */
const COMMAND_TIMEOUT_MS = 60_000;
/** Milliseconds to wait for the pipes after the exit: a container left behind by mistake would hold them for ever. */
const DRAIN_MS = 20_000;

export interface Answer {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly answer: Promise<Answer>;
  /** The output so far. */
  stdout(): string;
  stderr(): string;
}

export interface Workbench {
  /** Working directory of every command. All paths that commands print begin with it. */
  readonly folder: string;
  /** Directory in which each container has a directory of its own. */
  readonly containers: string;
  path(name: string): string;
  write(name: string, text: string, mode?: number): Promise<string>;
  writeJson(name: string, value: unknown): Promise<string>;
  read(name: string): Promise<string>;
  /** Creates a bundle of that name with an empty root directory. */
  bundle(name: string, config: Readonly<Record<string, unknown>>): Promise<string>;
  /** A hook that appends its word, its stage and its state to the file `seen`, then exits with the code. */
  hook(word: string, exitCode?: number): { readonly path: string; readonly args: string[] };
  /** Texts such as "createRuntime a", one for each hook that ran. */
  seen(): Promise<string[]>;
  oci(...args: string[]): Promise<Answer>;
  /** Runs a command of a container's life, with its state in the directory. */
  life(verb: string, ...args: string[]): Promise<Answer>;
  startLife(verb: string, ...args: string[]): Running;
  /** The parsed output of `list`. */
  list(): Promise<{ readonly state: { readonly id: string; readonly status: string } }[]>;
  close(): Promise<void>;
}

export async function openWorkbench(): Promise<Workbench> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'lifehook-e2e-')));
  const root = join(folder, 'state');
  const containers = join(root, 'containers');
  const path = (name: string): string => join(folder, name);
  const write = async (name: string, text: string, mode = 0o644): Promise<string> => {
    await mkdir(dirname(path(name)), { recursive: true, mode: 0o755 });
    await writeFile(path(name), text);
    await chmod(path(name), mode);
    return path(name);
  };
  const writeJson = (name: string, value: unknown): Promise<string> =>
    write(name, JSON.stringify(value));
  const read = (name: string): Promise<string> => readFile(path(name), 'utf8');
  const start = (...args: string[]): Running => startProgram(folder, args);
  const startLife = (verb: string, ...args: string[]): Running =>
    start('oci', verb, ...args, '--root', root);
  const life = (verb: string, ...args: string[]): Promise<Answer> =>
    startLife(verb, ...args).answer;
  const list: Workbench['list'] = async () =>
    JSON.parse((await life('list', '--output', 'json')).stdout) as Awaited<
      ReturnType<Workbench['list']>
    >;
  await write('recorder.sh', recorder, 0o755);
  return {
    folder,
    containers,
    path,
    write,
    writeJson,
    read,
    bundle: async (name, config) => {
      await mkdir(path(`${name}/rootfs`), { recursive: true, mode: 0o755 });
      await writeJson(`${name}/config.json`, { ...baseConfig, ...config });
      return path(name);
    },
    hook: (word, exitCode = 0) => ({
      path: path('recorder.sh'),
      args: ['recorder.sh', word, String(exitCode)],
    }),
    seen: async () => {
      const text = await read('seen').catch(() => '');
      return text.split('\n').filter((line) => line !== '');
    },
    oci: (...args) => start('oci', ...args).answer,
    life,
    startLife,
    list,
    close: async () => {
      // Without a directory of containers there is nothing to list.
      for (const { state } of existsSync(containers) ? await list() : [])
        await life('delete', '--force', state.id);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const baseConfig = {
  ociVersion: '1.0.2',
  root: { path: 'rootfs' },
  process: { cwd: '/', args: ['/bin/sh', '-c', 'exit 0'], env: ['PATH=/usr/bin:/bin'] },
  annotations: { 'com.example.tier': 'web' },
};

/** The `process` of a bundle: a shell that runs this script. */
export function shell(script: string): Readonly<Record<string, unknown>> {
  return { cwd: '/', args: ['/bin/sh', '-c', script], env: ['PATH=/usr/bin:/bin'] };
}

const recorder = `#!/bin/sh
cat >/dev/null
echo "$LIFEHOOK_STAGE $1" >>"\${0%/*}/seen"
[ "$2" = 0 ] || echo "$1 gives up" >&2
exit "$2"
`;

function startProgram(cwd: string, args: readonly string[]): Running {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: COMMAND_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const answer = new Promise<Answer>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => {
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, DRAIN_MS).unref();
    });
    child.once('close', (status) => {
      resolve({ status, stdout, stderr });
    });
  });
  return { child, answer, stdout: () => stdout, stderr: () => stderr };
}

/** Expects that the command printed only on stderr: the error, its code, and the next step. */
export function expectTrouble(answer: Answer, code: string, status = 1): void {
  const { stdout, stderr } = answer;
  expect({ status: answer.status, stdout }).toEqual({ status, stdout: '' });
  expect(stderr).toMatch(new RegExp(`(^|: )error ${code}: .+ Next: .+\\n$`));
}

/** Polls until `holds` is true. The time limit is far beyond the needs of a busy machine. */
export async function until(holds: () => Promise<boolean> | boolean, what: string): Promise<void> {
  for (let round = 0; round < 6_000; round += 1) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`waited in vain until ${what}`);
}
