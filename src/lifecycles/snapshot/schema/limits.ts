/** Bounds and defaults of the snapshot kinds; the schemas and the rules beyond them take them from here. */

/** A day: a longer freeze is an outage. */
export const ACTION_SECONDS_MAX = 86_400;
export const EXPIRATION_SECONDS_MAX = 86_400;
export const PROBE_SECONDS_MAX = 300;
export const WINDOW_SECONDS_MIN = 2;
export const WINDOW_SECONDS_MAX = 300;
export const CUT_DEADLINE_SECONDS_MAX = 3600;

/** Of a probe that says nothing: it asks whether something is so, and does nothing. */
export const DEFAULT_PROBE_TIMEOUT_SECONDS = 10;

export const COMMAND_WORDS_MAX = 1000;
/** Linux takes 128 KiB for one argument; an object of the API 1.5 MiB in all. */
export const COMMAND_WORD_CHARACTERS_MAX: number = 128 * 1024 - 1;
export const STATEMENTS_MAX = 100;
export const READY_CHARACTERS_MAX = 1024;
export const HEADERS_MAX = 64;
export const HEADER_CHARACTERS_MAX = 8192;
export const PATH_CHARACTERS_MAX = 4096;
export const PORT_MAX = 65_535;
export const PORT_NAME_CHARACTERS_MAX = 15;
export const RECIPE_PARAMETERS_MAX = 64;
export const RECIPE_PARAMETER_CHARACTERS_MAX = 4096;

/** Of DNS names and labels. */
export const NAME_CHARACTERS_MAX = 253;
export const LABEL_CHARACTERS_MAX = 63;

export const PODS_MAX = 500;
export const CONTAINERS_PER_POD_MAX = 100;
export const CLAIMS_MAX = 100;
export const HOOK_INFOS_MAX = 100;
