/**
 * One attempt, from the call of the handler to exactly one result. The handler itself enforces the timeout and reacts
 * to cancellation. This module is the backstop for a handler that does neither. The work of such a handler may still be
 * running, so the result is Unknown, not TimedOut: see docs/decisions/engine-backstop.md.
 */
import type { AttemptResult } from '../model/attempt.ts';
import type { Platform } from '../platform/platform.ts';
import { type Act, type AttemptRequest, bareResult } from './act.ts';

/** Milliseconds that a handler has for TERM, its grace period and KILL after its timeout or cancellation. */
export const BACKSTOP_GRACE_MS = 30_000;

export function makeAttempt(making: {
  readonly act: Act;
  readonly request: AttemptRequest;
  readonly platform: Pick<Platform, 'clock' | 'timers'>;
}): Promise<AttemptResult> {
  const { act, platform } = making;
  const { signal, timeoutMs, onOutput } = making.request;
  const startedMs = platform.clock.monotonicMs();
  const timers: (() => void)[] = [];
  let ended = false;
  return new Promise((resolve) => {
    const end = (result: AttemptResult): void => {
      ended = true;
      signal.removeEventListener('abort', onCancel);
      for (const callOff of timers) callOff();
      // A promise keeps its first value, so a late result changes nothing (ENG-E10).
      resolve(result);
    };
    const endUnseen = (reason: string): void => {
      end(bareResult('Unknown', reason, platform.clock.monotonicMs() - startedMs));
    };
    const giveUpAfter = (ms: number, why: string): void => {
      const silent = (): void => {
        endUnseen(`its handler did not answer within ${ms / 1_000} s ${why}`);
      };
      timers.push(platform.timers.after(ms, silent));
    };
    const onCancel = (): void => {
      giveUpAfter(BACKSTOP_GRACE_MS, 'of the cancellation');
    };
    signal.addEventListener('abort', onCancel);
    if (timeoutMs !== null) {
      giveUpAfter(timeoutMs + BACKSTOP_GRACE_MS, `(its timeout was ${timeoutMs / 1_000} s)`);
    }
    const request: AttemptRequest = {
      ...making.request,
      onOutput: (stream, text) => {
        if (!ended) onOutput?.(stream, text);
      },
    };
    callAct(act, request).then(end, (error: unknown) => {
      endUnseen(`its handler threw ${String(error)}`);
    });
  });
}

/** An async function, so that an exception before the first await becomes a rejection, too. */
async function callAct(act: Act, request: AttemptRequest): Promise<AttemptResult> {
  return act(request);
}
