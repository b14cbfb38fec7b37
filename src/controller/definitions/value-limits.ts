/** Limits of Linux and Kubernetes for single values. */

export const COMMAND_WORDS_MAX = 1000;
/** Linux accepts 128 KiB for one argument; the API server accepts 1.5 MiB for a whole object. */
export const COMMAND_WORD_CHARACTERS_MAX: number = 128 * 1024 - 1;
export const PORT_MAX = 65_535;
export const PORT_NAME_CHARACTERS_MAX = 15;

/** Maximum lengths of DNS names and labels. */
export const NAME_CHARACTERS_MAX = 253;
export const LABEL_CHARACTERS_MAX = 63;
