/** Starts a supervisor for a command, and waits for its reports. */
import { LifehookError } from '../../../model/problem.ts';
import type { Platform } from '../../../platform/platform.ts';
import { sleep } from '../../../platform/sleep.ts';
import type { DetachedProcess, DetachedSpec } from '../../../platform/supervision.ts';
import { type ProcessIdentity, procTable } from '../../../store/process-table.ts';
import { awaitReport, type SupervisorReport } from '../../../supervisor/records.ts';
import { readPart, type ContainerFolder } from './container-folder.ts';
import type { Container } from './container.ts';
import type { Life } from './life.ts';

export interface StartedSupervisor {
  readonly report: SupervisorReport;
  readonly process: DetachedProcess;
}

export async function startSupervisor(
  life: Life,
  folder: ContainerFolder,
  { instance, order }: Container,
): Promise<StartedSupervisor> {
  const [file = ''] = life.supervisor;
  const process = life.supervision.spawnDetached({
    file,
    argv: [...life.supervisor, folder.path, instance],
    env: life.env,
    cwd: '/',
    ...streamsOf(order.stdio, folder),
  });
  const { exited } = process;
  const look = (): ReturnType<typeof readReport> => readReport(folder);
  const report = await awaitReport({ timers: life.platform.timers, exited, look });
  if (report.kind === 'broken') throw broken(life, report.because);
  return { report, process };
}

function readReport(folder: ContainerFolder): Promise<SupervisorReport | null> {
  return readPart(folder, 'report');
}

/**
 * The supervisor's own output goes to a file, for the case that it fails. For a container in the foreground, the
 * supervisor shares our streams.
 */
function streamsOf(
  stdio: Container['order']['stdio'],
  { path }: ContainerFolder,
): Pick<DetachedSpec, 'stdinFile' | 'stdout' | 'stderr'> {
  if (stdio === 'inherit') {
    return { stdinFile: '/dev/stdin', stdout: { kind: 'inherit' }, stderr: { kind: 'inherit' } };
  }
  const words = { kind: 'append' as const, path: `${path}/supervisor.log`, mode: 0o600 };
  return { stdout: words, stderr: words };
}

/**
 * Resolves when the container's supervisor has exited. Unless it was killed, it has recorded the exit and run the
 * postexit hooks by then.
 */
export async function waitForSupervisor(life: Life, folder: ContainerFolder): Promise<void> {
  const report = await readPart(folder, 'report');
  if (report?.kind === 'started') await waitUntilExited(life.platform, report.supervisor);
}

function broken({ supervisor }: Life, because: string): LifehookError {
  return new LifehookError({
    code: 'LHC231',
    message: `The supervisor (${supervisor.join(' ')}) did not report that the container's process exists: ${because.replace(/\.$/, '')}.`,
    next: 'Look at supervisor.log in the directory of the container; if a program is missing, install Lifehook again.',
  });
}

const pollMs = 20;

/**
 * Resolves when the process has exited. It polls, since a process that is not our child sends us no notification. A
 * zombie counts as exited: its parent may be busy, or never reap it (a container whose first process is not an init).
 */
export async function waitUntilExited(
  { files, timers }: Pick<Platform, 'files' | 'timers'>,
  process: ProcessIdentity,
): Promise<null> {
  const processes = procTable(files);
  while (await processes.isAlive(process)) await sleep(timers, pollMs);
  return null;
}
