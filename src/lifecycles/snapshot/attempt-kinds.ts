/** One attempt at an action, as the status of a hook keeps it. */
export interface ActionAttempt {
  startedAt: string;
  endedAt?: string;
  outcome?: 'Succeeded' | 'Failed' | 'TimedOut' | 'Cancelled' | 'Unknown';
  /** Set if it is certain that nothing was started; absent: the attempt was started, or that is not known. */
  notStarted?: NotStarted;
  /** The number of the attempt, from 1; absent: it follows from the position. */
  number?: number;
  exitCode?: number;
  reason?: string;
  /**
   * The end of the output, secrets masked, at most 1 KiB. If it is cut, its first line says how large the output was.
   */
  output?: string;
}

/** Denied: the server refuses it (403), and would again. Unreached: the container did not exist or was unreachable. */
export type NotStarted = 'Denied' | 'Unreached';
