/** A guarded request, its result, and the record of its admission. Pure. */
import { microTimeText } from '../../../controller/kube-time.ts';
import type { AdmittedObject, SnapshotGuard, ApplicationSnapshot, CutSignal } from '../kinds.ts';
import type { RequestedClaim } from './match-guards.ts';
import type { RequestedSnapshot } from './requested-snapshot.ts';

export interface GuardedRequest {
  readonly asked: RequestedSnapshot;
  readonly claims: readonly RequestedClaim[];
  readonly guard: SnapshotGuard;
  /** Milliseconds of the monotonic clock at its arrival. The time of the guard counts from then. */
  readonly arrivedMs: number;
}

export type Entered =
  | { readonly kind: 'admitted' }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly message: string;
      /** The newest window of the guard, or the closed window that has the UID; null: no window. */
      readonly window: ApplicationSnapshot | null;
      readonly cutSignal: CutSignal;
    };

/** The record of an admission. The caller adds the verdict of an object that was not frozen. */
export function entryOf(
  { asked, claims }: GuardedRequest,
  { cutSignal, nowMs }: { readonly cutSignal: CutSignal; readonly nowMs: number },
): AdmittedObject {
  const { uid, kind, name } = asked;
  const claimNames = claims.map((each) => each.name);
  return { uid, kind, name, claimNames, cutSignal, admittedAt: microTimeText(nowMs) };
}
