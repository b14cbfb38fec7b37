import type { ExecutionHook, SnapshotVolume } from '../kinds.ts';
import type { VolumeGroupSnapshot, VolumeSnapshot } from '../../../kube/snapshots.ts';
import type { Failure } from './failure.ts';
import type { Mark } from './late-cuts.ts';

/** The one next thing to do for a snapshot. */
export type Step =
  /** Until something changes. */
  | { readonly kind: 'wait'; readonly reason: string }
  | { readonly kind: 'waitFor'; readonly ms: number; readonly reason: string }
  /** The server lacks kinds that it needs. */
  | { readonly kind: 'waitForKinds'; readonly missing: readonly string[] }
  | { readonly kind: 'addFinalizer' }
  /** Volumes, classes, hooks: once, into the status. */
  | { readonly kind: 'plan' }
  | { readonly kind: 'createHook'; readonly index: number }
  /** The intent first, then the snapshots. */
  | { readonly kind: 'requestCut' }
  /** Those that are not known to have been made: the intent is older than this process, perhaps. */
  | { readonly kind: 'makeSnapshots' }
  /** The volumes are cut: hooks that share a freeze ask their probes before the first thaw. */
  | {
      readonly kind: 'askHooks';
      readonly hooks: readonly ExecutionHook[];
      readonly volumes: readonly SnapshotVolume[];
    }
  /** The evidence of the order and the call for the first thaw in one write, then the status. */
  | { readonly kind: 'recordCut'; readonly volumes: readonly SnapshotVolume[] }
  /** The call for the next thaw. */
  | { readonly kind: 'releaseHook'; readonly hook: ExecutionHook }
  | { readonly kind: 'deleteHook'; readonly hook: ExecutionHook }
  /** What hooks tell that are settled or gone, into the status. */
  | { readonly kind: 'keepEvidence'; readonly names: readonly string[] }
  /** Our finalizer off; the hook itself goes too, where it has nothing to tell any more (SNAP-R20). */
  | { readonly kind: 'letHookGo'; readonly hook: ExecutionHook; readonly delete: boolean }
  | { readonly kind: 'recordVolumes'; readonly volumes: readonly SnapshotVolume[] }
  | { readonly kind: 'judge' }
  | ({ readonly kind: 'fail' } & Failure)
  | { readonly kind: 'mark'; readonly marks: readonly Mark[] }
  | {
      readonly kind: 'deleteSnapshots';
      readonly snapshots: readonly VolumeSnapshot[];
      /** None, or the one. */
      readonly groups: readonly VolumeGroupSnapshot[];
    }
  | { readonly kind: 'finishFailure' }
  | { readonly kind: 'removeFinalizer' };
