/**
 * Decides the next step of a waiting request with the newest window of its guard. Pure; called again after each step.
 *
 * A window is open from its creation until it is closed or has failed. It admits objects from the write of
 * `cutRequestedAt`, when all its hooks have frozen (SNAP-S3). Only the controller writes that field.
 */
import { isTerminating } from '../../../controller/finalizers.ts';
import { FREEZE_TIMEOUT } from '../app/decide-window.ts';
import type { ApplicationSnapshot } from '../kinds.ts';
import { ADMITTED_CLAIMS_MAX, ADMITTED_MAX } from '../schema/limits.ts';
import { isOfGuard, isWindowOf, type WindowInput } from './guard-window.ts';
import type { RequestedSnapshot } from './requested-snapshot.ts';
import { restAfter } from './rest.ts';

export interface WaitingRequest {
  readonly asked: Pick<RequestedSnapshot, 'uid'>;
  /** Names of the claims of the request. */
  readonly claimNames: readonly string[];
  readonly input: WindowInput;
  /** The highest known number of the guard's windows, including deleted windows. */
  readonly newestNumber: number;
  /** The UID of the window whose freeze this request has waited for; null: none yet. */
  readonly joined: string | null;
  /** Whether the request still has at least half of its time. */
  readonly hasHalfItsTime: boolean;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** Milliseconds since this process first saw the end of the window; 0: the window is not over. */
  readonly overForMs: number;
}

export type WindowStep =
  /** The window is frozen: record the UID of the request in it. */
  | { readonly kind: 'admit' }
  /** An earlier call for the same request has recorded its UID. */
  | { readonly kind: 'admitted' }
  /** The window is freezing: wait for its freeze. */
  | { readonly kind: 'join' }
  /** The window is open, but not for this request: wait until it is closed. */
  | { readonly kind: 'wait'; readonly message: string }
  | { readonly kind: 'open'; readonly number: number }
  /** The next window may be opened after `ms` milliseconds. */
  | { readonly kind: 'rest'; readonly ms: number; readonly message: string }
  /** The freeze that this request has waited for has failed. */
  | { readonly kind: 'failed'; readonly reason: string; readonly message: string };

/** Decides the next step of a waiting request. `window`: the newest window of the guard; null: the guard has none. */
export function chooseWindow(
  window: ApplicationSnapshot | null,
  request: WaitingRequest,
): WindowStep {
  const open: WindowStep = { kind: 'open', number: request.newestNumber + 1 };
  // `window` may also be a snapshot that a user created under the name of the next window.
  if (window === null || !isWindowOf(window, request.input.guard)) return open;
  const isOver = isOverWindow(window);
  if (!isOver && isIn(window, request.asked.uid)) return { kind: 'admitted' };
  if (isOver) return afterWindow(window, request) ?? open;
  const message = whyNotFor(window, request);
  if (message !== null) return { kind: 'wait', message };
  return window.status?.cutRequestedAt === undefined ? { kind: 'join' } : { kind: 'admit' };
}

/**
 * The step after a window that is over; null: the next window may be opened.
 *
 * If this request waited for a freeze that failed, the failure is its answer. The exception is a freeze that took too
 * long: it failed only for the request that opened the window. A request that still has half of its time waits for the
 * next freeze.
 */
function afterWindow(
  window: ApplicationSnapshot,
  { joined, hasHalfItsTime, nowMs, overForMs }: WaitingRequest,
): WindowStep | null {
  const failure = joined === window.metadata?.uid ? window.status?.failure : undefined;
  if (failure === undefined || (hasHalfItsTime && failure.reason === FREEZE_TIMEOUT)) {
    const rest = restAfter(window, nowMs, overForMs);
    return rest.ms > 0 ? { kind: 'rest', ...rest } : null;
  }
  return { kind: 'failed', reason: failure.reason, message: failure.message };
}

export function isIn({ status }: ApplicationSnapshot, uid: string): boolean {
  return status?.admitted?.some((each) => each.uid === uid) === true;
}

export function isOverWindow(window: ApplicationSnapshot): boolean {
  const { closedAt, failure, cutObservedAt, completedAt } = window.status ?? {};
  const isClosed = closedAt ?? failure ?? cutObservedAt ?? completedAt;
  return isClosed !== undefined || isTerminating(window);
}

/** The reason why the window is not for this request. null: this request may join the window. */
function whyNotFor(window: ApplicationSnapshot, request: WaitingRequest): string | null {
  const { spec, status = {} } = window;
  if (!isOfGuard(window, request.input)) return 'it was opened before the guard was changed';
  if (status.sealedAt !== undefined) return 'it admits nothing more until its snapshots are cut';
  const covered = spec.source.persistentVolumeClaimNames ?? [];
  const other = request.claimNames.find((name) => !covered.includes(name));
  if (other !== undefined) return `it was opened before claim ${other} existed`;
  return hasRoom(window, request.claimNames.length)
    ? null
    : `it is full: a window admits at most ${ADMITTED_MAX} snapshots, of at most ${ADMITTED_CLAIMS_MAX} claims`;
}

export function hasRoom({ status }: ApplicationSnapshot, claims: number): boolean {
  const admitted = status?.admitted ?? [];
  const count = admitted.reduce((sum, { claimNames }) => sum + claimNames.length, claims);
  return admitted.length < ADMITTED_MAX && count <= ADMITTED_CLAIMS_MAX;
}
