/** Limits of the rollout kinds; the schemas and the other rules use them. */

/** One day. Work that takes longer is a migration, and not a hook of a rollout. */
export const TIMEOUT_SECONDS_MAX = 86_400;
export const GRACE_SECONDS_MAX = 86_400;
export const PODS_KEPT_MAX = 100;

export const ENV_MAX = 500;
export const ENV_FROM_MAX = 100;
export const VOLUMES_MAX = 100;
export const PULL_SECRETS_MAX = 32;
export const TOLERATIONS_MAX = 100;
export const LABELS_MAX = 64;
export const ANNOTATIONS_MAX = 64;
export const ANNOTATION_CHARACTERS_MAX = 65_536;

/**
 * Bytes of one hook as JSON. It is copied into each HookRun, and five hooks must fit into one object with two
 * templates.
 */
export const HOOK_BYTES_MAX: number = 128 * 1024;
