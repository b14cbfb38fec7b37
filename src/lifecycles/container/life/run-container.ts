/**
 * Runs a container in the foreground: it has our streams, signals are forwarded to it, and at the end it is always
 * deleted, with its poststop hooks.
 *
 * OCI-D5: It reports the exit of the program, and leaves no container.
 * OCI-D6: A signal reaches the program, even one that arrives before the program begins. If such an early signal
 *     terminates commands, it cancels the operation instead.
 */
import type { Problem } from '../../../model/problem.ts';
import { LinkedSignal } from '../../../platform/linked-signal.ts';
import type { CancelSignal, Signal } from '../../../platform/platform.ts';
import { readPart } from './container-folder.ts';
import type { ExitRecord } from './container.ts';
import type { CreateOptions } from './draft.ts';
import { createContainer, deleteContainer, startContainer, type LifeOutcome } from '../drive.ts';
import type { Life } from './life.ts';
import { folderOf, requireContainer } from './observe.ts';
import { killContainer } from './query.ts';
import { waitForSupervisor, waitUntilExited } from './supervisor.ts';

export type ContainerRun =
  | { readonly kind: 'ended'; readonly exit: ExitRecord; readonly warnings: readonly Problem[] }
  | Exclude<LifeOutcome, { kind: 'done' }>;

export async function runContainer(
  life: Life,
  options: Omit<CreateOptions, 'stdio' | 'signal'>,
): Promise<ContainerRun> {
  const { id } = options;
  const { signal, handOver } = catchSignals(life, id);
  const created = await createContainer(life, { ...options, stdio: 'inherit', signal });
  if (created.kind !== 'done') return created;
  const started = await orDeleted(life, id, () => startContainer(life, id, signal));
  if (started.kind !== 'done') return started;
  handOver();
  const exit = await orDeleted(life, id, () => waitForExit(life, id));
  const warnings = await deleteContainer(life, id, { force: true });
  return { kind: 'ended', exit, warnings: [...created.warnings, ...started.warnings, ...warnings] };
}

/**
 * Does the work for a container in the foreground. Such a container has no other owner: if it cannot be started or
 * followed, it is deleted.
 */
async function orDeleted<T>(life: Life, id: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // A failed start has deleted the container already. The first cause is the one to report.
    await deleteContainer(life, id, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Signals that terminate commands, or have a meaning of their own in programs. */
const passedOn: readonly Signal[] = [
  'SIGINT',
  'SIGTERM',
  'SIGHUP',
  'SIGQUIT',
  'SIGUSR1',
  'SIGUSR2',
];

const ending: readonly Signal[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];

interface CaughtSignals {
  readonly signal: CancelSignal;
  /** Call when the program runs: signals are then forwarded to it, also those that arrived too late to cancel. */
  readonly handOver: () => void;
}

/**
 * Catches signals that terminate commands. Until the program runs, such a signal cancels the whole operation; then it
 * is passed to the program.
 */
function catchSignals(life: Life, id: string): CaughtSignals {
  const source = new LinkedSignal();
  const early = new Set<Signal>();
  let running = false;
  const passOn = (name: Signal): void => {
    // The program may have exited a moment ago: then there is no process to signal.
    killContainer(life, id, name).catch(() => undefined);
  };
  for (const name of passedOn) {
    life.supervision.onSignal(name, () => {
      if (running) passOn(name);
      else early.add(name);
      if (!running && ending.includes(name)) source.abort();
    });
  }
  const handOver = (): void => {
    running = true;
    for (const name of early) passOn(name);
  };
  return { signal: source, handOver };
}

async function waitForExit(life: Life, id: string): Promise<ExitRecord> {
  const folder = folderOf(life, id);
  await waitForSupervisor(life, folder);
  // Wait for the program even if its supervisor was killed.
  const { process } = await requireContainer(life, id);
  if (process !== null) await waitUntilExited(life.platform, process);
  return (await readPart(folder, 'exit')) ?? unseen(life);
}

function unseen({ platform: { clock } }: Life): ExitRecord {
  const reason = 'its supervisor was lost before it recorded the exit';
  return { exitCode: null, signal: null, endedAtMs: clock.nowMs(), reason };
}
