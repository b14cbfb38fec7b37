/**
 * A test environment for the wrapper, in one temporary directory that is removed with the test.
 * The directory contains a busybox bundle, hook directories, configuration, index, spool and the runtime's state.
 */
import { spawn } from 'node:child_process';
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const WRAPPER: string = resolve('dist/shim/lifehook-runtime');

export interface Finished {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface WorldOptions {
  readonly runtime?: 'runc' | 'crun';
  readonly wrapper?: string;
  readonly settings?: object;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** A program that starts the wrapper, and the program's first arguments. */
  readonly through?: readonly string[];
  /** The program to run; absent: the wrapper of the world; undefined: the native wrapper. */
  readonly program?: string | undefined;
  /** Descriptors that the program inherits, numbered from 3. */
  readonly descriptors?: readonly number[];
  /** Called once the process runs. `printed` resolves once its standard output contains the text. */
  readonly onStart?: (pid: number, printed: (text: string) => Promise<void>) => Promise<void>;
}

type Json = Record<string, unknown>;

/** For `expect.poll`: a longer time than even a busy machine needs. */
export const POLL = { timeout: 60_000 } as const;

export interface World extends AsyncDisposable {
  readonly folder: string;
  readonly bundle: string;
  readonly hooks: string;
  readonly spool: string;
  readonly indexFile: string;
  readonly id: string;
  /** Runs the wrapper with the runtime's --root and these arguments. */
  run(args: readonly string[], options?: RunOptions): Promise<Finished>;
  /** Writes a file into hooks.d. `command` runs in a shell with the world's directory in $1. */
  hook(name: string, hook: { command: string; stages: readonly string[] } & Json): Promise<void>;
  config(): Promise<Json>;
  changeConfig(change: (config: Json) => void): Promise<void>;
  write(name: string, text: string): Promise<void>;
  exists(name: string): Promise<boolean>;
  inodeOf(name: string): Promise<number>;
  /** Reads a file of the world's directory, to which hooks append lines. Returns '' if there is none. */
  text(name: string): Promise<string>;
  spoolNames(): Promise<string[]>;
  /** The records of hook runs in the spool: each record's first line and its last attempt's result. */
  records(): Promise<{ outline: Json; outcome: unknown; result: Json | undefined }[]>;
}

let worlds = 0;

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const { runtime = 'runc', wrapper = WRAPPER, settings = {} } = options;
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-shim-'));
  worlds += 1;
  const at = (name: string): string => join(folder, name);
  const id = `lifehook-test-${process.pid}-${worlds}`;
  const places = { hooksDirs: [at('hooks.d')], index: at('lib/hooks.index'), spool: at('spool') };
  await mkdir(at('hooks.d'));
  await writeFile(at('runtime.json'), JSON.stringify({ runtime, ...places, ...settings }));
  await makeBundle(at('bundle'));
  // crun refuses a machine with both kinds of cgroups, unless cgroups v2 are hidden.
  const start = runtime === 'crun' ? ['unshare', '-m', 'sh', '-c', withoutUnified, 'sh'] : [];
  const run: World['run'] = (args, more) =>
    finish([...start, ...through(more, wrapper), '--root', at('root'), ...args], {
      cwd: at('bundle'),
      ...more,
      env: { ...process.env, LIFEHOOK_RUNTIME_CONFIG: at('runtime.json'), ...more?.env },
    });
  return {
    folder,
    bundle: at('bundle'),
    hooks: at('hooks.d'),
    spool: at('spool'),
    indexFile: at('lib/hooks.index'),
    id,
    run,
    hook: async (name, { command, stages, ...rest }) => {
      const hook = { path: '/bin/sh', args: ['sh', '-c', command, 'sh', folder] };
      const file = { version: '1.0.0', when: { always: true }, ...rest, hook, stages };
      await writeFile(join(at('hooks.d'), name), JSON.stringify(file));
    },
    config: async () => JSON.parse(await readFile(at('bundle/config.json'), 'utf8')) as Json,
    changeConfig: async (change) => {
      const config = JSON.parse(await readFile(at('bundle/config.json'), 'utf8')) as Json;
      change(config);
      await writeFile(at('bundle/config.json'), JSON.stringify(config));
    },
    text: (name) => readFile(at(name), 'utf8').catch(() => ''),
    write: (name, text) => writeFile(at(name), text),
    exists: (name) =>
      stat(at(name)).then(
        () => true,
        () => false,
      ),
    inodeOf: async (name) => (await stat(at(name))).ino,
    spoolNames: () => readdir(at('spool')).catch(() => []),
    records: () => readRecords(at('spool')),
    async [Symbol.asyncDispose]() {
      await run(['delete', '--force', id], { cwd: folder });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function through(options: RunOptions | undefined, wrapper: string): string[] {
  const first = options?.through ?? [];
  return [
    ...first,
    options !== undefined && 'program' in options ? (options.program ?? WRAPPER) : wrapper,
  ];
}

const withoutUnified =
  'if mountpoint -q /sys/fs/cgroup/unified; then umount /sys/fs/cgroup/unified; fi; exec "$@"';

async function makeBundle(bundle: string): Promise<void> {
  const bin = join(bundle, 'rootfs/bin');
  for (const name of ['bin', 'proc', 'sys', 'dev', 'tmp']) {
    await mkdir(join(bundle, 'rootfs', name), { recursive: true });
  }
  await cp('/bin/busybox', join(bin, 'busybox'));
  for (const name of ['sh', 'true', 'sleep', 'cat', 'echo']) {
    await symlink('busybox', join(bin, name));
  }
  const spec = await finish(['runc', 'spec'], { cwd: bundle });
  if (spec.code !== 0) throw new Error(`runc spec failed: ${spec.stderr}`);
  const path = join(bundle, 'config.json');
  const config = JSON.parse(await readFile(path, 'utf8')) as { process: Json } & Json;
  const process = { ...config.process, terminal: false, args: ['/bin/true'] };
  await writeFile(path, JSON.stringify({ ...config, process, annotations: { team: 'blue' } }));
}

export function finish(
  [file = '', ...args]: readonly string[],
  { descriptors = [], onStart, cwd, env }: RunOptions = {},
): Promise<Finished> {
  return new Promise((settle, reject) => {
    const child = spawn(file, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe', ...descriptors],
    });
    const text = { stdout: '', stderr: '' };
    const waiting: (() => void)[] = [];
    child.stdout?.on('data', (chunk: Buffer) => {
      text.stdout += chunk.toString();
      for (const look of waiting) look();
    });
    child.stderr?.on('data', (chunk: Buffer) => (text.stderr += chunk.toString()));
    child.once('error', reject);
    // This waits for 'exit', not 'close', because a created container continues to hold the pipes.
    child.once('exit', (code, signal) => {
      setImmediate(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
        settle({ code, signal, ...text });
      });
    });
    const printed = (wanted: string): Promise<void> =>
      new Promise((found) => {
        const look = (): void => {
          if (text.stdout.includes(wanted)) found();
        };
        waiting.push(look);
        look();
      });
    if (child.pid !== undefined) onStart?.(child.pid, printed).catch(reject);
  });
}

async function readRecords(spool: string): ReturnType<World['records']> {
  const names = await readdir(spool).catch(() => []);
  const finished = names.filter((name) => name.endsWith('.jsonl') && !name.startsWith('.'));
  const texts = await Promise.all(
    finished.toSorted().map((name) => readFile(join(spool, name), 'utf8')),
  );
  return texts.map((text) => {
    const [outline = {}, ...records] = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Json);
    const settled = records.findLast(({ type }) => type === 'AttemptSettled');
    const outcome = records.findLast(({ type }) => type === 'RunSettled')?.['outcome'];
    return { outline, outcome, result: settled?.['result'] as Json | undefined };
  });
}
