/**
 * One attempt, from the call of the handler to exactly one result. The handler enforces the timeout
 * and obeys cancellation itself; here is only the backstop for one that does neither. What such a
 * handler started may still be going on, so the result is Unknown, not TimedOut: see
 * docs/decisions/engine-backstop.md.
 */
import type { AttemptResult } from '../model/attempt.ts';
import type { Platform } from '../platform/platform.ts';
import type { Act, AttemptRequest } from './act.ts';
import { bareResult } from './bare-result.ts';

/** How long past its timeout or its cancellation a handler has for TERM, grace and KILL, milliseconds. */
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
      // A promise keeps its first value: a result that comes late changes nothing (ENG-E10).
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
      endUnseen(`its handler broke: ${String(error)}`);
    });
  });
}

/** Also turns a throw before the first await into a rejection. */
async function callAct(act: Act, request: AttemptRequest): Promise<AttemptResult> {
  return act(request);
}
