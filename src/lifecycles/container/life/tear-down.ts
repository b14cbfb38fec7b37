/**
 * Tears a container down, in the order of the specification (runtime.md, steps 9 to 13): its process
 * is killed, the runner's remains are removed, and all poststop hooks run, whatever their
 * outcomes. Every step is idempotent, so the next delete can follow an interrupted one.
 */
import type { Problem } from '../../../model/problem.ts';
import { sleep } from '../../../platform/sleep.ts';
import { procTable, type ProcessIdentity } from '../../../store/process-table.ts';
import type { SupervisorReport } from '../../../supervisor/records.ts';
import { runnerOf } from '../runners/oci-runner.ts';
import { runPoint, warn } from '../hook-runs/run-point.ts';
import { readReport } from '../hook-runs/hook-order.ts';
import { hooksFolder, readPart, writePart, type ContainerFolder } from './container-folder.ts';
import { removeFolder } from './container-folders.ts';
import type { Container } from './container.ts';
import { hookRunnerOf, spoolFolder, type Life } from './life.ts';
import { exitHooksFolder, recordExit } from './record-exit.ts';
import { waitForSupervisor, waitUntilExited } from './supervisor.ts';

export interface TearDown {
  readonly life: Life;
  readonly folder: ContainerFolder;
  readonly container: Container;
  readonly by: ProcessIdentity;
}

/** Returns the failures of postexit and poststop hooks, which are warnings. */
export async function tearDown(down: TearDown): Promise<readonly Problem[]> {
  const { life, folder, container, by } = down;
  await writePart(folder, 'phase', { name: 'deleting', by });
  await endLeftHook(life, hooksFolder(folder));
  const report = await readPart(folder, 'report');
  const process = report?.kind === 'started' ? report.process : null;
  const early = process === null ? [] : await seeItEnd(down, process);
  await runnerOf(life, container.runner).destroy(container, process);
  // If a runtime created the container, the runtime also deletes it and runs its poststop hooks.
  const isOurs = container.runner.kind === 'process' || report?.kind === 'failed';
  const warnings = isOurs ? await runPoststop(down) : [];
  await removeRecord(down, report);
  life.emit?.({ type: 'Status', id: container.id, status: 'deleted' });
  return [...early, ...warnings];
}

/** Resolves when the exit of the process is recorded and the postexit hooks have run. */
async function seeItEnd(down: TearDown, process: ProcessIdentity): Promise<readonly Problem[]> {
  const { life, folder, container } = down;
  await endProcess(down, process);
  await waitForSupervisor(life, folder);
  await endLeftHook(life, exitHooksFolder(folder));
  // The reason that is recorded if the supervisor was lost. Then its postexit hooks run here.
  const reason = 'its supervisor was lost before it recorded the exit';
  const unseen = { exitCode: null, signal: null, endedAtMs: life.platform.clock.nowMs(), reason };
  const runner = hookRunnerOf(life, exitHooksFolder(folder));
  const exiting = { platform: life.platform, folder, container, emit: life.emit, runner };
  const failures = await recordExit(exiting, unseen);
  // Unless it was killed, the supervisor ran these hooks, but it cannot emit their failures to the user.
  warn(life, container.id, failures);
  return failures;
}

/**
 * Removes the container's directory. Until then a supervisor whose command was killed may still report a process; such
 * a process is destroyed too. The lock is removed with the directory, so another command may have created the next
 * container of the id by then. Then only the process is killed, since a runner finds containers by their ids.
 */
async function removeRecord(
  { life, folder, container }: TearDown,
  known: SupervisorReport | null,
): Promise<void> {
  const report = await removeFolder(life, folder);
  if (known !== null || report?.kind !== 'started') return;
  const { process } = report;
  if ((await readPart(folder, 'container')) === null) {
    await runnerOf(life, container.runner).destroy(container, process);
  } else if (await procTable(folder.files).isAlive(process)) {
    life.supervision.signalProcess(process.pid, 'SIGKILL');
  }
}

/**
 * Milliseconds. A killed process exits at once, unless it is stuck in the kernel: then waiting longer does not help.
 */
const endMaxMs = 10_000;
const endPollMs = 5;

async function endProcess({ life, container }: TearDown, process: ProcessIdentity): Promise<void> {
  const { clock, timers, files } = life.platform;
  const processes = procTable(files);
  if (!(await processes.isAlive(process))) return;
  try {
    await runnerOf(life, container.runner).kill(container, process, 'SIGKILL');
  } catch (error) {
    // The process may have exited by itself. A runtime then answers the signal with an error.
    if (await processes.isAlive(process)) throw error;
  }
  const giveUpAtMs = clock.monotonicMs() + endMaxMs;
  while (clock.monotonicMs() < giveUpAtMs && (await processes.isAlive(process))) {
    await sleep(timers, endPollMs);
  }
}

async function runPoststop({ life, folder, container }: TearDown): Promise<readonly Problem[]> {
  const outcome = await runPoint({
    platform: life.platform,
    container,
    point: 'poststop',
    moment: { status: 'stopped', pid: null },
    ledgerFolder: hooksFolder(folder),
    spool: spoolFolder(life.root),
    runner: hookRunnerOf(life, hooksFolder(folder)),
    emit: life.emit,
  });
  const problems = outcome.kind === 'done' ? outcome.warnings : [];
  warn(life, container.id, problems);
  return problems;
}

/**
 * Stops the hook of a killed command, if its runner is still running. A delete does this first, so that no two hooks of
 * one container run in parallel.
 */
async function endLeftHook(life: Life, ledgerFolder: string): Promise<void> {
  const { platform, supervision } = life;
  const place = hookRunnerOf(life, ledgerFolder);
  if (place === undefined) return;
  const report = await readReport(platform.files, place.endFile);
  if (report?.kind !== 'running') return;
  if (!(await procTable(platform.files).isAlive(report.runner))) return;
  // The runner kills the hook with all processes that it has started. That takes a bounded time, unless the machine lacks
  // the resources to list them.
  supervision.signalProcess(report.runner.pid, 'SIGTERM');
  await waitUntilExited(platform, report.runner);
}
