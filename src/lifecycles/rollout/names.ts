/** Labels, annotations, finalizers and defaults of the rollout lifecycle. */

/** Label on a Deployment: its changes come to our webhook. Its value is not read. */
export const GATED = 'lifehook.dev/gated';
/** Annotation on a Deployment: the number of its newest template, decimal, from 1. Only grows. */
export const ROLLOUT = 'lifehook.dev/rollout';
/**
 * Annotation on a Deployment: the number whose template may run; "0": none so far. Absent next to a number: no
 * template was ever released, and the DeploymentLifecycle that held the first one was deleted.
 */
export const RELEASED = 'lifehook.dev/released';
/** Annotation on a Deployment while its replicas are held at 0: how many there are to be afterwards. */
export const WANTED_REPLICAS = 'lifehook.dev/wanted-replicas';
/** Annotation in a write of ours: proves that this very write is one (`gate/write-proof.ts`). */
export const WRITE_PROOF = 'lifehook.dev/write';
/**
 * Annotation on a DeploymentLifecycle: proves that the author of its present spec may create pods (`gate/authored.ts`).
 * A writer who sets it to another value asks for that proof.
 */
export const AUTHOR_PROOF = 'lifehook.dev/author';
/** Annotation on a Deployment, by a person: the number of a rollout that was aborted and is to be tried again. */
export const RETRY = 'lifehook.dev/retry';
/** Annotation on a Deployment, by a person: the number of the rollout that is to be aborted. */
export const ABORT = 'lifehook.dev/abort';
/** Annotation in the template of a dry run, never stored: a template change that means nothing. */
export const PROBE = 'lifehook.dev/gate-probe';

/** On a hook pod until what became of it is in its HookRun. */
export const HOOK_POD_FINALIZER = 'lifehook.dev/hook-run';
/** On a DeploymentLifecycle until its Deployment is let go. */
export const LIFECYCLE_FINALIZER = 'lifehook.dev/deployment-lifecycle';

/** Labels on hook pods and HookRuns. */
export const OF_DEPLOYMENT = 'lifehook.dev/deployment';
export const OF_DEPLOYMENT_UID = 'lifehook.dev/deployment-uid';
export const OF_ROLLOUT = 'lifehook.dev/rollout-number';
export const OF_STAGE = 'lifehook.dev/stage';
export const OF_ATTEMPT = 'lifehook.dev/attempt';

/** Condition on the Deployment (ROLL-DH14). */
export const FAILED_CONDITION = 'Failed';

/** What Kubernetes has for a Deployment that says none. */
export const DEFAULT_PROGRESS_DEADLINE_SECONDS = 600;
/** The pause before the second attempt of a hook; doubled each time, up to the other. */
export const RETRY_BACKOFF_SECONDS = 1;
export const RETRY_MAX_BACKOFF_SECONDS = 60;
/** Of hook pods per Deployment, where the lifecycle says nothing. */
export const DEFAULT_SUCCEEDED_PODS_KEPT = 1;
export const DEFAULT_FAILED_PODS_KEPT = 3;
/** Rollouts whose HookRuns are kept, and whose records are kept in the status. */
export const ROLLOUTS_KEPT = 10;
/** Of one rollout, the last ones: it has at most nine, unless it is held and restored again. */
export const PHASES_KEPT = 16;
export const ABORTED_DIGESTS_KEPT = 10;
/** Between two proofs of the gate, milliseconds. */
export const PROOF_PERIOD_MS = 60_000;
