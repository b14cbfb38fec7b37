/** Limits and defaults of the snapshot kinds, for the schemas and the rules. */

/** Seconds; one day, since a longer freeze is an outage. */
export const ACTION_SECONDS_MAX = 86_400;
export const EXPIRATION_SECONDS_MAX = 86_400;
export const PROBE_SECONDS_MAX = 300;
export const WINDOW_SECONDS_MIN = 2;
export const WINDOW_SECONDS_MAX = 300;
export const CUT_DEADLINE_SECONDS_MAX = 3600;

/** Seconds; the default timeout of a probe, which only reads a state. */
export const DEFAULT_PROBE_TIMEOUT_SECONDS = 10;

/** Seconds from its creation that a hook waits for its template. The timeouts in the template are not known before. */
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
/** Seconds; one hour, since a longer delay amounts to another schedule. */
export const JITTER_SECONDS_MAX = 3_600;
export const STARTING_DEADLINE_SECONDS_MAX = 604_800;
/** Maximum number of snapshots that one rule of a retention keeps. */
export const KEPT_MAX = 1_000;
/**
 * Maximum number of UIDs in the status of a schedule: as many as keepLast, keepHourly, keepDaily, keepWeekly,
 * keepMonthly and keepFailed keep together, about 250 KB.
 */
export const SNAPSHOT_UIDS_MAX: number = 6 * KEPT_MAX;
/** Hours; ten years. */
export const KEPT_HOURS_MAX = 87_600;
/** Maximum number of ended rehearsals that are kept. */
export const HISTORY_MAX = 100;
export const ANNOTATION_CHARACTERS_MAX = 4_096;
/** The name of a snapshot, with its minute, must fit into a label. The limit is that of a CronJob. */
export const SCHEDULE_NAME_CHARACTERS_MAX = 52;

/**
 * Maximum bytes of an ExecutionHook or ApplicationSnapshot as the server stores it, without managedFields. etcd stores
 * 1.5 MiB. The rest is for managedFields, and for annotations that other clients add later (at most 256 KiB).
 */
export const HOOK_BYTES_MAX = 1_048_576;
/** Bytes for the status fields of the hook as a whole: conditions, release and both summaries. */
export const SUMMARY_BYTES_MAX = 16_384;
/** Stored bytes of the message of one condition. */
export const CONDITION_BYTES_MAX = 1_024;
/** Stored bytes of the output of one attempt. */
export const OUTPUT_BYTES_MAX = 1_024;
/** Stored bytes of the reason of one attempt, or of the message of one error. */
export const REASON_BYTES_MAX = 512;
/** Stored bytes of a reason or a message in a status that has no space for more. */
export const LEAST_TEXT_BYTES = 128;

/** Seconds. A server waits at most 30 s for a webhook. The other 5 s are for the record of the admission. */
export const FREEZE_TIMEOUT_SECONDS_MAX = 25;
export const HOLD_OPEN_SECONDS_MAX = 60;
/** A window has the name of its guard with a number, and that name must fit into a label. */
export const GUARD_NAME_CHARACTERS_MAX = 50;
/** Maximum number of snapshots that one window admits, and of the claims of all of them together. */
export const ADMITTED_MAX = 50;
export const ADMITTED_CLAIMS_MAX = 200;
