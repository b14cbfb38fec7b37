/** One attempt at an action, as the status of a hook keeps it. */
export interface ActionAttempt {
  startedAt: string;
  endedAt?: string;
  outcome?: 'Succeeded' | 'Failed' | 'TimedOut' | 'Cancelled' | 'Unknown';
  /** It is certain that nothing was started; absent: it was, or nobody knows. */
  notStarted?: NotStarted;
  /** From 1; absent: it follows from its place. */
  number?: number;
  exitCode?: number;
  reason?: string;
  /** The end of its output, secrets masked, at most 1 KiB; the first line says how much there was, if that is more. */
  output?: string;
}

/** Denied: the server refuses it (403), and would again. Unreached: there was no container, or no way to it. */
export type NotStarted = 'Denied' | 'Unreached';
