/**
 * The files of the container benchmark: busybox bundles, directories of hook files with their configurations, and
 * programs.
 *
 * Each call gets a fresh bundle, because the shim adds nothing to a bundle that it has already changed. Everything is
 * in a temporary directory except the spool, which is in memory as /run is.
 */
import { execFileSync } from 'node:child_process';
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  statfs,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import type { HookFileText, Hooks } from './container-hooks.ts';
import { runCommand } from './measure.ts';

export interface Configuration {
  /** A directory that `hookFolder` returned. */
  readonly hooks: string;
  readonly wrap?: boolean;
  /** Absent: the spool is in memory. */
  readonly spool?: 'disk';
}

export interface RunOptions {
  readonly configuration?: string | undefined;
  /** Options of the program, placed before the arguments that `run` adds. */
  readonly options?: readonly string[] | undefined;
}

export interface ContainerWorld extends AsyncDisposable {
  copyOf(folder: string): Promise<string>;
  bundles(count: number, hooks?: Hooks): Promise<readonly string[]>;
  hookFolder(name: string, files: readonly HookFileText[]): Promise<string>;
  /** Writes a configuration of the shim with an index of its own; returns its path. */
  configuration(name: string, configuration: Configuration): Promise<string>;
  /** Writes a JSON file and returns its path. */
  jsonFile(name: string, content: object): Promise<string>;
  /** Modification time of the index of that configuration, in Unix milliseconds. */
  indexTimeMs(configuration: string): Promise<number>;
  /** Number of hooks that the runner has started so far. */
  recordCount(): Promise<number>;
  /** Runs one container from its creation to its exit. */
  run(program: string, bundle: string, more?: RunOptions): void;
  call(program: string, args: readonly string[], configuration?: string): void;
}

export async function openContainerWorld(): Promise<ContainerWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-bench-'));
  const spool = await mkdtemp(join(await folderInMemory(), 'lifehook-bench-'));
  const root = join(folder, 'root');
  let containers = 0;
  await makeRootfs(join(folder, 'rootfs'));
  const start: ContainerWorld['call'] = (program, args, configuration) => {
    const named = configuration === undefined ? {} : { LIFEHOOK_RUNTIME_CONFIG: configuration };
    runCommand(program, args, { env: { ...process.env, ...named } });
  };
  const call: ContainerWorld['call'] = (program, args, configuration) => {
    start(program, ['--root', root, ...args], configuration);
  };
  const indexOf = (configuration: string): string => configuration.replace(/json$/, 'index');
  return {
    call,
    copyOf: async (from) => {
      const to = join(folder, basename(from));
      await cp(from, to, { recursive: true });
      return to;
    },
    indexTimeMs: async (configuration) => (await stat(indexOf(configuration))).mtimeMs,
    recordCount: async () =>
      (await readdir(spool)).filter((name) => /^[^.].*\.jsonl$/.test(name)).length,
    bundles: (count, hooks) => makeBundles(folder, count, hooks),
    hookFolder: (name, files) => makeHookFolder(join(folder, name), files),
    configuration: async (name, { hooks, wrap = true, spool: on }) => {
      const path = join(folder, `${name}.json`);
      const kept = on === 'disk' ? join(folder, 'spool') : spool;
      const places = { hooksDirs: [hooks], index: indexOf(path), spool: kept };
      await writeFile(path, JSON.stringify({ runtime: 'runc', wrap, ...places }));
      return path;
    },
    jsonFile: async (name, content) => {
      const path = join(folder, name);
      await writeFile(path, JSON.stringify(content));
      return path;
    },
    run: (program, bundle, { configuration, options = [] } = {}) => {
      containers += 1;
      const id = `lifehook-bench-${process.pid}-${containers}`;
      const args = [...options, '--root', root, 'run', '--bundle', bundle, id];
      start(program, args, configuration);
    },
    async [Symbol.asyncDispose]() {
      for (const id of leftContainers(root)) call('runc', ['delete', '--force', id]);
      await rm(folder, { recursive: true, force: true });
      await rm(spool, { recursive: true, force: true });
    },
  };
}

/** Number of hooks in a bundle's config.json, over all stages. */
export async function hookCount(bundle: string): Promise<number> {
  const text = await readFile(join(bundle, 'config.json'), 'utf8');
  const { hooks = {} } = JSON.parse(text) as { hooks?: Hooks };
  return Object.values(hooks).flat().length;
}

const TMPFS_MAGIC = 0x01021994;

async function folderInMemory(): Promise<string> {
  for (const path of ['/run', '/dev/shm']) {
    const found = await statfs(path).catch(() => null);
    if (found?.type === TMPFS_MAGIC) return path;
  }
  throw new Error(
    'The records of hooks belong in memory, but neither /run nor /dev/shm is a tmpfs here. Mount one.',
  );
}

async function makeRootfs(rootfs: string): Promise<void> {
  for (const name of ['bin', 'proc']) await mkdir(join(rootfs, name), { recursive: true });
  await cp('/bin/busybox', join(rootfs, 'bin/busybox'));
  await symlink('busybox', join(rootfs, 'bin/true'));
}

async function makeBundles(folder: string, count: number, hooks?: Hooks): Promise<string[]> {
  const config = JSON.stringify({ ...bundleConfig(join(folder, 'rootfs')), hooks });
  const bundles: string[] = [];
  while (bundles.length < count) {
    const bundle = await mkdtemp(join(folder, 'bundle-'));
    await writeFile(join(bundle, 'config.json'), config);
    bundles.push(bundle);
  }
  return bundles;
}

/**
 * A config.json like that of `runc spec`, without resource limits, OOM scores and networks: not every machine may set
 * these.
 */
function bundleConfig(rootfs: string): object {
  return {
    ociVersion: '1.0.2',
    hostname: 'bench',
    root: { path: rootfs, readonly: true },
    process: {
      cwd: '/',
      args: ['/bin/true'],
      env: ['PATH=/bin'],
      user: { uid: 0, gid: 0 },
      noNewPrivileges: true,
    },
    annotations: { 'com.example.tier': 'web', 'com.example.release': '2026.4' },
    mounts: [{ destination: '/proc', type: 'proc', source: 'proc' }],
    linux: {
      namespaces: ['pid', 'mount', 'uts', 'ipc'].map((type) => ({ type })),
      maskedPaths: ['/proc/kcore'],
      readonlyPaths: ['/proc/sys'],
    },
  };
}

async function makeHookFolder(path: string, files: readonly HookFileText[]): Promise<string> {
  await mkdir(path);
  for (const [index, file] of files.entries()) {
    const name = `${String(index).padStart(4, '0')}.json`;
    await writeFile(join(path, name), JSON.stringify({ version: '1.0.0', ...file }));
  }
  return path;
}

function leftContainers(root: string): string[] {
  const ids = execFileSync('runc', ['--root', root, 'list', '--quiet'], { encoding: 'utf8' });
  return ids.split('\n').filter((id) => id !== '');
}
