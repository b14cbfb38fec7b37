/** One attempt at a target: its ID, its number, and the report of its end. */
import type { Outcome } from '../../../model/attempt.ts';
import type { NotStarted } from '../attempt-kinds.ts';
import type { ActionStatus, ContainerStatus, ProbeStatus, ThawedBy } from '../kinds.ts';

export type ActionName = 'pre' | 'post';

export interface AttemptNumber {
  readonly action: ActionName;
  /** From 1. */
  readonly attempt: number;
}

/** Unique for the lifetime of this process: identifies an attempt that is running here. */
export function attemptId(
  hookUid: string,
  { podUID, containerName }: Pick<ContainerStatus, 'podUID' | 'containerName'>,
  { action, attempt }: AttemptNumber,
): string {
  return `${targetSessionId(hookUid, { podUID, containerName })}/${action}/${attempt}`;
}

/** The ID of the session that a hook holds in a target. */
export function targetSessionId(
  hookUid: string,
  { podUID, containerName }: Pick<ContainerStatus, 'podUID' | 'containerName'>,
): string {
  return `${hookUid}/${podUID}/${containerName}`;
}

/** The number of attempts ever started, which is also the number of the last one. */
export function attemptsOf(status: ActionStatus | undefined): number {
  return (status?.earlierAttempts ?? 0) + (status?.attempts?.length ?? 0);
}

/** The end of an attempt, with the probes around it. */
export interface AttemptReport {
  readonly endedAtMs: number;
  readonly outcome: Outcome;
  readonly exitCode: number | null;
  readonly reason: string;
  /** Absent: the attempt was started, or that is not known. */
  readonly notStarted?: NotStarted;
  /** The last lines of its output, secrets masked. */
  readonly output: string;
  readonly probes: readonly ProbeStatus[];
  /** Set for a held session. */
  readonly holder?: NonNullable<ContainerStatus['holder']>;
  /** Set for a thaw that succeeded. */
  readonly thawedBy?: ThawedBy;
}
