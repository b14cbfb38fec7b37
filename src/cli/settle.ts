/** Receives the exit code of the command that ran. */
export type Settle = (exitCode: number) => void;
