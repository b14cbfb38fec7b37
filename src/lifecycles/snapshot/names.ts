/** Finalizers, annotations, labels and defaults of the snapshot lifecycle. */

/** On a hook, from before its first preAction until its thaw is settled or marked as done by hand (SNAP-I8). */
export const HOOK_FINALIZER = 'lifehook.dev/thaw';
/** On a hook of a snapshot, until its evidence is stored in the snapshot's status. */
export const EVIDENCE_FINALIZER = 'lifehook.dev/evidence';
/** On a snapshot, until its hooks are thawed. */
export const SNAPSHOT_FINALIZER = 'lifehook.dev/application-snapshot';

/**
 * On a hook, permanently, from before its first preAction: the time when it began. It counts if the status does not
 * show the beginning, since a user may remove a status.
 */
export const BEGUN = 'lifehook.dev/begun';
/**
 * On a snapshot or a restore, permanently, from before its first effect: its UID. A copy from a backup has no status, and
 * another UID (SNAP-S6).
 */
export const BEGUN_UID = 'lifehook.dev/begun-uid';
/** On a hook, set by a user: requests the thaw without a deletion. */
export const RELEASE = 'lifehook.dev/release';
/** On a hook, set by the snapshot controller, with a token and the time: the volumes are cut, so the hook thaws (SNAP-S8). */
export const CUT_RELEASE = 'lifehook.dev/cut-release';
/**
 * On one of several hooks, of the same form: the volumes are cut. The hook runs its probe now. Its thaw waits for
 * CUT_RELEASE, so that no hook thaws a freeze that another one has not probed yet.
 */
export const CUT_SEEN = 'lifehook.dev/cut-seen';
/** On a hook, set by a user: the thaw is marked as done by hand, and our finalizer is removed (SNAP-G15). */
export const TAKEN_ON = 'lifehook.dev/taken-on-by';
/** On a snapshot, set by its author: the lowest verdict that is good enough, a `RequiredLevel`. */
export const REQUIRED_LEVEL = 'lifehook.dev/required-verdict';
/** On a claim: JSON or YAML of executionHookInfos, for snapshots that give none. */
export const CLAIM_HOOKS = 'lifehook.dev/execution-hook-infos';
/** On a snapshot class: its cut signal. */
export const CUT_SIGNAL = 'lifehook.dev/cut-signal';
/** Labels on snapshots and their contents: the verdict, for restore tools. */
export const VERDICT = 'lifehook.dev/verdict';
export const VERDICT_REASON = 'lifehook.dev/verdict-reason';
/** An annotation next to these labels: the evidence of the verdict, as JSON. */
export const VERDICT_EVIDENCE = 'lifehook.dev/verdict-evidence';
/** A label: the ApplicationSnapshot that created the object. */
export const MADE_FOR = 'lifehook.dev/application-snapshot';
/** A label on namespaces: the webhook of the guards is called for snapshots there. */
export const GUARD_ENABLED = 'lifehook.dev/snapshot-guard';
export const GUARD_ENABLED_VALUE = 'enabled';
/** A label on snapshots: the name of the schedule that created them. */
export const SCHEDULE = 'lifehook.dev/snapshot-schedule';
/** Annotations next to it: the UID of that schedule, and the scheduled time. */
export const SCHEDULE_UID = 'lifehook.dev/snapshot-schedule-uid';
export const SCHEDULED_AT = 'lifehook.dev/scheduled-at';
/** An annotation next to them: the token of the recorded intent, which no user knew before (SNAP-T23). */
export const SCHEDULE_TOKEN = 'lifehook.dev/snapshot-schedule-token';
/** A label on windows: their guard. */
export const GUARD_NAME = 'lifehook.dev/guard';
/** A label on windows, which Velero reads: not in its backups. A restored window has no status, and would freeze again. */
export const EXCLUDED_FROM_BACKUP = 'velero.io/exclude-from-backup';
/** A label on rescue pods: no hook selects them. */
export const RESCUE_POD = 'lifehook.dev/rescue-pod';

export const DEFAULT_ACTION_TIMEOUT_SECONDS = 30;
export const DEFAULT_WINDOW_SECONDS = 15;
export const DEFAULT_CUT_DEADLINE_SECONDS = 60;
/** Name of the configuration that registers the webhook of the kinds at API servers. */
export const KINDS_CONFIGURATION = 'lifehook-webhook';
/** On a restore, until its pods are released, its scratch claims deleted and its workloads scaled back. */
export const RESTORE_FINALIZER = 'lifehook.dev/snapshot-restore';
/** On a hook pod of a restore, until its end is recorded: a pod that ran cannot vanish unseen. */
export const RESTORE_POD_FINALIZER = 'lifehook.dev/restore-hook';
/** An annotation on such a pod: the random token of its attempt, recorded before the pod is created (SNAP-V16). */
export const RESTORE_POD_TOKEN = 'lifehook.dev/restore-hook-token';
/** A label on the pods and claims of a restore: the UID of the restore. */
export const RESTORED_BY = 'lifehook.dev/snapshot-restore-uid';
/** An annotation next to it: the name of the restore. */
export const RESTORED_BY_NAME = 'lifehook.dev/snapshot-restore';
export const DEFAULT_FREEZE_TIMEOUT_SECONDS = 10;
