/** Bounds that Linux and Kubernetes have for single values. */

export const COMMAND_WORDS_MAX = 1000;
/** Linux takes 128 KiB for one argument; an object of the API 1.5 MiB in all. */
export const COMMAND_WORD_CHARACTERS_MAX: number = 128 * 1024 - 1;
export const PORT_MAX = 65_535;
export const PORT_NAME_CHARACTERS_MAX = 15;

/** Of DNS names and labels. */
export const NAME_CHARACTERS_MAX = 253;
export const LABEL_CHARACTERS_MAX = 63;
