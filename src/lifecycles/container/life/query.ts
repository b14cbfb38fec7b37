/** Reads and signals containers without a lock, so that a hanging hook prevents neither. */
import { LifehookError, type Problem } from '../../../model/problem.ts';
import type { Signal } from '../../../platform/platform.ts';
import { errorText } from '../../../platform/error-text.ts';
import { listIds } from './container-folders.ts';
import type { ExitRecord } from './container.ts';
import { refuseKill, statusOf, throwIf, type Observed } from '../decide.ts';
import { type Life, ociState, type OciState } from './life.ts';
import { observe, requireContainer } from './observe.ts';
import { runnerOf } from '../runners/oci-runner.ts';

/** `lifehook oci state`: the OCI state, and our additions. */
export interface ContainerView {
  readonly state: OciState;
  readonly createdAtMs: number;
  /** "process", or the runtime's command. */
  readonly runner: string;
  /** Whether a command was killed while it worked on the container: then only kill and delete are possible. */
  readonly interrupted: boolean;
  readonly exit: ExitRecord | null;
}

export async function viewContainer(life: Life, id: string): Promise<ContainerView> {
  return viewOf(await requireContainer(life, id));
}

/** A container of which a part could not be read or queried. */
export interface BrokenView {
  readonly state: { readonly id: string; readonly status: 'unknown' };
  readonly problem: Problem;
}

/**
 * All containers, sorted by id. Each container is read separately, so a broken one does not hide the others. A
 * container that is created or deleted right now may be missing.
 */
export async function listContainers(life: Life): Promise<readonly (ContainerView | BrokenView)[]> {
  const views: (ContainerView | BrokenView)[] = [];
  for (const id of await listIds(life)) {
    try {
      const observed = await observe(life, id);
      if (observed !== null) views.push(viewOf(observed));
    } catch (error) {
      views.push({ state: { id, status: 'unknown' }, problem: problemOf(error, id) });
    }
  }
  return views;
}

function problemOf(error: unknown, id: string): Problem {
  const [problem] = error instanceof LifehookError ? error.problems : [];
  return (
    problem ?? {
      code: 'LHC218',
      severity: 'error',
      message: `Container ${id} cannot be read: ${errorText(error)}.`,
      next: `Correct the reported problem; \`lifehook oci delete --force ${id}\` removes the container.`,
    }
  );
}

export async function killContainer(life: Life, id: string, signal: Signal): Promise<void> {
  const observed = await requireContainer(life, id);
  throwIf(refuseKill(observed));
  const { container, process } = observed;
  if (process !== null) await runnerOf(life, container.runner).kill(container, process, signal);
}

function viewOf(observed: Observed): ContainerView {
  const { container, process, exit, interrupted } = observed;
  const status = statusOf(observed);
  const { runner, createdAtMs } = container;
  const pid = status === 'stopped' ? null : (process?.pid ?? null);
  return {
    state: ociState(container, { status, pid, exit }),
    createdAtMs,
    runner: runner.kind === 'process' ? 'process' : runner.command,
    interrupted,
    exit,
  };
}
