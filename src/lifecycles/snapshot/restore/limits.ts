/** Limits of SnapshotRestore. */

export const HOOKS_PER_STAGE_MAX = 16;
export const HOOK_NAME_CHARACTERS_MAX = 40;
export const HOOK_SECONDS_MAX = 86_400;
export const RETRIES_MAX = 10;
export const BIND_SECONDS_MAX = 86_400;
export const ACCESS_MODES_MAX = 4;
export const QUANTITY_CHARACTERS_MAX = 64;
export const ENV_MAX = 100;
export const PULL_SECRETS_MAX = 16;
export const PATH_CHARACTERS_MAX = 4_096;
export const IMAGE_CHARACTERS_MAX = 1_024;
