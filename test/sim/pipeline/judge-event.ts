/** What is checked of an event: PIPE-P6, and PIPE-P5 of a hook that is left out. */
import type { PipelineEvent } from '../../../src/lifecycles/pipeline/events/pipeline-event.ts';
import type { Account, Session } from './account.ts';
import { SECRET } from './plan.ts';

export function judgeEvent(account: Account, session: Session, event: PipelineEvent): void {
  if (event.type !== 'HostCallbackEvent') return;
  const isSafe = !JSON.stringify(event).includes(SECRET);
  account.require(isSafe, 'PIPE-P6', () => `a secret is in ${JSON.stringify(event)}`);
  const { status, message = '', address } = event;
  if (status === 'Skipped' && message.startsWith('its inputs are')) {
    judgeLeftOut(account, session, address);
  }
}

/** PIPE-P5: of sessions that ran at once the order of their ends is nobody's to say. */
function judgeLeftOut(account: Account, session: Session, address: string): void {
  const last = account.successes.findLast((one) => one.address === address);
  if (last === undefined || last.session === session || hadCompany(account, last.session)) return;
  account.require(last.digest === session.digest, 'PIPE-P5', () => {
    return `${address} of session ${session.n} is left out with inputs ${session.digest}; its last success was with ${last.digest}`;
  });
}

function hadCompany({ sessions }: Account, one: Session): boolean {
  return sessions.some((other) => {
    if (other === one) return false;
    return other.beganMs <= (one.endedMs ?? Infinity) && (other.endedMs ?? Infinity) >= one.beganMs;
  });
}
