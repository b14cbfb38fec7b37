/**
 * A podman of its own, with its storage, run directory and image in one temporary directory.
 * It has no network, and only limits that a container without CAP_SYS_RESOURCE may set.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BUSYBOX = '/bin/busybox';
const IMAGE = 'lifehook-differential';
const OUTPUT_MAX_BYTES = 16 * 1024 * 1024;

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface PodmanBench extends AsyncDisposable {
  /** A directory for any file of a test. It is removed with the bench. */
  readonly folder: string;
  readonly podman: (args: readonly string[]) => Promise<Finished>;
  /** Creates a container and returns its id. */
  create(options: readonly string[], command: readonly string[]): Promise<string>;
  /** Makes podman match hooks and write config.json, without starting the user's program. */
  init(id: string, hookFolders: readonly string[]): Promise<Finished>;
  configOf(id: string): Promise<unknown>;
}

export async function openPodmanBench(): Promise<PodmanBench> {
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-podman-'));
  const places = { root: 'store', runroot: 'run', tmpdir: 'tmp' };
  const base = [
    ...Object.entries(places).flatMap(([option, name]) => [`--${option}`, join(folder, name)]),
    '--storage-driver=vfs',
    '--runtime=runc',
    '--cgroup-manager=cgroupfs',
    '--events-backend=none',
  ];
  const podman = (args: readonly string[]): Promise<Finished> => run('podman', [...base, ...args]);
  const bench: PodmanBench = {
    folder,
    podman,
    async create(options, command) {
      const limits = ['--ulimit', 'nofile=1024:4096', '--ulimit', 'nproc=1000:1000'];
      const args = ['create', '--network', 'none', ...limits, ...options, IMAGE, ...command];
      return (await succeed(podman(args))).stdout.trim();
    },
    init: (id, hookFolders) => {
      const folders = hookFolders.flatMap((hooks) => ['--hooks-dir', hooks]);
      return podman([...folders, 'container', 'init', id]);
    },
    configOf: async (id) => {
      const containers = join(folder, 'store', 'vfs-containers');
      const config = await readFile(join(containers, id, 'userdata', 'config.json'), 'utf8');
      return JSON.parse(config) as unknown;
    },
    async [Symbol.asyncDispose]() {
      await podman(['rm', '--all', '--force', '--time', '0']);
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
  try {
    await importImage(bench);
    return bench;
  } catch (error) {
    await bench[Symbol.asyncDispose]();
    throw error;
  }
}

async function importImage({ folder, podman }: PodmanBench): Promise<void> {
  const bin = join(folder, 'image', 'bin');
  await mkdir(bin, { recursive: true });
  await cp(BUSYBOX, join(bin, 'busybox'));
  for (const name of ['sh', 'true']) await symlink('busybox', join(bin, name));
  const names = await readdir(join(folder, 'image'));
  await succeed(
    run('tar', ['-C', join(folder, 'image'), '-cf', join(folder, 'image.tar'), ...names]),
  );
  await succeed(podman(['import', '--quiet', join(folder, 'image.tar'), IMAGE]));
}

async function succeed(running: Promise<Finished>): Promise<Finished> {
  const finished = await running;
  if (finished.code !== 0) throw new Error(finished.stderr);
  return finished;
}

function run(program: string, args: readonly string[]): Promise<Finished> {
  return new Promise((resolve) => {
    execFile(program, args, { maxBuffer: OUTPUT_MAX_BYTES }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, stdout, stderr: error === null ? stderr : `${error.message}\n${stderr}` });
    });
  });
}
