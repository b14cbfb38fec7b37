import type { ExecutionHook, SnapshotVolume, AdmittedOutcome } from '../kinds.ts';
import type { VolumeGroupSnapshot, VolumeSnapshot } from '../../../kube/snapshots.ts';
import type { Failure } from './failure.ts';
import type { Mark } from './late-cuts.ts';
import type { DueMark } from './window-marks.ts';

/** The next step of a snapshot. */
export type Step =
  /** Wait until something changes. */
  | { readonly kind: 'wait'; readonly reason: string }
  | { readonly kind: 'waitFor'; readonly ms: number; readonly reason: string }
  /** The server does not serve kinds that the snapshot needs. */
  | { readonly kind: 'waitForKinds'; readonly missing: readonly string[] }
  | { readonly kind: 'addFinalizer' }
  /** Write volumes, classes and hooks to the status, once. */
  | { readonly kind: 'plan' }
  | { readonly kind: 'createHook'; readonly index: number }
  /** Record the intent first, then create the snapshots. */
  | { readonly kind: 'requestCut' }
  /** Create snapshots that are not recorded as created; an earlier process may have recorded the intent. */
  | { readonly kind: 'makeSnapshots' }
  /** The volumes are cut. Several hooks may share a freeze, so each runs its probe before the first thaw. */
  | {
      readonly kind: 'askHooks';
      readonly hooks: readonly ExecutionHook[];
      readonly volumes: readonly SnapshotVolume[];
    }
  /** Record that the cut was seen and request the first thaw in one write, then write the status. */
  | { readonly kind: 'recordCut'; readonly volumes: readonly SnapshotVolume[] }
  /** Request the next thaw. */
  | { readonly kind: 'releaseHook'; readonly hook: ExecutionHook }
  | { readonly kind: 'deleteHook'; readonly hook: ExecutionHook }
  /** Store the evidence of hooks that are thawed or deleted. */
  | { readonly kind: 'keepEvidence'; readonly names: readonly string[] }
  /** Remove our finalizer. Also delete the hook, unless a user needs to inspect it (SNAP-R20). */
  | { readonly kind: 'finishHook'; readonly hook: ExecutionHook; readonly delete: boolean }
  | { readonly kind: 'recordVolumes'; readonly volumes: readonly SnapshotVolume[] }
  | { readonly kind: 'judge' }
  /** For a window: all hooks have frozen, so the webhook may admit. */
  | { readonly kind: 'beginAdmitting' }
  /** For a window: admit nothing more, since its time is half over. */
  | { readonly kind: 'sealWindow' }
  /** For a window: admit no more snapshots, and record the outcome of each admitted UID. */
  | { readonly kind: 'closeWindow'; readonly outcomes: ReadonlyMap<string, AdmittedOutcome> }
  | { readonly kind: 'judgeWindow' }
  /** For a failed window: give the admitted objects their verdicts. */
  | ({ readonly kind: 'failAdmitted' } & Failure)
  | ({ readonly kind: 'markVerdicts'; readonly marks: readonly DueMark[] } & Marking)
  | ({ readonly kind: 'fail' } & Failure)
  | ({ readonly kind: 'mark'; readonly marks: readonly Mark[] } & Marking)
  | {
      readonly kind: 'deleteSnapshots';
      readonly snapshots: readonly VolumeSnapshot[];
      /** Empty, or one element. */
      readonly groups: readonly VolumeGroupSnapshot[];
    }
  | { readonly kind: 'finishFailure' }
  | { readonly kind: 'removeFinalizer' };

interface Marking {
  /** The step if no reconcile follows the writing of the marks at once; absent: no step. */
  readonly otherwise?: Step;
}
