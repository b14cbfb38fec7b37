/**
 * Records the exit of a container's process durably, and only then runs the postexit hooks, which get this exit. The
 * supervisor does this; if the supervisor was lost, the command that deletes the container does it.
 */
import type { Problem } from '../../../model/problem.ts';
import type { Platform } from '../../../platform/platform.ts';
import { readPart, writePartOnce, type ContainerFolder } from './container-folder.ts';
import type { Container, ExitRecord } from './container.ts';
import { spoolFolder, type Life } from './life.ts';
import type { HookRunner } from '../hook-runs/behind-runner.ts';
import { runPoint } from '../hook-runs/run-point.ts';

export interface ExitRecording {
  readonly platform: Platform;
  readonly folder: ContainerFolder;
  readonly container: Container;
  readonly emit?: Life['emit'];
  /** Absent: hooks are children of this process, and nothing enforces their deadlines once this process is killed. */
  readonly runner?: HookRunner | undefined;
}

/** The journal of the postexit hooks. */
export function exitHooksFolder({ path }: ContainerFolder): string {
  return `${path}/postexit`;
}

/**
 * Continues an interrupted recording. A second exit of one container changes nothing. Returns the failures of the
 * postexit hooks, including those of earlier runs.
 */
export async function recordExit(
  recording: ExitRecording,
  seen: ExitRecord,
): Promise<readonly Problem[]> {
  const { platform, folder, container, emit, runner } = recording;
  await writePartOnce(folder, 'exit', seen);
  const exit = (await readPart(folder, 'exit')) ?? seen;
  // Killing a process that still waits for start is not an exit of the program.
  if ((await readPart(folder, 'started')) === null) return [];
  const outcome = await runPoint({
    platform,
    container,
    point: 'postexit',
    moment: { status: 'stopped', pid: null, exit },
    ledgerFolder: exitHooksFolder(folder),
    runner,
    spool: spoolFolder(folder.path.slice(0, folder.path.lastIndexOf('/'))),
    ...(emit === undefined ? {} : { emit }),
  });
  return outcome.kind === 'done' ? outcome.warnings : [];
}
