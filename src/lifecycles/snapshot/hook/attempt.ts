/** One attempt at a target, as this room speaks of it: its name, how it ended, what else it told. */
import type { Outcome } from '../../../model/attempt.ts';
import type { NotStarted } from '../attempt-kinds.ts';
import type { ActionStatus, ContainerStatus, ProbeStatus, ThawedBy } from '../kinds.ts';

export type ActionName = 'pre' | 'post';

export interface AttemptNumber {
  readonly action: ActionName;
  /** From 1. */
  readonly attempt: number;
}

/** Unique as long as this process lives: it tells an attempt under way from one that nobody makes. */
export function attemptId(
  hookUid: string,
  { podUID, containerName }: Pick<ContainerStatus, 'podUID' | 'containerName'>,
  { action, attempt }: AttemptNumber,
): string {
  return `${targetSessionId(hookUid, { podUID, containerName })}/${action}/${attempt}`;
}

/** Of the session that a hook holds in a target. */
export function targetSessionId(
  hookUid: string,
  { podUID, containerName }: Pick<ContainerStatus, 'podUID' | 'containerName'>,
): string {
  return `${hookUid}/${podUID}/${containerName}`;
}

/** How many attempts were ever begun: the number of the last one. */
export function attemptsOf(status: ActionStatus | undefined): number {
  return (status?.earlierAttempts ?? 0) + (status?.attempts?.length ?? 0);
}

/** The end of an attempt, with what was asked around it. */
export interface AttemptReport {
  readonly endedAtMs: number;
  readonly outcome: Outcome;
  readonly exitCode: number | null;
  readonly reason: string;
  /** Absent: it was started, or nobody knows. */
  readonly notStarted?: NotStarted;
  /** The last lines of its output, secrets masked. */
  readonly output: string;
  readonly probes: readonly ProbeStatus[];
  /** Of a held session. */
  readonly holder?: NonNullable<ContainerStatus['holder']>;
  /** Of a thaw that succeeded. */
  readonly thawedBy?: ThawedBy;
}
