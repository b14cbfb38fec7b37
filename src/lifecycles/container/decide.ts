/**
 * Derives a container's state from an observation, and decides which operations the state permits (OCI-D4). Pure. Each
 * refusal gives its reason.
 */
import { LifehookError, type Problem } from '../../model/problem.ts';
import type { ProcessIdentity } from '../../store/process-table.ts';
import type { Container, ExitRecord, Phase } from './life/container.ts';
import type { SupervisorReport } from '../../supervisor/records.ts';
import type { OciStatus } from './life/life.ts';

/** The observation of one container at one moment. */
export interface Observed {
  readonly container: Container;
  readonly phase: Phase;
  /** Whether the process that worked on the container is dead, so that its work will not be finished. */
  readonly interrupted: boolean;
  readonly report: SupervisorReport | null;
  /** The container's own process; null: it does not exist, or has exited. */
  readonly process: ProcessIdentity | null;
  readonly supervisorAlive: boolean;
  /** Whether the program still waits for start; only queried while a container starts. */
  readonly held: boolean;
  readonly exit: ExitRecord | null;
}

/**
 * The status of a container. One whose process has exited is stopped, even while a command still runs its remaining
 * hooks. Exception: during a create, the container is creating until the create has ended or was interrupted.
 */
export function statusOf({ phase, interrupted, process, held }: Observed): OciStatus {
  if (phase.name === 'creating' && !interrupted) return 'creating';
  if (phase.name === 'deleting' || process === null) return 'stopped';
  if (phase.name === 'creating') return 'creating';
  return held || phase.name === 'created' ? 'created' : 'running';
}

/** The reason why start is not permitted; null: start is permitted. */
export function refuseStart(observed: Observed): Problem | null {
  const { container, phase, interrupted, supervisorAlive } = observed;
  const status = statusOf(observed);
  if (phase.name === 'starting' && interrupted) {
    return problem({
      code: 'LHC215',
      message: `The start of container ${container.id} was interrupted, and it is unknown whether its hooks took effect; it cannot be started a second time.`,
      next: `Run \`lifehook oci delete --force ${container.id}\` and create it again.`,
    });
  }
  if (status !== 'created') return wrongStatus(observed, 'started', 'created');
  if (supervisorAlive) return null;
  return problem({
    code: 'LHC216',
    message: `The supervisor of container ${container.id}, which owns its output and records its exit, no longer runs.`,
    next: `Run \`lifehook oci delete --force ${container.id}\` and create it again.`,
  });
}

export function refuseKill(observed: Observed): Problem | null {
  const status = statusOf(observed);
  if (status === 'created' || status === 'running') return null;
  return wrongStatus(observed, 'sent a signal', 'created or running');
}

/**
 * A container can be deleted once it has stopped (runtime.md, "Delete"), and after an interrupted
 * create, in which no program of the user runs.
 */
export function refuseDelete(observed: Observed, force: boolean): Problem | null {
  const status = statusOf(observed);
  const leftover = status === 'creating' && observed.interrupted;
  if (force || status === 'stopped' || leftover) return null;
  return wrongStatus(observed, 'deleted', 'stopped');
}

/** Throws if there is a refusal: the user requested an operation that is not permitted in this state. */
export function throwIf(refusal: Problem | null): void {
  if (refusal !== null) throw new LifehookError(refusal);
}

function wrongStatus(observed: Observed, what: string, wanted: string): Problem {
  const { id } = observed.container;
  return problem({
    code: 'LHC214',
    message: `Container ${id} cannot be ${what}: it is ${statusOf(observed)}, but must be ${wanted}.`,
    next: `See \`lifehook oci state ${id}\`; \`lifehook oci delete --force ${id}\` kills and removes it.`,
  });
}

function problem(rest: Omit<Problem, 'severity'>): Problem {
  return { ...rest, severity: 'error' };
}
