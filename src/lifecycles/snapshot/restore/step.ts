/** The steps of a restore: a reconcile executes exactly one of them, with its data. */
import type { PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1.js';

import type { Failure } from '../app/failure.ts';
import type { ClaimFacts } from './facts.ts';
import type { AttemptReport } from '../hook/attempts.ts';
import type { RestoreHook, RestoreStage, ScaledWorkload, Verification } from './kinds.ts';

/** The end of an attempt in its recorded form. */
export type AttemptEnd = Pick<AttemptReport, 'outcome' | 'reason' | 'output' | 'notStarted'> & {
  readonly exitCode?: number | null;
};

export type RestoreStep =
  | { readonly kind: 'done' }
  | { readonly kind: 'wait'; readonly ms: number; readonly reason: string }
  | { readonly kind: 'addFinalizer' }
  /** Adds the annotation BEGUN_UID, which proves the beginning even if the status is lost. */
  | { readonly kind: 'markBegun' }
  | { readonly kind: 'plan' }
  | { readonly kind: 'requestClaims' }
  | { readonly kind: 'createClaim'; readonly index: number }
  | { readonly kind: 'recordClaims'; readonly claims: readonly ClaimFacts[] }
  | { readonly kind: 'claimsReady' }
  | {
      readonly kind: 'intend';
      readonly stage: RestoreStage;
      readonly hook: RestoreHook;
      readonly attempt: number;
    }
  | { readonly kind: 'createPod'; readonly hook: RestoreHook; readonly attempt: number }
  | { readonly kind: 'recordPod'; readonly hook: RestoreHook; readonly pod: Pod }
  | { readonly kind: 'deletePod'; readonly pod: Pod; readonly reason: string }
  | { readonly kind: 'beginExec'; readonly hook: RestoreHook; readonly attempt: number }
  | { readonly kind: 'scaleDown'; readonly hook: RestoreHook }
  | { readonly kind: 'recordEnd'; readonly hook: RestoreHook; readonly end: AttemptEnd }
  | { readonly kind: 'verified'; readonly verification: Omit<Verification, 'at'> }
  | { readonly kind: 'fail'; readonly failure: Failure }
  | { readonly kind: 'callOff' }
  | { readonly kind: 'beginCleanup' }
  | { readonly kind: 'releasePods'; readonly pods: readonly Pod[]; readonly deletes: boolean }
  | { readonly kind: 'deleteClaims'; readonly claims: readonly PersistentVolumeClaim[] }
  /** Wait for claims that are being deleted. */
  | { readonly kind: 'waitForClaims'; readonly claims: readonly PersistentVolumeClaim[] }
  | { readonly kind: 'cleanedUp' }
  | { readonly kind: 'scaleBack'; readonly workload: ScaledWorkload }
  | { readonly kind: 'complete' }
  | { readonly kind: 'removeFinalizer' };

/** The steps of one kind. */
export type StepOf<K extends RestoreStep['kind']> = Extract<RestoreStep, { kind: K }>;
