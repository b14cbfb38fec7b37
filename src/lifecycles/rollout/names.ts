/** Labels, annotations, finalizers and defaults of the rollout lifecycle. */

/** Label on a Deployment: its changes are sent to our webhook. The value is ignored. */
export const GATED = 'lifehook.dev/gated';
/** Annotation on a Deployment: the number of its newest template, decimal, from 1. It never decreases. */
export const ROLLOUT = 'lifehook.dev/rollout';
/**
 * Annotation on a Deployment: the number of the template that may run; "0": none may run yet. If it is absent and a
 * rollout number is present, the DeploymentLifecycle that held the first template was deleted before any release.
 */
export const RELEASED = 'lifehook.dev/released';
/** Annotation on a Deployment while its replicas are held at 0: the number of replicas after the release. */
export const WANTED_REPLICAS = 'lifehook.dev/wanted-replicas';
/** Annotation in a write of the controller, which proves that the controller sent the write (`gate/write-proof.ts`). */
export const WRITE_PROOF = 'lifehook.dev/write';
/**
 * Annotation on a DeploymentLifecycle, which proves that the author of its current spec may create pods
 * (`gate/review-authors.ts`). A writer requests a new proof by setting another value.
 */
export const AUTHOR_PROOF = 'lifehook.dev/author';
/** Annotation that a user sets on a Deployment: the number of an aborted rollout to retry. */
export const RETRY = 'lifehook.dev/retry';
/** Annotation that a user sets on a Deployment: the number of the rollout to abort. */
export const ABORT = 'lifehook.dev/abort';
/** Annotation in the template of a dry run: it changes the template without an effect, and is never stored. */
export const PROBE = 'lifehook.dev/gate-probe';

/** Finalizer of a hook pod until its outcome is recorded in its HookRun. */
export const HOOK_POD_FINALIZER = 'lifehook.dev/hook-run';
/** Finalizer of a DeploymentLifecycle until its Deployment is released from the gate. */
export const LIFECYCLE_FINALIZER = 'lifehook.dev/deployment-lifecycle';

/** Labels on hook pods and HookRuns. */
export const OF_DEPLOYMENT = 'lifehook.dev/deployment';
export const OF_DEPLOYMENT_UID = 'lifehook.dev/deployment-uid';
export const OF_ROLLOUT = 'lifehook.dev/rollout-number';
export const OF_STAGE = 'lifehook.dev/stage';
export const OF_ATTEMPT = 'lifehook.dev/attempt';

/** Annotation on a hook pod: the random token of its attempt, which is recorded with the first permit (ROLL-S5). */
export const ATTEMPT_TOKEN = 'lifehook.dev/attempt-token';

/** Type of the condition on the Deployment that reports a failed rollout (ROLL-DH14). */
export const FAILED_CONDITION = 'Failed';

/** Seconds; the default of Kubernetes for a Deployment. */
export const DEFAULT_PROGRESS_DEADLINE_SECONDS = 600;
/** Seconds before the second attempt of a hook. The pause doubles with each further attempt, up to the maximum. */
export const RETRY_BACKOFF_SECONDS = 1;
export const RETRY_MAX_BACKOFF_SECONDS = 60;
/** Default numbers of hook pods kept per Deployment. */
export const DEFAULT_SUCCEEDED_PODS_KEPT = 1;
export const DEFAULT_FAILED_PODS_KEPT = 3;
/** Number of rollouts whose HookRuns are kept, and whose records are kept in the status. */
export const ROLLOUTS_KEPT = 10;
/**
 * Maximum number of phases that are kept for one rollout. A rollout has at most nine, unless it is held and restored
 * again.
 */
export const PHASES_KEPT = 16;
export const ABORTED_DIGESTS_KEPT = 10;
/** Name of the webhook configurations that register the gate at API servers. */
export const GATE_CONFIGURATION = 'lifehook-rollout-gate';
/** Shortest time between two tests of the gate, in milliseconds; up to a quarter is added (ROLL-AP4). */
export const PROOF_PERIOD_MS = 60_000;
