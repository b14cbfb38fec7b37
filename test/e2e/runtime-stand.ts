/**
 * Shared parts of the tests of all runners: a state directory, a runtime on it, and containers that run shell scripts.
 */
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import {
  openOciRuntime,
  openProcessRuntime,
  type RuntimeWorld,
} from '../../packages/local-cluster/src/index.ts';
import { ociContainers, type LifeOptions } from '../../src/cli/container/runtime-containers.ts';
import type {
  ContainerRuntime,
  ContainerSpec,
  ExecSession,
  LocalImage,
  RunningContainer,
} from '../../src/platform/container-runtime.ts';
import { nodeSupervisors } from '../../src/platform/node-supervisors.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { nodeSupervision } from '../../src/platform/node-supervision.ts';
import { nodeTrees } from '../../src/platform/trees.ts';

/** The runner: plain processes, or an OCI runtime with its name, its path and the hooks of its containers. */
export type Kind = 'process' | (LifeOptions & { readonly name: string });

export interface Stand extends AsyncDisposable {
  readonly kind: Kind;
  readonly isNative: boolean;
  readonly folder: string;
  readonly world: RuntimeWorld;
  readonly image: LocalImage;
  runtime: ContainerRuntime;
  /** Opens the runtime again, as a restarted node does. */
  reopen(): Promise<ContainerRuntime>;
  /** A container that runs `sh -c script`. */
  spec(id: string, script: string, more?: Partial<ContainerSpec>): ContainerSpec;
  run(script: string, more?: Partial<ContainerSpec>): Promise<RunningContainer>;
}

/** Limits for `expect.poll`, far beyond the needs of a busy machine. */
export const POLL = { timeout: 60_000 } as const;

export const NATIVE_SUPERVISOR: string = resolve('dist/shim/lifehook-supervise');

/** Uses the native supervisor if it was built, else the one under Node. */
export async function openStand(kind: Kind, supervisor?: 'node'): Promise<Stand> {
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-runtime-'));
  const native = supervisor === undefined && existsSync(NATIVE_SUPERVISOR);
  const supervisorArgv = native ? [NATIVE_SUPERVISOR] : [process.execPath, await nodeSupervisor()];
  const world = worldOf(join(folder, 'state'), supervisorArgv);
  const image = await makeImage(join(folder, 'image'), kind);
  let count = 0;
  const stand: Stand = {
    kind,
    isNative: native,
    folder,
    world,
    image,
    runtime: await openRuntime(kind, world),
    reopen: async () => {
      stand.runtime = await openRuntime(kind, world);
      return stand.runtime;
    },
    spec: (id, script, more = {}) => specOf({ id, script, image }, more),
    run: (script, more) => {
      count += 1;
      return stand.runtime.start(stand.spec(`test-${process.pid}-${count}`, script, more));
    },
    [Symbol.asyncDispose]: async () => {
      const runtime = await stand.reopen();
      for (const container of await runtime.list()) {
        await container.kill();
        await container.remove();
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
  return stand;
}

export function openRuntime(kind: Kind, world: RuntimeWorld): Promise<ContainerRuntime> {
  if (kind === 'process') return openProcessRuntime(world);
  return openOciRuntime(world, { ...kind, containers: ociContainers(world, kind) });
}

export function worldOf(stateFolder: string, supervisorArgv: readonly string[]): RuntimeWorld {
  const env = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return {
    platform: nodePlatform,
    supervision: nodeSupervision,
    supervisors: nodeSupervisors,
    trees: nodeTrees,
    supervisorArgv,
    env: Object.fromEntries(env),
    uid: process.getuid?.() ?? 0,
    clusterFolder: dirname(stateFolder),
    stateFolder,
    warn: (message) => process.stderr.write(`warning: ${message}\n`),
  };
}

export function specOf(
  {
    id,
    script,
    image,
  }: { readonly id: string; readonly script: string; readonly image: LocalImage },
  more: Partial<ContainerSpec> = {},
): ContainerSpec {
  return {
    id,
    labels: { test: id },
    image,
    argv: ['sh', '-c', script],
    env: { GREETING: 'hello' },
    workingDir: null,
    mounts: [],
    stdin: false,
    tty: false,
    user: null,
    readOnlyRoot: false,
    privileged: false,
    hostname: 'web-0',
    limits: { memoryBytes: null, cpuMillis: null },
    logLimitBytes: null,
    annotations: {},
    ...more,
  };
}

/**
 * Builds the supervisor for Node into the shared cache. Parallel tests may write it, because all write the same
 * content.
 */
async function nodeSupervisor(): Promise<string> {
  const program = resolve('node_modules/.cache/lifehook/supervise.mjs');
  const outfile = `${program}.${process.pid}`;
  await build({
    entryPoints: ['src/cli/container/supervise-main.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'warning',
  });
  await rename(outfile, program);
  return program;
}

/** Creates an image with busybox. Under the process runner a container has the programs of the machine. */
async function makeImage(rootPath: string, kind: Kind): Promise<LocalImage> {
  for (const name of ['bin', 'proc', 'sys', 'dev', 'tmp', 'etc']) {
    await mkdir(join(rootPath, name), { recursive: true });
  }
  await chmod(join(rootPath, 'tmp'), 0o1777);
  const names = 'sh cat sleep echo tty stty id pwd hostname setsid yes head touch ls kill dd';
  if (kind !== 'process') {
    await cp('/bin/busybox', join(rootPath, 'bin/busybox'));
    for (const name of names.split(' ')) await symlink('busybox', join(rootPath, 'bin', name));
  }
  const config = { entrypoint: [], command: [], env: {}, workingDir: null, user: null };
  return { reference: 'test', id: 'sha256:test', rootPath, config };
}

export const neverAborted = {
  aborted: false,
  addEventListener: (): void => undefined,
  removeEventListener: (): void => undefined,
};

export async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const piece of stream) text += Buffer.from(piece).toString('utf8');
  return text;
}

/** Resolves with the output of a session and its exit. */
export async function finish(session: ExecSession): Promise<{
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}> {
  const [stdout, stderr, { exitCode }] = await Promise.all([
    textOf(session.stdout),
    textOf(session.stderr),
    session.exited,
  ]);
  return { stdout, stderr, exitCode };
}

/** False for a zombie, which only waits until its parent reaps it. */
export async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat !== '' && !/\) [ZX]/.test(stat);
}
