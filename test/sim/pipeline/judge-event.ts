/** Judges an event. PIPE-P6: it has no secret. PIPE-P5: a skipped hook. PIPE-P3 and PIPE-P8: a reported hook. */
import type {
  CallbackStatus,
  PipelineEvent,
} from '../../../src/lifecycles/pipeline/events/pipeline-event.ts';
import { type Account, placeOf, policyOf, type Session, type Success } from './account.ts';
import { isCleanup } from './judge-hook.ts';
import { SECRET } from './plan.ts';

export function judgeEvent(account: Account, session: Session, event: PipelineEvent): void {
  if (event.type !== 'HostCallbackEvent') return;
  const isSafe = !JSON.stringify(event).includes(SECRET);
  account.require(isSafe, 'PIPE-P6', () => `a secret is in ${JSON.stringify(event)}`);
  const { status, message = '', address } = event;
  if (status === 'Skipped') session.skipped.add(address);
  if (status === 'Skipped' && message.startsWith('its inputs are')) {
    judgeLeftOut(account, session, address);
  }
  judgeTurn(account, session, { status, address });
  if (status === 'Completed' || status === 'Failed') judgeLeftover(account, session, address);
}

interface Reported {
  readonly status: CallbackStatus;
  readonly address: string;
}

/** PIPE-P3: after the signal, one hook may end. After its end is reported, no further hook may be reported as begun. */
function judgeTurn(account: Account, session: Session, { status, address }: Reported): void {
  const { stage, when } = placeOf(session, address);
  const isLast = isCleanup(when);
  const list = `${stage.name} ${isLast ? 'cleanup' : 'main'}`;
  const stoppedMs = isLast ? session.hurriedMs : session.cancelledMs;
  if (status !== 'InProgress') {
    if (stoppedMs !== null) session.stoppedLists.add(list);
    return;
  }
  account.require(!session.stoppedLists.has(list), 'PIPE-P3', () => {
    return `${address} of session ${session.n} is reported as begun, cancelled`;
  });
}

/** PIPE-P8: no leftover process is alive when the hook is reported as ended. */
function judgeLeftover(account: Account, session: Session, address: string): void {
  if (policyOf(session, address).onLeftover !== 'terminate') return;
  const last = session.hooks.findLast((run) => run.address === address);
  account.require(last?.leftover?.alive !== true, 'PIPE-P8', () => {
    return `${address} of session ${session.n} is reported as ended, and left process ${last?.leftover?.pid}`;
  });
}

/** PIPE-P5: if sessions ran in parallel, any earlier success may count, since the order of their ends is undefined. */
function judgeLeftOut(account: Account, session: Session, address: string): void {
  const successes = account.successes.filter((one) => one.address === address);
  const last = successes.at(-1);
  const inCompany = last !== undefined && hadCompany(account, last);
  const isSame = inCompany
    ? successes.some(({ digest }) => digest === session.digest)
    : last?.digest === session.digest;
  account.require(isSame, 'PIPE-P5', () => {
    const was =
      last === undefined ? 'it never succeeded' : `its last success was with ${last.digest}`;
    return `${address} of session ${session.n} is left out with inputs ${session.digest}; ${was}`;
  });
}

function hadCompany({ sessions }: Account, { session: one, atMs }: Success): boolean {
  const lastMs = Math.max(atMs, one.endedMs ?? Infinity);
  return sessions.some((other) => {
    if (other === one) return false;
    return other.beganMs <= lastMs && (other.endedMs ?? Infinity) >= one.beganMs;
  });
}
