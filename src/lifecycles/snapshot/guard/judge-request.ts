/**
 * The webhook of the guards: one request to create a snapshot, and its answer.
 *
 * The request waits for the freeze. The controllers freeze, perhaps in another process than this one.
 *
 *  SNAP-W1 "Allowed" needs a window whose hooks have frozen, durably, and that is not closed.
 *  SNAP-W2 The UID is in the status of the window before the answer is sent.
 *  SNAP-W8 Without such a window, the request is refused, or allowed and recorded as not frozen.
 */
import {
  type AdmissionRequest,
  ALLOWED,
  type Verdict,
} from '../../../controller/admission/admission-review.ts';
import type { CancelSignal } from '../../../platform/platform.ts';
import { shorter } from '../app/window-verdicts.ts';
import type { SnapshotGuard } from '../kinds.ts';
import { enterWindow } from './enter-window.ts';
import { type Entered, entryOf, type GuardedRequest } from './entry.ts';
import type { GuardAnswer, GuardWorld } from './guard-world.ts';
import { matchGuards } from './match-guards.ts';
import { isPlanned, isTaken, membershipOf, readClaims, readGuards } from './read-guards.ts';
import { type RequestedSnapshot, requestedSnapshot } from './requested-snapshot.ts';

/** Rejects if the API server cannot be read or written: then the webhook fails, and the server refuses the request. */
export async function judgeRequest(
  request: AdmissionRequest,
  world: GuardWorld,
  signal: CancelSignal,
): Promise<Verdict> {
  const asked = requestedSnapshot(request);
  if (asked === null) return ALLOWED;
  const arrivedMs = world.platform.clock.monotonicMs();
  const guards = await readGuards(world, asked, signal);
  if (guards.length === 0) return ALLOWED;
  if (await isPlanned(world, asked)) return ALLOWED;
  const membership = await membershipOf(world, asked);
  if (membership === 'member') return ALLOWED;
  const [claims, taken] = await Promise.all([
    readClaims(world, asked, signal),
    isTaken(world, asked),
  ]);
  const match = matchGuards(guards, claims);
  switch (match.kind) {
    case 'none':
      return ALLOWED;
    case 'refused': {
      const cause = { guard: '', reason: match.reason, message: match.message };
      report(world, asked, { ...cause, answer: 'Refused' });
      return refusedForGood(asked, cause);
    }
    case 'guard':
      if (taken) return refuseTaken(asked, match.guard, world);
      if (membership === 'orphan') return refuseOrphan(asked, match.guard, world);
      return judgeGuarded({ asked, claims, guard: match.guard, arrivedMs }, world, signal);
    default:
      return match satisfies never;
  }
}

/** Refuses before a freeze: a client that repeats a creation again and again must not keep the application frozen. */
function refuseTaken(
  asked: RequestedSnapshot,
  { metadata }: SnapshotGuard,
  world: GuardWorld,
): Verdict {
  const guard = metadata?.name ?? '';
  report(world, asked, { guard, reason: 'AlreadyExists', answer: 'Refused' });
  return refusedAsTaken(asked, guard);
}

/**
 * Refuses a VolumeSnapshot whose owner does not exist. The application is not frozen for it, since the garbage
 * collector deletes it.
 */
function refuseOrphan(
  asked: RequestedSnapshot,
  { metadata }: SnapshotGuard,
  world: GuardWorld,
): Verdict {
  const cause = {
    guard: metadata?.name ?? '',
    reason: 'GroupMissing',
    message: `its owner, VolumeGroupSnapshot ${asked.group?.name ?? ''} with UID ${asked.group?.uid ?? ''}, does not exist. Create the snapshot without that owner reference, or create a VolumeGroupSnapshot.`,
  };
  report(world, asked, { ...cause, answer: 'Refused' });
  return refusedForGood(asked, cause);
}

async function judgeGuarded(
  wanted: GuardedRequest,
  world: GuardWorld,
  signal: CancelSignal,
): Promise<Verdict> {
  const { asked, guard } = wanted;
  const entered = await enterWindow(wanted, world, signal);
  const name = guard.metadata?.name ?? '';
  if (entered.kind === 'admitted') {
    report(world, asked, { guard: name, answer: 'Admitted', reason: 'Frozen' });
    return ALLOWED;
  }
  const { reason, message, window } = entered;
  const cause = { guard: name, reason, message, window: window?.metadata?.name };
  const isAllowed = guard.spec.onFreezeFailure === 'Allow' && !signal.aborted;
  if (isAllowed && (await recordUnfrozen(wanted, world, entered))) {
    report(world, asked, { ...cause, answer: 'Unfrozen' });
    return allowedUnfrozen(asked, cause);
  }
  report(world, asked, { ...cause, answer: 'Refused' });
  return refusedForNow(asked, cause);
}

/** Resolves with false if no window can hold the record: the object could not be marked later. */
async function recordUnfrozen(
  wanted: GuardedRequest,
  world: GuardWorld,
  { window, cutSignal, reason, message }: Extract<Entered, { kind: 'failed' }>,
): Promise<boolean> {
  if (window === null) return false;
  const entry = entryOf(wanted, { cutSignal, nowMs: world.platform.clock.nowMs() });
  const verdict = { value: 'CrashConsistent', reason: 'NotFrozen', message } as const;
  return world.admissions.record({ ...entry, unfrozen: reason, verdict: shorter(verdict) }, window);
}

function report(
  { observe }: GuardWorld,
  { namespace, kind, name }: RequestedSnapshot,
  { guard, reason, answer }: Pick<Cause, 'guard' | 'reason'> & Pick<GuardAnswer, 'answer'>,
): void {
  observe({ type: 'GuardAnswered', namespace, guard, answer, reason, object: `${kind}/${name}` });
}

interface Cause {
  /** Name of the guard; '' if none is chosen. */
  readonly guard: string;
  readonly reason: string;
  readonly message: string;
  /** Name of the window that the message is about; absent: none. */
  readonly window?: string | undefined;
}

/** 503: a client may try again later. */
function refusedForNow(asked: RequestedSnapshot, cause: Cause): Verdict {
  const { namespace } = asked;
  const see =
    cause.window === undefined
      ? ''
      : ` See: kubectl describe applicationsnapshot ${cause.window} -n ${namespace}.`;
  const message = `${whoRefuses(asked, cause)}: ${cause.message}. Nothing was snapshotted.${see} Create the ${asked.kind} again later.`;
  return { allowed: false, status: { code: 503, reason: 'ServiceUnavailable', message } };
}

/** 403: another attempt is refused too. */
function refusedForGood(asked: RequestedSnapshot, cause: Cause): Verdict {
  const message = `${whoRefuses(asked, cause)}: ${cause.message}`;
  return { allowed: false, status: { code: 403, reason: 'Forbidden', message } };
}

/** 409: the answer that the server itself gives, so that a client handles it in the same way. */
function refusedAsTaken(asked: RequestedSnapshot, guard: string): Verdict {
  const reason = 'AlreadyExists';
  const message = `${whoRefuses(asked, { guard, reason })}: an object of this name exists already, so nothing was frozen. Give another name, or delete that object first.`;
  return { allowed: false, status: { code: 409, reason, message } };
}

function allowedUnfrozen(asked: RequestedSnapshot, { guard, message }: Cause): Verdict {
  const warning = `SnapshotGuard ${guard}: ${asked.kind} ${asked.name} is not application-consistent: ${message}`;
  return { allowed: true, warnings: [warning] };
}

function whoRefuses(
  { kind, name, namespace }: RequestedSnapshot,
  { guard, reason }: Pick<Cause, 'guard' | 'reason'>,
): string {
  const who = guard === '' ? 'The SnapshotGuards' : `SnapshotGuard ${guard}`;
  const verb = guard === '' ? 'refuse' : 'refuses';
  return `${who} of namespace ${namespace} ${verb} ${kind} ${name} (${reason})`;
}
