/** Limits and defaults of the snapshot kinds, for the schemas and the rules. */

/** Seconds. A day: a longer freeze is an outage. */
export const ACTION_SECONDS_MAX = 86_400;
export const EXPIRATION_SECONDS_MAX = 86_400;
export const PROBE_SECONDS_MAX = 300;
export const WINDOW_SECONDS_MIN = 2;
export const WINDOW_SECONDS_MAX = 300;
export const CUT_DEADLINE_SECONDS_MAX = 3600;

/** The default timeout of a probe, seconds: a probe only reads a state. */
export const DEFAULT_PROBE_TIMEOUT_SECONDS = 10;

/** Seconds that a hook waits for its template, from its creation: the template's own times are not known yet. */
export const TEMPLATE_PATIENCE_SECONDS = 30;

export const STATEMENTS_MAX = 100;
export const READY_CHARACTERS_MAX = 1024;
export const HEADERS_MAX = 64;
export const HEADER_CHARACTERS_MAX = 8192;
export const PATH_CHARACTERS_MAX = 4096;
export const RECIPE_PARAMETER_CHARACTERS_MAX = 4096;

export const PODS_MAX = 500;
export const CONTAINERS_PER_POD_MAX = 100;
export const CLAIMS_MAX = 100;
export const HOOK_INFOS_MAX = 100;

export const CRON_CHARACTERS_MAX = 256;
export const ZONE_CHARACTERS_MAX = 64;
/** Seconds. An hour: a longer delay is another schedule. */
export const JITTER_SECONDS_MAX = 3_600;
export const STARTING_DEADLINE_SECONDS_MAX = 604_800;
/** Snapshots that one rule of a retention keeps. */
export const KEPT_MAX = 1_000;
/** UIDs in the status of a schedule: as many as the rules that count keep together, 250 KB. */
export const SNAPSHOT_UIDS_MAX: number = 6 * KEPT_MAX;
/** Ten years. */
export const KEPT_HOURS_MAX = 87_600;
/** Rehearsals that have ended and are kept. */
export const HISTORY_MAX = 100;
export const ANNOTATION_CHARACTERS_MAX = 4_096;
/** As for a CronJob: the name of a snapshot, with its minute, is at most as long as a label. */
export const SCHEDULE_NAME_CHARACTERS_MAX = 52;

/**
 * The largest ExecutionHook or ApplicationSnapshot as the server stores it, without managedFields. etcd stores 1.5 MiB;
 * the rest is for managedFields, and for annotations that others add later (at most 256 KiB).
 */
export const HOOK_BYTES_MAX = 1_048_576;
/** The status fields of the hook as a whole: conditions, release, both summaries. */
export const SUMMARY_BYTES_MAX = 16_384;
/** The message of one condition, as stored. */
export const CONDITION_BYTES_MAX = 1_024;
/** The output of one attempt, as stored. */
export const OUTPUT_BYTES_MAX = 1_024;
/** The reason of one attempt, or the message of one error, as stored. */
export const REASON_BYTES_MAX = 512;
/** A reason or a message in a status that has no space for more. */
export const LEAST_TEXT_BYTES = 128;

/** Seconds. A server waits at most 30 s for a webhook, and the rest is for the record of the admission. */
export const FREEZE_TIMEOUT_SECONDS_MAX = 25;
export const HOLD_OPEN_SECONDS_MAX = 60;
/** A window is named after its guard, and has to fit into a label. */
export const GUARD_NAME_CHARACTERS_MAX = 50;
/** Snapshots that one window admits, and the claims of all of them together. */
export const ADMITTED_MAX = 50;
export const ADMITTED_CLAIMS_MAX = 200;
