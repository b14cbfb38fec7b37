import type { AttemptRequest } from '../engine/act.ts';
import type { AttemptResult } from '../model/attempt.ts';
import type { Masker } from '../model/secrets.ts';
import { errorText } from '../platform/error-text.ts';
import type { Platform } from '../platform/platform.ts';
import { describeStop, reachedLimit, watchLimits } from './limits.ts';
import { captureOutput } from './output-tail.ts';
import type { OutputCapture } from './output-tail.ts';

/** The result of work without a process. */
export interface Verdict {
  readonly succeeded: boolean;
  /** The end of a sentence that begins with `what`: "was answered with 200". */
  readonly reason: string;
}

export interface Work {
  /** The beginning of a sentence, for messages: "GET http://db:80/". */
  readonly what: string;
  readonly masker: Masker;
  readonly run: (signal: AbortSignal, output: OutputCapture) => Promise<Verdict>;
}

/**
 * Runs work inside this process as one attempt. The outcome is decided by whatever happens first: the end of the work,
 * the deadline or the cancellation. Then the signal of the work is aborted. A rejection of the work is a failed
 * attempt.
 */
export async function runBounded(
  request: AttemptRequest,
  { clock, timers }: Pick<Platform, 'clock' | 'timers'>,
  work: Work,
): Promise<AttemptResult> {
  const startedMs = clock.monotonicMs();
  const output = captureOutput(work.masker, request.onOutput);
  const verdict = await firstOf(request, timers, (signal) => settle(work, signal, output));
  return {
    outcome: verdict.outcome,
    exitCode: null,
    signal: null,
    durationMs: clock.monotonicMs() - startedMs,
    ...output.finish(),
    reason: work.masker.text(`${work.what} ${verdict.reason}.`),
  };
}

type Ending = Pick<AttemptResult, 'outcome' | 'reason'>;

async function firstOf(
  request: AttemptRequest,
  timers: Platform['timers'],
  run: (signal: AbortSignal) => Promise<Ending>,
): Promise<Ending> {
  const tooLate = reachedLimit(request);
  if (tooLate !== null) {
    return { outcome: tooLate, reason: `${describeStop(tooLate, request)}: it was not started` };
  }
  const controller = new AbortController();
  // Started before the limits are watched: work that ends at the same moment as its deadline has succeeded in time.
  const running = run(controller.signal);
  const limits = watchLimits(request, timers);
  try {
    const first = await Promise.race([running, limits.reached]);
    if (typeof first === 'object') return first;
    return { outcome: first, reason: describeStop(first, request) };
  } finally {
    limits.release();
    controller.abort();
  }
}

async function settle(work: Work, signal: AbortSignal, output: OutputCapture): Promise<Ending> {
  try {
    const { succeeded, reason } = await work.run(signal, output);
    return { outcome: succeeded ? 'Succeeded' : 'Failed', reason };
  } catch (error) {
    const message = errorText(error);
    return { outcome: 'Failed', reason: `failed: ${message}` };
  }
}
