/**
 * Supervises one container of the lifecycle, in the supervisor program: starts the program in the container's record,
 * records its exit, and runs the postexit hooks. It outlives the command that started it, and that command's parents.
 *
 * Runs natively (QuickJS) or under Node: uses nothing that QuickJS lacks.
 *
 * OCI-V1: It reports the container's process before any other process may use the container. If it cannot report, it
 * kills the process.
 * OCI-V2: The exit is durable before the first postexit hook runs.
 * OCI-V3: It acts only for the instance that it was started for, never for another container with that id.
 */
import type { Exit, Platform, RunningProcess } from '../../../platform/platform.ts';
import { errorText } from '../../../platform/error-text.ts';
import { codeOf, isSystemFailure, posixError } from '../../../platform/posix-error.ts';
import { sleep } from '../../../platform/sleep.ts';
import type { ContainerHost } from '../../../platform/supervisor-host.ts';
import { procTable, type ProcessIdentity } from '../../../store/process-table.ts';
import {
  ContainerStreams,
  startRuntime,
  type StartedRuntime,
} from '../../../supervisor/container-streams.ts';
import { keepRecord } from '../../../supervisor/keep-record.ts';
import { unlisted } from '../../../supervisor/process-tree.ts';
import type { Supervising } from '../../../supervisor/program.ts';
import { StreamLogs } from '../../../supervisor/rotated-file.ts';
import { readPart, writePartIf, writePartOnce, type ContainerFolder } from './container-folder.ts';
import type { Container, ExitRecord } from './container.ts';
import type { SupervisorReport } from '../../../supervisor/records.ts';
import { waitUntilExited } from './supervisor.ts';
import { hookRunnerOf } from './life.ts';
import { exitHooksFolder, recordExit } from './record-exit.ts';
import { treeOf, wholeTree } from '../hook-runs/whole-tree.ts';

export async function supervise(supervising: Supervising): Promise<void> {
  const { host, node } = supervising;
  const { supervision } = host;
  const folder = { path: supervising.folder, files: host.files };
  const container = await readOwn(folder, supervising.instance);
  if (container === null) return;
  const adopts = supervision.becomeSubreaper();
  const streams = node?.streams ?? new ContainerStreams(new StreamLogs(host.io, folder.path));
  const started = await startProcess(supervising, container, streams);
  if ('kind' in started) {
    await writeReport(folder, supervising, { report: started });
    return;
  }
  const { process } = started;
  const ended =
    started.exited ?? (adopts ? supervision.waitForEnd(process.pid) : seeEnd(host, process));
  await report(supervising, container, process);
  const exit = await ended;
  // A runtime's PID namespace ends when its first process exits.
  if (container.order.pidFile === null) await killRest(host, process.pid);
  await (node === undefined ? streams.close(host.timers) : node.settle(exit));
  // Without a runner, a hook that exceeds its timeout is killed together with all processes that it has started.
  const processes = wholeTree(host.processes, supervision);
  const runner = hookRunnerOf(container.order, exitHooksFolder(folder));
  const recording = { platform: { ...host, processes }, folder, container, runner };
  const seen = exitRecord(exit, adopts, host);
  await keepRecord(host, () => writeExit(folder, supervising, seen));
  await recordExit(recording, seen);
}

/** Waits for the end of a process that is not our child, also while the system lacks the resources to see it. */
async function seeEnd(host: ContainerHost, process: ProcessIdentity): Promise<null> {
  for (;;) {
    try {
      return await waitUntilExited(host, process);
    } catch (error) {
      if (!isSystemFailure(error)) throw error;
    }
    await sleep(host.timers, POLL_MS);
  }
}

/** Rejects with ENOENT if the container is not ours any more (OCI-V3). */
async function writeExit(
  folder: ContainerFolder,
  { instance }: Pick<Supervising, 'instance'>,
  seen: ExitRecord,
): Promise<void> {
  const container = await readPart(folder, 'container');
  if (container?.instance !== instance) throw posixError('ENOENT', `${folder.path} was deleted`);
  await writePartOnce(folder, 'exit', seen);
}

/**
 * Kills the remaining processes of a container without a PID namespace, by its first process, which has exited. Under
 * Node, a process that has left the group and lost its parent is not found.
 */
async function killRest({ supervision, timers, print }: ContainerHost, pid: number): Promise<void> {
  const first: RunningProcess = {
    pid,
    exited: Promise.resolve({ code: null, signal: null }),
    signalGroup: (signal) => {
      supervision.signalProcess(-pid, signal);
    },
    groupAlive: () => false,
  };
  const rest = treeOf(first, supervision);
  rest.signalGroup('SIGKILL');
  if (rest.finishKill?.() !== false) return;
  print('stderr', unlisted('file descriptors or memory are short'));
  while (!rest.finishKill()) await sleep(timers, POLL_MS);
}

/** Milliseconds between two attempts to look at processes while the system lacks the resources for it. */
const POLL_MS = 10;

/**
 * Reads the record of the supervised container. null: the record is of another instance, or the container is being
 * deleted, so poststop hooks may already run (OCI-V3, OCI-O4).
 */
async function readOwn(folder: ContainerFolder, instance: string): Promise<Container | null> {
  const container = await readPart(folder, 'container');
  if (container?.instance !== instance) return null;
  return (await readPart(folder, 'phase'))?.name === 'deleting' ? null : container;
}

/** Reports the container's process or, if the container was deleted meanwhile, kills the process (OCI-V1, OCI-V3). */
async function report(
  { host, node, ...life }: Supervising,
  container: Container,
  process: ProcessIdentity,
): Promise<void> {
  const folder: ContainerFolder = { path: life.folder, files: host.files };
  const supervisor = await procTable(host.files).self();
  const startedAtMs = host.clock.nowMs();
  const started: SupervisorReport = { kind: 'started', supervisor, process, startedAtMs };
  const before = async (): Promise<void> => node?.reportContainer(process.pid);
  try {
    const isReported = await writeReport(folder, life, { report: started, before });
    if (!isReported) throw new Error(`${container.id} was deleted`);
  } catch (error) {
    await killProcess(host, process);
    if (await hasOwnId(folder, life)) await undo(host, container);
    throw error;
  }
}

/** Kills the process unless it has exited: then another process may have its pid. */
async function killProcess(
  { files, supervision }: ContainerHost,
  process: ProcessIdentity,
): Promise<void> {
  const isAlive = await procTable(files)
    .isAlive(process)
    .catch(() => true);
  if (isAlive) supervision.signalProcess(process.pid, 'SIGKILL');
}

/** Whether a deletion by id can reach no other container: one that was created after ours has its record (OCI-V3). */
async function hasOwnId(
  folder: ContainerFolder,
  { instance }: Pick<Supervising, 'instance'>,
): Promise<boolean> {
  const container = await readPart(folder, 'container').catch(() => undefined);
  return container === null || container?.instance === instance;
}

/**
 * Returns false, and does nothing, if the container is not ours any more. `before`: called before the report exists.
 */
function writeReport(
  folder: ContainerFolder,
  { instance }: Pick<Supervising, 'instance'>,
  {
    report: value,
    before,
  }: { readonly report: SupervisorReport; readonly before?: () => Promise<void> },
): Promise<boolean> {
  return writePartIf(folder, { part: 'report', value, draft: instance }, async () => {
    if ((await readOwn(folder, instance)) === null) return false;
    await before?.();
    return true;
  });
}

async function undo({ supervision }: ContainerHost, { order }: Container): Promise<void> {
  const [file] = order.undo ?? [];
  if (file === undefined || order.undo === null) return;
  const nowhere = { kind: 'null' as const };
  const { env, cwd } = order.command;
  const streams = { stdout: nowhere, stderr: nowhere };
  await supervision.spawnDetached({ file, argv: order.undo, env, cwd, ...streams }).exited;
}

interface Started {
  readonly process: ProcessIdentity;
  /** null: the process was never our child, since a runtime created it. */
  readonly exited: Promise<Exit> | null;
}

type Failed = Extract<SupervisorReport, { readonly kind: 'failed' }>;

function failed(reason: string, code = 'EIO'): Failed {
  return { kind: 'failed', code, reason };
}

/** Starts the program itself, or the runtime that creates the container. */
async function startProcess(
  { host, node }: Supervising,
  { order }: Container,
  streams: ContainerStreams,
): Promise<Started | Failed> {
  const { command, pidFile, stdio } = order;
  const program = { ...command, user: null };
  const wish = { stdin: node?.order.stdin ?? false, tty: node?.order.tty ?? false };
  const start = (): StartedRuntime => {
    if (stdio === 'inherit') return startInForeground(host, command);
    if (pidFile !== null) return startRuntime(host, streams, { program, ...wish });
    const held = streams.start(host, { ...program, ...wish, endsWithUs: false });
    return { ...held, said: () => '' };
  };
  try {
    const { pid, exited, said } = start();
    if (pidFile === null) {
      // A failed start rejects `exited`, and there is no pid.
      if (pid === 0) await exited;
      exited.catch(() => undefined);
      return { process: await identify(host, pid), exited };
    }
    const exit = await exited;
    if (exit.code !== 0) return failed(`${describeEnd(command.file, exit)} ${said()}`);
    const made = Number(await host.files.read(pidFile));
    return { process: await identify(host, made), exited: null };
  } catch (error) {
    return failed(errorText(error), codeOf(error) ?? 'EIO');
  }
}

/** Starts the program with the streams of the supervisor, which are those of `lifehook oci run`. */
function startInForeground(
  { supervision }: ContainerHost,
  command: Container['order']['command'],
): StartedRuntime {
  const inherit = { kind: 'inherit' as const };
  const streams = { stdinFile: '/dev/stdin', stdout: inherit, stderr: inherit };
  const process = supervision.spawnDetached({ ...command, ...streams });
  return { ...process, said: () => 'See what it printed.' };
}

/** The identity of another process, as that process itself would determine it. */
function identify({ files }: Platform, pid: number): Promise<ProcessIdentity> {
  const read = (path: string): Promise<string> =>
    files.read(path.replace('/proc/self/', `/proc/${pid}/`));
  return procTable({ ...files, read }).self();
}

function describeEnd(file: string, { code, signal }: Exit): string {
  return `${file} ended with ${signal ?? `code ${code ?? '?'}`}.`;
}

function exitRecord(exit: Exit | null, adopts: boolean, { clock }: Platform): ExitRecord {
  const endedAtMs = clock.nowMs();
  if (exit !== null) {
    const { code, signal } = exit;
    return { exitCode: code, signal, endedAtMs, reason: describeEnd('the program', exit) };
  }
  const reason = adopts
    ? 'the supervisor could not read the exit status of the program'
    : 'its supervisor runs under Node, which cannot see the end of a process that a runtime started; build the native shim for that';
  return { exitCode: null, signal: null, endedAtMs, reason };
}
