/** Finalizers, annotations, labels and defaults of the snapshot lifecycle. */

/** On a hook from before its first preAction until its thaw is settled or released (SNAP-I8). */
export const HOOK_FINALIZER = 'lifehook.dev/thaw';
/** On a hook of a snapshot until what it tells is kept in the snapshot's status. */
export const EVIDENCE_FINALIZER = 'lifehook.dev/evidence';
/** On a snapshot until its hooks are thawed. */
export const SNAPSHOT_FINALIZER = 'lifehook.dev/application-snapshot';

/**
 * On a hook from before its first preAction on, for good: when it began. It counts where the status says nothing of it,
 * since a status can be removed by hand.
 */
export const BEGUN = 'lifehook.dev/begun';
/** On a hook, by the snapshot controller: "Cut"; by a person: "Human". Asks for the thaw without a deletion. */
export const RELEASE = 'lifehook.dev/release';
/**
 * On a hook of several, by the snapshot controller, with the time: the volumes are cut. The hook asks its probe now;
 * its thaw waits for RELEASE, so that no hook thaws what another has not asked yet.
 */
export const CUT_SEEN = 'lifehook.dev/cut-seen';
/** On a hook, by a person: a thaw that cannot be done is taken on by them; the finalizer goes (SNAP-G15). */
export const TAKEN_ON = 'lifehook.dev/taken-on-by';
/** On a snapshot, by whoever requests it: the least verdict that is good enough, a `RequiredLevel`. */
export const REQUIRED_LEVEL = 'lifehook.dev/required-verdict';
/** On a claim: JSON or YAML of executionHookInfos, for snapshots that give none. */
export const CLAIM_HOOKS = 'lifehook.dev/execution-hook-infos';
/** On a class of snapshots: its cut signal. */
export const CUT_SIGNAL = 'lifehook.dev/cut-signal';
/** Labels on snapshots and their contents, for restore tools to judge by. */
export const VERDICT = 'lifehook.dev/verdict';
export const VERDICT_REASON = 'lifehook.dev/verdict-reason';
/** Annotation beside them: what the verdict rests on, as JSON. */
export const VERDICT_EVIDENCE = 'lifehook.dev/verdict-evidence';
/** Label: which ApplicationSnapshot made it. */
export const MADE_FOR = 'lifehook.dev/application-snapshot';
/** Label on rescue pods: no hook selects them. */
export const RESCUE_POD = 'lifehook.dev/rescue-pod';

export const DEFAULT_ACTION_TIMEOUT_SECONDS = 30;
export const DEFAULT_WINDOW_SECONDS = 15;
export const DEFAULT_CUT_DEADLINE_SECONDS = 60;
