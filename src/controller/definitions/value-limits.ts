/** Limits of Linux and Kubernetes for single values. */

export const COMMAND_WORDS_MAX = 1000;
/** Maximum length of one argument: Linux accepts 128 KiB, with a final NUL. */
export const COMMAND_WORD_CHARACTERS_MAX: number = 128 * 1024 - 1;
export const PORT_MAX = 65_535;
export const PORT_NAME_CHARACTERS_MAX = 15;

/** Maximum lengths of DNS names and labels. */
export const NAME_CHARACTERS_MAX = 253;
export const LABEL_CHARACTERS_MAX = 63;
