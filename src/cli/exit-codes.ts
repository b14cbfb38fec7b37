/** The exit codes of every command (docs/command-line.md). */
export const exitCodes = {
  done: 0,
  failed: 1,
  wrongUse: 2,
  hookFailed: 3,
  /** The snapshot exists, but its verdict is below the required level. */
  belowRequired: 5,
  deadline: 124,
  interrupted: 130,
} as const;

/** Receives the exit code of the command that ran. */
export type Settle = (exitCode: number) => void;
