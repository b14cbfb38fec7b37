/**
 * Runs the life of a container (OCI runtime specification 1.3, runtime.md "Lifecycle"). Each command reads top to
 * bottom; the functions that it calls gather, decide or act.
 *
 *   create   precreate filters, container created, prestart, createRuntime, createContainer
 *   start    startContainer, program started, poststart
 *   (exit)   recorded by the supervisor, postexit
 *   delete   container destroyed, poststop
 *
 * OCI-D1: A hook that fails in create or start ends the container: destroyed, poststop hooks run.
 * OCI-D2: A command that dies at any moment leaves a container that `delete` can remove, and whose poststop hooks then
 *     run. Hooks whose end was not observed are Unknown and never taken for a success.
 * OCI-D3: Until a container is recorded, a failure leaves nothing behind, and config.json unchanged.
 */
import type { Problem } from '../../model/problem.ts';
import type { CancelSignal } from '../../platform/platform.ts';
import { procTable } from '../../store/process-table.ts';
import { replaceConfig } from './config/bundle.ts';
import { hooksFolder, writePart } from './life/container-folder.ts';
import { claimFolder, removeFolder, withLock } from './life/container-folders.ts';
import type { Point } from './life/container.ts';
import { refuseDelete, refuseStart, throwIf } from './decide.ts';
import { draftContainer, type CreateOptions, type Draft } from './life/draft.ts';
import { failedHookWords } from './hook-runs/hook-ends.ts';
import { forgetsHooks } from './shim/find-runtime.ts';
import { toolFailed } from './runners/host-tool.ts';
import { hookRunnerOf, spoolFolder, type Life, type OciStatus } from './life/life.ts';
import { folderOf, observe, requireContainer } from './life/observe.ts';
import { createStages } from './points.ts';
import { runnerOf } from './runners/oci-runner.ts';
import { runPoint, warn, type PointOutcome } from './hook-runs/run-point.ts';
import { startSupervisor } from './life/supervisor.ts';
import { tearDown, type TearDown } from './life/tear-down.ts';

/** failed, cancelled: the container is deleted. Wrong use throws a LifehookError instead. */
export type LifeOutcome = PointOutcome;

export async function createContainer(life: Life, options: CreateOptions): Promise<LifeOutcome> {
  const folder = folderOf(life, options.id);
  return claimFolder(life, folder, async () => {
    const by = await procTable(folder.files).self();
    const drafted = await draftContainer({ life, folder, by }, options);
    if (drafted.kind !== 'drafted') return drafted;
    const { container, warnings } = drafted;
    warn(life, container.id, warnings);
    const down = { life, folder, container, by };
    await writePart(folder, 'phase', { name: 'creating', by });
    // From here on the container exists, and only tearDown removes it.
    await writePart(folder, 'container', container);
    emit(down, 'creating');
    const outcome = await orTornDown(down, () => makeContainer(down, drafted, options.signal));
    if (outcome.kind !== 'done') return outcome;
    await writePart(folder, 'phase', { name: 'created' });
    emit(down, 'created');
    return { kind: 'done', warnings: [...warnings, ...outcome.warnings] };
  });
}

async function makeContainer(
  down: TearDown,
  { bundle, text }: Draft,
  signal: CancelSignal | undefined,
): Promise<LifeOutcome> {
  const { life, folder, container } = down;
  // An OCI runtime reads config.json itself. For the process runner, Lifehook has read the file already.
  const isRead = container.runner.kind === 'runtime';
  if (isRead && text !== bundle.text) await replaceConfig(folder.files, bundle, text);
  const { report } = await startSupervisor(life, folder, container);
  if (report.kind === 'failed')
    throw toolFailed(container.order.command.argv.join(' '), await reasonOf(down, report.reason));
  for (const stage of createStages) {
    const moment = { status: 'creating' as const, pid: report.process.pid };
    const outcome = await runStage(down, stage, { moment, signal });
    if (outcome.kind !== 'done') return outcome;
  }
  return signal?.aborted === true ? { kind: 'cancelled' } : { kind: 'done', warnings: [] };
}

/**
 * Adds the output of the failed hook from its record in the spool, if the runtime is crun, which does not report it.
 */
async function reasonOf({ life, container }: TearDown, reason: string): Promise<string> {
  const { id, createdAtMs, runner } = container;
  const { files } = life.platform;
  if (runner.kind !== 'runtime' || !(await forgetsHooks(files, runner.command))) return reason;
  const spool = spoolFolder(life.root);
  const question = { spool, containerId: id, stages: createStages, sinceMs: createdAtMs };
  const words = await failedHookWords(files, question);
  return words === null ? reason : `${reason} ${words}`;
}

export async function startContainer(
  life: Life,
  id: string,
  signal?: CancelSignal,
): Promise<LifeOutcome> {
  const folder = folderOf(life, id);
  return withLock(life, folder, async () => {
    const observed = await requireContainer(life, id);
    throwIf(refuseStart(observed));
    const { container, process } = observed;
    const by = await procTable(folder.files).self();
    const down = { life, folder, container, by };
    await writePart(folder, 'phase', { name: 'starting', by });
    const pid = process?.pid ?? null;
    const outcome = await orTornDown(down, () => release(down, pid, signal));
    if (outcome.kind === 'done') await writePart(folder, 'phase', { name: 'running' });
    return outcome;
  });
}

async function release(
  down: TearDown,
  pid: number | null,
  signal: CancelSignal | undefined,
): Promise<LifeOutcome> {
  const { life, folder, container } = down;
  const before = { status: 'created' as const, pid };
  const ready = await runStage(down, 'startContainer', { moment: before, signal });
  if (ready.kind !== 'done') return ready;
  if (signal?.aborted === true) return { kind: 'cancelled' };
  await writePart(folder, 'started', { atMs: life.platform.clock.nowMs() });
  await runnerOf(life, container.runner).start(container);
  emit(down, 'running');
  const after = { status: 'running' as const, pid };
  return runStage(down, 'poststart', { moment: after, signal });
}

export async function deleteContainer(
  life: Life,
  id: string,
  { force }: { readonly force: boolean },
): Promise<readonly Problem[]> {
  const folder = folderOf(life, id);
  return withLock(life, folder, async () => {
    const observed = await observe(life, id);
    if (observed === null) {
      await removeFolder(life, folder);
      return [];
    }
    throwIf(refuseDelete(observed, force));
    const by = await procTable(folder.files).self();
    return tearDown({ life, folder, container: observed.container, by });
  });
}

interface StageRunning {
  readonly moment: { readonly status: OciStatus; readonly pid: number | null };
  readonly signal: CancelSignal | undefined;
}

async function runStage(
  { life, folder, container }: TearDown,
  point: Point,
  { moment, signal }: StageRunning,
): Promise<PointOutcome> {
  const outcome = await runPoint({
    platform: life.platform,
    container,
    point,
    moment,
    ledgerFolder: hooksFolder(folder),
    spool: spoolFolder(life.root),
    runner: hookRunnerOf(life, hooksFolder(folder)),
    emit: life.emit,
    ...(signal === undefined ? {} : { signal }),
  });
  if (outcome.kind === 'done') warn(life, container.id, outcome.warnings);
  return outcome;
}

/** Does the work. On any error the container is torn down as in the specification, and the first cause is reported. */
async function orTornDown(down: TearDown, work: () => Promise<LifeOutcome>): Promise<LifeOutcome> {
  let outcome: LifeOutcome;
  try {
    outcome = await work();
  } catch (error) {
    // If the tear-down fails too, the next delete continues it.
    await tearDown(down).catch(() => undefined);
    throw error;
  }
  if (outcome.kind === 'done') return outcome;
  const later = await tearDown(down);
  if (outcome.kind === 'cancelled') return outcome;
  return { ...outcome, warnings: [...outcome.warnings, ...later] };
}

function emit({ life, container: { id } }: TearDown, status: OciStatus): void {
  life.emit?.({ type: 'Status', id, status });
}
