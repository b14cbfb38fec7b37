/** Shared parts of the container life tests: bundles, hooks that record their input, and a life. */
import { spawn, type ChildProcess } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import type { RunnerChoice } from '../../src/lifecycles/container/life/container.ts';
import type { CreateOptions } from '../../src/lifecycles/container/life/draft.ts';
import {
  createContainer,
  deleteContainer,
  startContainer,
  type LifeOutcome,
} from '../../src/lifecycles/container/drive.ts';
import type { Life, LifeEvent, OciState } from '../../src/lifecycles/container/life/life.ts';
import type { OciHook } from '../../src/lifecycles/container/points.ts';
import { viewContainer, type ContainerView } from '../../src/lifecycles/container/life/query.ts';
import type { Problem } from '../../src/model/problem.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { nodeSupervision } from '../../src/platform/node-supervision.ts';
import { withSource, type ProgramCommand } from './oci-life-program.ts';

/** The recorded input of one hook. */
export interface Seen {
  readonly stage: string;
  readonly name: string;
  readonly cwd: string;
  readonly exit: string;
  readonly state: OciState;
}

export interface Stand {
  readonly folder: string;
  readonly bundle: string;
  readonly life: Life;
  readonly events: LifeEvent[];
  /** A hook that appends to the record, then exits with this code. */
  hook(name: string, exitCode?: number): OciHook;
  writeConfig(config: Readonly<Record<string, unknown>>): Promise<void>;
  writeHookFile(name: string, content: unknown): Promise<void>;
  options(more?: Partial<CreateOptions>): CreateOptions;
  /** The records of the hooks so far. */
  seen(): Promise<readonly Seen[]>;
  /** The records as texts: "createRuntime a". */
  points(): Promise<string[]>;
  create(more?: Partial<CreateOptions>): Promise<LifeOutcome>;
  start(): Promise<LifeOutcome>;
  /** Deletes the container, with force unless it is false. */
  remove(force?: boolean): Promise<readonly Problem[]>;
  view(): Promise<ContainerView>;
  status(): Promise<string>;
  /** Writes a program into the directory of the stand; returns it as a hook. */
  script(name: string, text: string): Promise<OciHook>;
  /** Runs a command of the life as a separate process, which can be killed. */
  command(command: Command): RunningCommand;
  /** The argv of the process that `command` starts. */
  argv(command: Command): string[];
  close(): Promise<void>;
}

type Ours = 'root' | 'supervisor' | 'hookRunner' | 'env' | 'folders';
/** `Omit`, applied to each member of the union. */
type Without<C> = C extends unknown ? Omit<C, Ours> : never;
type Command = Without<ProgramCommand>;

export interface RunningCommand {
  kill(signal: NodeJS.Signals): void;
  /** The parsed output; null if the process was killed before it printed any. */
  readonly outcome: Promise<unknown>;
}

export const containerId = 'web';

export async function openStand(runner: RunnerChoice = { kind: 'process' }): Promise<Stand> {
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-life-'));
  const bundle = join(folder, 'bundle');
  const hooksFolder = join(folder, 'hooks.d');
  await mkdir(join(bundle, 'rootfs', 'srv'), { recursive: true });
  await mkdir(hooksFolder);
  const program = await bundleProgram(folder);
  await writeScript(join(folder, 'recorder.sh'), recorder);
  const supervisor = [process.execPath, program, 'supervise'];
  const hookRunner = [process.execPath, program, 'keepDeadline'];
  const env = { PATH: process.env['PATH'] ?? '', HOST_SECRET: 'do-not-leak' };
  const events: LifeEvent[] = [];
  const life: Life = {
    platform: nodePlatform,
    supervision: nodeSupervision,
    root: join(folder, 'containers'),
    supervisor,
    hookRunner,
    env,
    uid: process.getuid?.() ?? 0,
    emit: (event) => events.push(event),
  };
  const record = join(folder, 'record');
  const trust = { owners: [0, process.getuid?.() ?? 0], allowUntrusted: false };
  const options = (more: Partial<CreateOptions> = {}): CreateOptions =>
    withSource({ id: containerId, bundle, runner, trust, ...more }, [hooksFolder]);
  const view = (): Promise<ContainerView> => viewContainer(life, containerId);
  const remove = (force = true): Promise<readonly Problem[]> =>
    deleteContainer(life, containerId, { force });
  const argv = (command: Command): string[] => {
    const { root, supervisor: own, hookRunner: ownRunner = hookRunner } = life;
    const whole = {
      root,
      supervisor: own,
      hookRunner: ownRunner,
      env,
      folders: [hooksFolder],
      ...command,
    };
    return [process.execPath, program, 'command', JSON.stringify(whole)];
  };
  return {
    folder,
    bundle,
    life,
    events,
    options,
    view,
    remove,
    hook: (name, exitCode = 0) => ({
      path: join(folder, 'recorder.sh'),
      args: ['recorder.sh', record, name, String(exitCode)],
    }),
    writeConfig: async (config) =>
      writeFile(join(bundle, 'config.json'), JSON.stringify({ ...baseConfig, ...config })),
    writeHookFile: async (name, content) =>
      writeFile(join(hooksFolder, name), JSON.stringify(content)),
    seen: () => readRecord(record),
    points: async () => (await readRecord(record)).map(({ stage, name }) => `${stage} ${name}`),
    create: (more) => createContainer(life, options(more)),
    start: () => startContainer(life, containerId),
    status: async () => (await view()).state.status,
    script: (name, text) => writeScript(join(folder, name), text),
    argv,
    command: (command) => {
      const [file = '', ...args] = argv(command);
      const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      return { kill: (signal) => child.kill(signal), outcome: outcomeOf(child) };
    },
    close: async () => {
      // Fails if there is no container: a test may have created none.
      await remove().catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const baseConfig = {
  ociVersion: '1.0.2',
  root: { path: 'rootfs' },
  process: { cwd: '/', args: ['sleep', '100'], env: ['PATH=/usr/bin:/bin'] },
  annotations: { 'com.example.tier': 'web' },
};

/** Works without PATH in its environment: a shell then searches the usual directories. */
const recorder = `#!/bin/sh
state=$(cat)
exit_seen="\${LIFEHOOK_EXIT_CODE-unset}/\${LIFEHOOK_EXIT_SIGNAL-unset}"
printf '%s\\n' "{\\"stage\\":\\"$LIFEHOOK_STAGE\\",\\"name\\":\\"$2\\",\\"cwd\\":\\"$(pwd)\\",\\"exit\\":\\"$exit_seen\\",\\"state\\":$state}" >>"$1"
[ "$3" = 0 ] || echo "hook $2 gives up" >&2
exit "$3"
`;

async function writeScript(path: string, text: string): Promise<OciHook> {
  await writeFile(path, text);
  await chmod(path, 0o755);
  return { path };
}

async function readRecord(path: string): Promise<readonly Seen[]> {
  try {
    const lines = (await readFile(path, 'utf8')).trim().split('\n');
    return lines.map((line) => JSON.parse(line) as Seen);
  } catch {
    return [];
  }
}

async function bundleProgram(folder: string): Promise<string> {
  const outfile = join(folder, 'program.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'oci-life-program.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
    outfile,
  });
  return outfile;
}

async function outcomeOf(child: ChildProcess): Promise<unknown> {
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await new Promise((resolve) => child.once('close', resolve));
  return text === '' ? null : JSON.parse(text);
}

/** Polls until `holds` is true. The time limit is far beyond the needs of a busy machine. */
export async function until(holds: () => Promise<boolean> | boolean, what: string): Promise<void> {
  for (let round = 0; round < 6_000; round += 1) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`waited in vain until ${what}`);
}

/** The command lines of all processes with this directory in their arguments. */
export async function processesOf(folder: string): Promise<string[]> {
  const lines = await Promise.all(
    (await readdir('/proc')).map((name) =>
      readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => ''),
    ),
  );
  return lines.filter((line) => line.includes(folder)).map((line) => line.replaceAll('\0', ' '));
}

/**
 * Whether a process has exited. A zombie counts as exited, because PID 1 of the machine decides when it is reaped. While
 * other threads of it live, only its main thread has exited.
 */
export async function hasExited(pid: string): Promise<boolean> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const threads = Number(fields[THREADS_AFTER_STATE]);
    return state === 'Z' && threads === 1;
  } catch {
    return true;
  }
}

/** The number of threads is field 20 of proc_pid_stat(5), and the state is field 3. */
const THREADS_AFTER_STATE = 16;
