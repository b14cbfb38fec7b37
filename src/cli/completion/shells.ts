/** The shells for which `lifehook completion` writes a script. */
export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];

/** The command that the scripts call for values that have to be read from files or a cluster. */
export const COMPLETE = '__complete';
