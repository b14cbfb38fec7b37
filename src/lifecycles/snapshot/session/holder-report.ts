/** The reports of the session helper in the container, and their meaning. Pure. */
import type { SessionEnd as ConnectionEnd } from '../../../kube/stream-session.ts';
import { resultOfEnd } from '../../../kube/exec-result.ts';
import type { HeldSession, SessionEnd } from './session.ts';

/**
 * The cause for which the session helper thaws. At our request: asked (thaw) or aborted (the freeze was not in time).
 * failed: the freeze failed. By itself: eof (its input ended), silence (no message from us for the window), expiry (its
 * longest time has passed) or terminated (a signal stopped it).
 */
export type ThawCause =
  | 'asked'
  | 'aborted'
  | 'failed'
  | 'eof'
  | 'silence'
  | 'expiry'
  | 'terminated';

/** All reports so far. */
export interface HolderFacts {
  timing: HeldSession['timing'] | null;
  /** Whether the freeze is in force. With commands the helper reports it; with a client its ready line shows it. */
  frozen: boolean;
  failedCode: number | null;
  cause: ThawCause | null;
  thawedCode: number | null;
  /** Exit code of the client; null: there is no client, or it is running. */
  endedCode: number | null;
  killed: boolean;
}

export function noFacts(): HolderFacts {
  return {
    timing: null,
    frozen: false,
    failedCode: null,
    cause: null,
    thawedCode: null,
    endedCode: null,
    killed: false,
  };
}

/** Reads one line of the helper's standard output; a line that is not a report changes nothing. */
export function takeReport(facts: HolderFacts, line: string, nonce: string): void {
  if (!line.startsWith(`${nonce} `)) return;
  const [word = '', value = ''] = line.slice(nonce.length + 1).split(' ');
  reports[word]?.(facts, value);
}

const reports: Readonly<Record<string, (facts: HolderFacts, value: string) => void>> = {
  timing: (facts, value) => {
    facts.timing = timings.find((timing) => timing === value) ?? 'eof';
  },
  frozen: (facts) => {
    facts.frozen = true;
  },
  /** `alive` has no content: its arrival shows that the helper is reachable. */
  alive: () => {},
  failed: (facts, value) => {
    facts.failedCode = codeOf(value);
  },
  thawing: (facts, value) => {
    facts.cause ??= causes.find((cause) => cause === value) ?? 'eof';
  },
  thawed: (facts, value) => {
    facts.thawedCode = codeOf(value);
  },
  ended: (facts, value) => {
    facts.endedCode = codeOf(value);
  },
  killed: (facts) => {
    facts.killed = true;
  },
};

const timings = ['read', 'sleep', 'eof'] as const;
const causes = ['asked', 'aborted', 'failed', 'eof', 'silence', 'expiry', 'terminated'] as const;

/** An exit code that cannot be read counts as a failure. */
function codeOf(text: string): number {
  return /^\d{1,3}$/.test(text) ? Number(text) : 255;
}

/** How the session ended, according to the helper's reports, else to the connection; null: it has not ended. */
export function sessionEnd(
  facts: HolderFacts,
  connection: ConnectionEnd | null,
  { hasClient, windowSeconds }: { readonly hasClient: boolean; readonly windowSeconds: number },
): SessionEnd | null {
  const { cause, thawedCode, endedCode, killed } = facts;
  const exitCode = thawedCode ?? endedCode ?? (killed ? 137 : null);
  if (exitCode !== null && cause !== null) {
    const by = ['asked', 'aborted', 'failed'].includes(cause) ? 'session' : 'deadman';
    return { kind: 'thawed', by, exitCode, reason: thawReason(facts, { exitCode, windowSeconds }) };
  }
  if (endedCode !== null) {
    const reason = `The client ended by itself, with exit code ${endedCode}, and its session with it`;
    return { kind: 'broken', reason: `${reason}.` };
  }
  return connection === null ? null : unreportedEnd(facts, connection, hasClient);
}

function unreportedEnd(
  { timing }: HolderFacts,
  connection: ConnectionEnd,
  hasClient: boolean,
): SessionEnd {
  const result = resultOfEnd(connection);
  if (result.outcome === 'exited' && hasClient) {
    const reason = `The session helper exited with code ${result.exitCode}. The client that it ran, and the session of that client, ended too.`;
    return { kind: 'broken', reason };
  }
  if (result.outcome === 'exited') {
    const reason = `The session helper exited with code ${result.exitCode} before its thaw, so nothing in the container thaws by itself any more`;
    return { kind: 'lost', reason: `${reason}.` };
  }
  const what = result.outcome === 'failed' ? (result.status.message ?? 'refused') : result.reason;
  const then = timing === 'eof' ? 'once its input ends' : 'within its window';
  return {
    kind: 'lost',
    reason: `The session was lost: ${what}. The session helper thaws ${then}.`,
  };
}

function thawReason(
  { cause, killed }: HolderFacts,
  { exitCode, windowSeconds }: { readonly exitCode: number; readonly windowSeconds: number },
): string {
  const why: Record<ThawCause, string> = {
    asked: ' on request',
    aborted: ', since the freeze was not complete in time',
    failed: ', since the freeze failed',
    eof: ', since its input had ended: the connection was lost or closed',
    silence: `, since the controller had been silent for ${windowSeconds} s`,
    expiry: ', since its maximum time had passed',
    terminated: ', since it was terminated by a signal',
  };
  const how = killed
    ? ' The client did not execute its thaw and was killed, and its session ended with it.'
    : '';
  const result = exitCode === 0 || killed ? '' : ` with exit code ${exitCode}`;
  return `The session helper thawed${result}${why[cause ?? 'asked']}.${how}`;
}
