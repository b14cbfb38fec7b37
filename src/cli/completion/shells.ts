/** Those that `lifehook completion` writes a script for. */
export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];

/** What the scripts call for values that only a look at files or at a cluster tells. */
export const COMPLETE = '__complete';
