/**
 * Runs containers as plain processes of this machine: it needs no root and gives no isolation.
 *
 * Each container runs in its own session under a supervisor. It shares the machine's files, network and users. Limits
 * of memory and CPU, readOnlyRoot, privileged and hostname have no effect; only the OCI runner applies them.
 *
 * POD-R3: the supervisor sends KILL to all descendants (supervisor/process-tree.ts has the limits of that). If the
 * supervisor is killed, the first process dies with it. The node kills the other processes of the session once it finds
 * that the supervisor has exited.
 */
import {
  StartError,
  type ContainerRuntime,
  type ContainerSpec,
} from '../../../../src/platform/container-runtime.ts';
import type { ProgramUser } from '../../../../src/platform/supervisor-host.ts';
import type { Files } from '../../../../src/platform/platform.ts';
import { isSystemFailure } from '../../../../src/platform/posix-error.ts';
import { procTable } from '../../../../src/store/process-table.ts';
import { type LetEnter, makeLetEnter } from './let-enter.ts';
import { DEFAULT_PATH, findFolder, findProgram, honourMounts } from './host-program.ts';
import type { Program } from '../../../../src/supervisor/frames.ts';
import {
  awaitReport,
  readRecord,
  type StartedReport,
  type SupervisorReport,
} from '../../../../src/supervisor/records.ts';
import { exitCodeOf } from './session.ts';
import {
  KeptContainer,
  removeFolder,
  type ExecCall,
  type KeptPlace,
  type Runner,
} from './kept-container.ts';
import { folderOfContainer, openKeptRuntime, orderOf, writeIntent } from './kept-runtime.ts';
import { supervisorEnvironment, type RuntimeWorld } from './runtime-world.ts';

export async function openProcessRuntime(world: RuntimeWorld): Promise<ContainerRuntime> {
  const letEnter = makeLetEnter(world);
  return openKeptRuntime(world, {
    name: 'process',
    setsLimits: false,
    start: (runner, spec) => start({ world, runner, letEnter }, spec),
    execProgram,
    // Such a state is not possible here: a supervisor starts the program as soon as it has a process.
    neverBegan: () => Promise.resolve(false),
    destroy,
    // A container has nothing outside of its directory.
    remove: () => Promise.resolve(),
  });
}

interface Starting {
  readonly world: RuntimeWorld;
  readonly runner: Runner;
  readonly letEnter: LetEnter;
}

async function start(
  { world, runner, letEnter }: Starting,
  spec: ContainerSpec,
): Promise<KeptContainer> {
  const folder = folderOfContainer(world, spec.id);
  try {
    const program = await programOf({ world, letEnter }, spec, folder);
    const order = orderOf(spec, folder, program);
    await writeIntent(world, folder, order);
    const report = await launch(world, folder);
    return new KeptContainer(runner, { world, folder, order, report }, null);
  } catch (error) {
    await removeFolder({ world, folder });
    throw error;
  }
}

async function programOf(
  { world, letEnter }: Omit<Starting, 'runner'>,
  spec: ContainerSpec,
  folder: string,
): Promise<Program> {
  const { files } = world.platform;
  const { image, argv } = spec;
  const own = image.rootPath === null ? `${folder}/root` : null;
  if (own !== null) await files.makeFolder(own, OWN_MODE);
  const user = userOf(world, spec);
  if (user !== null) await letEnter(user, neededBy(spec, folder));
  const volumes = await honourMounts(world, spec.mounts, own);
  const cwd = await findFolder(files, spec, own ?? folder);
  const env = { PATH: DEFAULT_PATH, ...volumes, ...spec.env };
  const file = await findProgram(files, {
    rootPath: image.rootPath,
    name: argv[0] ?? '',
    path: env.PATH,
    cwd,
  });
  return { file, argv, env, cwd, user };
}

/** Mode of the container's own directory, which is the working directory without an image: every user may enter it. */
const OWN_MODE = 0o755;

function neededBy({ image, mounts, places = [] }: ContainerSpec, folder: string): string[] {
  const sources = mounts.map(({ source }) => source);
  return [image.rootPath ?? `${folder}/root`, ...sources, ...places];
}

/** The user to change to; null for our own user. Only root can run a container as another user. */
function userOf({ uid }: RuntimeWorld, { user }: ContainerSpec): ProgramUser | null {
  if (user === null || (user.uid === uid && uid !== 0)) return null;
  if (uid === 0) return user;
  throw new StartError(
    'CreateContainerConfigError',
    `The container must run as user ${user.uid}, but the process runner runs as user ${uid} and cannot change that. Leave runAsUser out, or run as root.`,
  );
}

async function launch(
  { platform, supervisors, supervisorArgv, env }: RuntimeWorld,
  folder: string,
): Promise<StartedReport> {
  const { files, timers } = platform;
  const argv = [...supervisorArgv, folder];
  const { exited } = supervisors.start({ argv, env: supervisorEnvironment(env), folder });
  const look = (): Promise<SupervisorReport | null> => readRecord(files, folder, 'report');
  const report = await awaitReport({ timers, exited, look });
  if (report.kind === 'started') return report;
  if (report.kind === 'failed')
    throw new StartError('RunContainerError', report.reason, exitCodeOf(report.code));
  const said = (await files.read(`${folder}/supervisor.log`).catch(() => '')).trim();
  throw new Error(
    `The supervisor did not report the start of the container: ${report.because}. ${said}`.trim(),
  );
}

async function execProgram(
  { place }: KeptContainer,
  { argv, stdin, tty }: Parameters<Runner['execProgram']>[1],
): Promise<ExecCall> {
  const { program, imageRoot: rootPath = null } = place.order;
  const [name = ''] = argv;
  const { env, cwd } = program;
  const path = env['PATH'] ?? DEFAULT_PATH;
  const { files } = place.world.platform;
  try {
    const file = await findProgram(files, { rootPath, name, path, cwd });
    return {
      purpose: { kind: 'exec', program: { ...program, file, argv }, stdin, tty, handover: null },
    };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    throw new StartError('StartError', error.message, error.exitCode);
  }
}

/**
 * Kills the remaining processes of a container whose supervisor was killed. The first process died with it, unless it
 * had changed its user. The others are found by their session, whose id is not reused while it has members.
 */
async function destroy({ world, report }: KeptPlace): Promise<void> {
  if (report === null) return;
  const { platform, supervision } = world;
  const { process } = report;
  const boot = (await unlessHidden(platform.files.read('/proc/sys/kernel/random/boot_id'))) ?? '';
  if (!process.started.startsWith(boot.trim())) return;
  const alive = await procTable(platform.files).isAlive(process);
  const members = await sessionMembers(platform.files, process.pid);
  // The pid now belongs to another session, so the session of the container has no members left.
  if (!alive && members.includes(process.pid)) return;
  for (const pid of members) supervision.signalProcess(pid, 'SIGKILL');
}

/** Reads the pids in a session. A line in proc(5) is `pid (name) state ppid pgrp session ...`. */
async function sessionMembers(files: Files, session: number): Promise<number[]> {
  const members: number[] = [];
  for (const name of (await unlessHidden(files.list('/proc'))) ?? []) {
    if (!/^\d+$/.test(name)) continue;
    const stat = (await unlessHidden(files.read(`/proc/${name}/stat`))) ?? '';
    const [, state, , , of] = stat.slice(stat.lastIndexOf(')')).split(' ');
    if (Number(of) === session && state !== 'Z') members.push(Number(name));
  }
  return members;
}

/**
 * null: the process has exited, may not be inspected, or this system has no table of processes. Rejects if the system
 * lacks resources, since a process of the container may be left then.
 */
async function unlessHidden<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (isSystemFailure(error)) throw error;
    return null;
  }
}
