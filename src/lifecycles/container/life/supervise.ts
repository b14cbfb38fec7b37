/**
 * The supervisor: one small process for one container. It starts what the container's record orders,
 * owns its output, sees its end and records it, and runs the postexit hooks. It outlives the command
 * that started it, and whatever started that.
 *
 * Runs natively (QuickJS) or under Node: nothing here that QuickJS lacks.
 *
 * OCI-V1: It tells of the process before anybody may use it; if it cannot tell, the process is ended.
 * OCI-V2: The exit is durable before the first postexit hook runs.
 * OCI-V3: It acts only for the instance that it was started for, never for another container of that id.
 */
import { LinkedSignal } from '../../../platform/linked-signal.ts';
import type { Exit, Platform, Timers } from '../../../platform/platform.ts';
import { sleep } from '../../../platform/sleep.ts';
import type { OutputTarget, ShimProcesses } from '../../../platform/supervision.ts';
import { procTable, type ProcessIdentity } from '../../../store/process-table.ts';
import { decodeUtf8 } from '../../../platform/byte-text.ts';
import { readPart, writePart, type ContainerFolder } from './container-folder.ts';
import type { Container, ExitRecord, SupervisorReport } from './container.ts';
import { LogFile } from './log-file.ts';
import { waitUntilGone } from './process-end.ts';
import { hookRunnerOf } from './life.ts';
import { exitHooksFolder, recordExit } from './record-exit.ts';
import { wholeTree } from '../hook-runs/whole-tree.ts';

export interface Supervising {
  readonly platform: Platform;
  readonly supervision: ShimProcesses;
  /** The container's folder and instance: the two arguments of the program. */
  readonly folder: string;
  readonly instance: string;
}

export async function supervise(supervising: Supervising): Promise<void> {
  const { platform, supervision } = supervising;
  const folder = { path: supervising.folder, files: platform.files };
  const container = await readPart(folder, 'container');
  if (container?.instance !== supervising.instance) return;
  const adopts = supervision.becomeSubreaper();
  const streams = openStreams(platform, container, folder);
  const process = await startProcess(supervising, container, streams);
  if ('reason' in process) {
    await writePart(folder, 'report', { kind: 'failed', ...process });
    return;
  }
  const ended =
    adopts || container.order.pidFile === null
      ? supervision.waitForEnd(process.pid)
      : waitUntilGone(platform, process);
  await report(supervising, container, process);
  const exit = await ended;
  // The rest of a container without a namespace of its own; a runtime's namespace ends with its first process.
  if (container.order.pidFile === null) supervision.signalProcess(-process.pid, 'SIGKILL');
  await streams.close();
  // Where there is no runner, this reaches what a hook has started.
  const processes = wholeTree(platform.processes, supervision);
  const runner = hookRunnerOf(container.order, exitHooksFolder(folder));
  const recording = { platform: { ...platform, processes }, folder, container, runner };
  await recordExit(recording, exitRecord(exit, adopts, platform));
}

/** Ends the process if the container is not there any more: somebody deleted it meanwhile (OCI-V1, OCI-V3). */
async function report(
  supervising: Supervising,
  container: Container,
  process: ProcessIdentity,
): Promise<void> {
  const { platform, supervision, instance } = supervising;
  const folder: ContainerFolder = { path: supervising.folder, files: platform.files };
  const supervisor = await procTable(platform.files).self();
  const started: SupervisorReport = { kind: 'started', supervisor, process };
  const current = await readPart(folder, 'container');
  try {
    if (current?.instance !== instance) throw new Error(`${container.id} was deleted`);
    await writePart(folder, 'report', started);
  } catch (error) {
    supervision.signalProcess(process.pid, 'SIGKILL');
    await undo(supervising, container);
    throw error;
  }
}

async function undo({ supervision }: Supervising, { order }: Container): Promise<void> {
  const [file] = order.undo ?? [];
  if (file === undefined || order.undo === null) return;
  const nowhere = { kind: 'null' as const };
  const { env, cwd } = order.command;
  const streams = { stdout: nowhere, stderr: nowhere };
  await supervision.spawnDetached({ file, argv: order.undo, env, cwd, ...streams }).exited;
}

interface Streams {
  readonly stdout: OutputTarget;
  readonly stderr: OutputTarget;
  readonly stdinFile?: string;
  /** The last of what was written, for the message when the start fails. */
  readonly said: () => string;
  readonly close: () => Promise<void>;
}

const saidMaxCharacters = 4096;

function openStreams(
  { files, timers }: Platform,
  { order }: Container,
  { path }: ContainerFolder,
): Streams {
  if (order.stdio === 'inherit') {
    const inherit = { kind: 'inherit' as const };
    return {
      stdout: inherit,
      stderr: inherit,
      stdinFile: '/dev/stdin',
      said: () => 'See what it printed.',
      close: () => Promise.resolve(),
    };
  }
  let said = '';
  const open = (name: string): LoggedStream => {
    const log = new LogFile(files, `${path}/${name}.log`);
    const onData = (bytes: string): void => {
      log.add(bytes);
      said = (said + bytes).slice(-saidMaxCharacters);
    };
    let onEnd = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      onEnd = resolve;
    });
    return { log, ended, target: { kind: 'pipe', onData, onEnd } };
  };
  const [stdout, stderr] = [open('stdout'), open('stderr')];
  return {
    stdout: stdout.target,
    stderr: stderr.target,
    said: () => decodeUtf8(said).trim(),
    close: async () => {
      await drain(timers, [stdout.ended, stderr.ended]);
      await Promise.all([stdout.log.close(), stderr.log.close()]);
    },
  };
}

interface LoggedStream {
  readonly log: LogFile;
  readonly ended: Promise<void>;
  readonly target: OutputTarget;
}

/** What the program wrote may still be in the pipe; a process that escaped may hold it for ever. */
const drainMaxMs = 1000;

async function drain(timers: Timers, streams: readonly Promise<void>[]): Promise<void> {
  const all = new LinkedSignal();
  const limit = sleep(timers, drainMaxMs, all);
  await Promise.race([Promise.all(streams), limit]);
  all.abort();
}

async function startProcess(
  { platform, supervision }: Supervising,
  { order }: Container,
  { stdout, stderr, stdinFile, said }: Streams,
): Promise<ProcessIdentity | { readonly reason: string }> {
  const { command, pidFile } = order;
  const stdin = stdinFile === undefined ? {} : { stdinFile };
  const process = supervision.spawnDetached({ ...command, stdout, stderr, ...stdin });
  try {
    if (pidFile === null) {
      // Only a start that fails settles before the process is told of: then there is no number.
      if (process.pid === 0) await process.exited;
      process.exited.catch(() => undefined);
      return await identify(platform, process.pid);
    }
    const exit = await process.exited;
    if (exit.code !== 0) return { reason: `${describeEnd(command.file, exit)} ${said()}` };
    return await identify(platform, Number(await platform.files.read(pidFile)));
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Another process's identity is what it would call its own. */
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
    ? 'the program ended without its supervisor being told how'
    : 'its supervisor runs under Node, which cannot see the end of a process that a runtime started; build the native shim for that';
  return { exitCode: null, signal: null, endedAtMs, reason };
}
