/** The answers of the webhook, with the cause and the next step (SNAP-W8). Pure. */
import type { Verdict } from '../../../controller/admission/admission-review.ts';
import type { RequestedSnapshot } from './requested-snapshot.ts';

export interface Cause {
  /** '' if no guard is chosen. */
  readonly guard: string;
  readonly reason: string;
  readonly message: string;
  /** Name of the window; absent: none is concerned. */
  readonly window?: string | undefined;
}

/** 503: a client may try again later. */
export function refusedForNow(asked: RequestedSnapshot, cause: Cause): Verdict {
  const { namespace } = asked;
  const see =
    cause.window === undefined
      ? ''
      : ` See: kubectl describe applicationsnapshot ${cause.window} -n ${namespace}.`;
  const message = `${whoRefuses(asked, cause)}: ${cause.message}. Nothing was snapshotted.${see} Then create it again.`;
  return { allowed: false, status: { code: 503, reason: 'ServiceUnavailable', message } };
}

/** 403: another attempt is refused too. */
export function refusedForGood(asked: RequestedSnapshot, cause: Cause): Verdict {
  const message = `${whoRefuses(asked, cause)}: ${cause.message}`;
  return { allowed: false, status: { code: 403, reason: 'Forbidden', message } };
}

/** 409: as the server itself answers, so that a client reads it in the same way. */
export function refusedAsTaken(asked: RequestedSnapshot, guard: string): Verdict {
  const reason = 'AlreadyExists';
  const message = `${whoRefuses(asked, { guard, reason })}: it already exists, so nothing was frozen. Give another name, or delete it first.`;
  return { allowed: false, status: { code: 409, reason, message } };
}

export function allowedUnfrozen(asked: RequestedSnapshot, { guard, message }: Cause): Verdict {
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
