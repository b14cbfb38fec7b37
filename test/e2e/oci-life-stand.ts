/** What the tests of the container's life share: bundles, hooks that write down what they see, a life. */
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

/** One line of a hook that writes down what it sees. */
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
  /** A hook that appends to the record, then ends with this code. */
  hook(name: string, exitCode?: number): OciHook;
  writeConfig(config: Readonly<Record<string, unknown>>): Promise<void>;
  writeHookFile(name: string, content: unknown): Promise<void>;
  options(more?: Partial<CreateOptions>): CreateOptions;
  /** What the hooks have written down so far. */
  seen(): Promise<readonly Seen[]>;
  /** "createRuntime a" for each line of that. */
  points(): Promise<string[]>;
  create(more?: Partial<CreateOptions>): Promise<LifeOutcome>;
  start(): Promise<LifeOutcome>;
  /** By force unless set otherwise. */
  remove(force?: boolean): Promise<readonly Problem[]>;
  view(): Promise<ContainerView>;
  status(): Promise<string>;
  /** A program in the directory of the stand. */
  script(name: string, text: string): Promise<OciHook>;
  /** The same as a separate process, which can be killed. */
  command(command: Command): RunningCommand;
  /** The command line of that. */
  argv(command: Command): string[];
  close(): Promise<void>;
}

type Ours = 'root' | 'supervisor' | 'hookRunner' | 'env' | 'folders';
/** Of each member of the union by itself. */
type Without<C> = C extends unknown ? Omit<C, Ours> : never;
type Command = Without<ProgramCommand>;

export interface RunningCommand {
  kill(signal: NodeJS.Signals): void;
  /** What it printed, parsed; null when it was killed before it could. */
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
      // A container that a test has left, or that never came to be.
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

/** Without PATH in its environment a shell searches the usual directories. */
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

/** Waits until something is so; the limit is far beyond what a busy machine needs. */
export async function until(holds: () => Promise<boolean> | boolean, what: string): Promise<void> {
  for (let round = 0; round < 1500; round += 1) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`waited in vain until ${what}`);
}

/** The command lines of all processes that have to do with this directory. */
export async function processesOf(folder: string): Promise<string[]> {
  const lines = await Promise.all(
    (await readdir('/proc')).map((name) =>
      readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => ''),
    ),
  );
  return lines.filter((line) => line.includes(folder)).map((line) => line.replaceAll('\0', ' '));
}

/** A zombie has exited too: it depends on the machine's first process how soon it is collected. */
export async function hasExited(pid: string): Promise<boolean> {
  try {
    return / Z /.test(await readFile(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}
