/** Finalizers, annotations, labels and defaults of the snapshot lifecycle. */

/** Finalizer of a hook, from before its first preAction until its thaw is done or marked as done by hand (SNAP-I8). */
export const HOOK_FINALIZER = 'lifehook.dev/thaw';
/** Finalizer of a hook that a snapshot created, until its evidence is stored in the snapshot's status. */
export const EVIDENCE_FINALIZER = 'lifehook.dev/evidence';
/** Finalizer of a snapshot, until its hooks are thawed. */
export const SNAPSHOT_FINALIZER = 'lifehook.dev/application-snapshot';

/**
 * Annotation of a hook: the time when it began. It is set before the first preAction and stays. It proves the beginning
 * even if a user removes the status.
 */
export const BEGUN = 'lifehook.dev/begun';
/**
 * Annotation of a snapshot or a restore: its own UID. It is set before the first effect and stays. A copy from a backup
 * has no status, and its own UID differs from this annotation (SNAP-S6).
 */
export const BEGUN_UID = 'lifehook.dev/begun-uid';
/** Annotation of a hook, set by a user: requests the thaw without deleting the hook. */
export const RELEASE = 'lifehook.dev/release';
/**
 * Annotation of a hook, set by the snapshot controller, with a token and the time: the volumes are cut, so the hook
 * thaws (SNAP-S8).
 */
export const CUT_RELEASE = 'lifehook.dev/cut-release';
/**
 * Annotation of each hook of a snapshot with several hooks, in the form of CUT_RELEASE: the volumes are cut, so the
 * hook runs its probe now. Its thaw waits for CUT_RELEASE, so that no hook thaws a freeze that another hook has not
 * probed yet.
 */
export const CUT_SEEN = 'lifehook.dev/cut-seen';
/** Annotation of a hook, set by a user: the thaw is marked as done by hand, so our finalizer is removed (SNAP-G15). */
export const TAKEN_ON = 'lifehook.dev/taken-on-by';
/** Annotation of a snapshot, set by its author: the lowest verdict that is good enough, a `RequiredLevel`. */
export const REQUIRED_LEVEL = 'lifehook.dev/required-verdict';
/** Annotation of a claim: executionHookInfos as JSON or YAML, for snapshots whose spec lacks that field. */
export const CLAIM_HOOKS = 'lifehook.dev/execution-hook-infos';
/** Annotation of a snapshot class: its cut signal. */
export const CUT_SIGNAL = 'lifehook.dev/cut-signal';
/** Labels of snapshots and their contents: the verdict, for restore tools. */
export const VERDICT = 'lifehook.dev/verdict';
export const VERDICT_REASON = 'lifehook.dev/verdict-reason';
/** Annotation of snapshots and their contents: the evidence of the verdict, as JSON. */
export const VERDICT_EVIDENCE = 'lifehook.dev/verdict-evidence';
/** Label of an object: the ApplicationSnapshot that created it. */
export const MADE_FOR = 'lifehook.dev/application-snapshot';
/** Label of a namespace: the server calls the webhook of the guards for its snapshots. */
export const GUARD_ENABLED = 'lifehook.dev/snapshot-guard';
export const GUARD_ENABLED_VALUE = 'enabled';
/** Label of a snapshot: the name of the schedule that created it. */
export const SCHEDULE = 'lifehook.dev/snapshot-schedule';
/** Annotations of a snapshot of a schedule: the UID of the schedule, and the scheduled time. */
export const SCHEDULE_UID = 'lifehook.dev/snapshot-schedule-uid';
export const SCHEDULED_AT = 'lifehook.dev/scheduled-at';
/** Annotation of a snapshot of a schedule: the token of its recorded intent, which no user knew before (SNAP-T23). */
export const SCHEDULE_TOKEN = 'lifehook.dev/snapshot-schedule-token';
/** Label of a window: its guard. */
export const GUARD_NAME = 'lifehook.dev/guard';
/** Label of a window, and of each hook of a snapshot: keeps it out of Velero's backups, since no restore needs it. */
export const EXCLUDED_FROM_BACKUP = 'velero.io/exclude-from-backup';
/** Label of a rescue pod, so that no hook selects it. */
export const RESCUE_POD = 'lifehook.dev/rescue-pod';

export const DEFAULT_ACTION_TIMEOUT_SECONDS = 30;
export const DEFAULT_WINDOW_SECONDS = 15;
export const DEFAULT_CUT_DEADLINE_SECONDS = 60;
/** Name of the webhook configuration for the kinds of this lifecycle. */
export const KINDS_CONFIGURATION = 'lifehook-webhook';
/** Finalizer of a restore, until its pods are released, its scratch claims deleted and its workloads scaled back. */
export const RESTORE_FINALIZER = 'lifehook.dev/snapshot-restore';
/** Finalizer of a hook pod of a restore, until its end is recorded: a pod that ran must not be deleted before that. */
export const RESTORE_POD_FINALIZER = 'lifehook.dev/restore-hook';
/**
 * Annotation of a hook pod of a restore: the random token of its attempt, recorded before the pod is created
 * (SNAP-V16).
 */
export const RESTORE_POD_TOKEN = 'lifehook.dev/restore-hook-token';
/** Label of the pods and claims of a restore: the UID of the restore. */
export const RESTORED_BY = 'lifehook.dev/snapshot-restore-uid';
/** Annotation of the pods and claims of a restore: the name of the restore. */
export const RESTORED_BY_NAME = 'lifehook.dev/snapshot-restore';
export const DEFAULT_FREEZE_TIMEOUT_SECONDS = 10;
