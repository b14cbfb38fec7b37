/**
 * The workers of one controller: each takes a key, runs one reconcile, and applies its outcome. Only the switch in
 * `settle` knows the meaning of an outcome.
 *
 *  CTRL-R1 Two reconciles of one key never run at once: the queue hands a key out once (CTRL-Q2), and a reconcile whose
 *     signal was aborted keeps its key until it returns.
 *  CTRL-R2 Every reconcile is settled exactly once, and then its key is done.
 *  CTRL-R3 A reconcile that throws counts as `retry`.
 *  CTRL-R4 The pause before a retry doubles with each failure in a row; a reconcile without failure ends the row.
 *  CTRL-R5 The pause is at least as long as the server asks for, but for urgent keys.
 *  CTRL-R6 The signal of a reconcile is aborted when its timeout is over.
 */
import { ApiError } from '../kube/api-error.ts';
import { LinkedSignal } from '../platform/linked-signal.ts';
import type { CancelSignal, Platform } from '../platform/platform.ts';
import { type Observe, quietly } from './controller-event.ts';
import type { Leadership } from './leadership.ts';
import { type Outcome, type Reconcile, retry } from './reconcile.ts';
import type { WorkQueue } from './work-queue.ts';

export const DEFAULT_PASS_TIMEOUT_MS = 120_000;

export interface WorkersOptions {
  readonly controller: string;
  readonly queue: WorkQueue;
  readonly reconcile: Reconcile;
  readonly workers: number;
  readonly passTimeoutMs: number;
  readonly platform: Pick<Platform, 'clock' | 'timers'>;
  /** null: there is no lease. */
  readonly leadership: Leadership | null;
  /** Aborts running reconciles. */
  readonly signal: CancelSignal;
  readonly observe?: Observe | undefined;
}

/** Resolves when the queue is shut down and every reconcile has ended. */
export async function runWorkers(options: WorkersOptions): Promise<void> {
  await Promise.all(Array.from({ length: options.workers }, () => work(options)));
}

async function work(options: WorkersOptions): Promise<void> {
  const { queue, controller } = options;
  const observe = quietly(options.observe);
  for (;;) {
    const key = await queue.take();
    if (key === null) return;
    observe({ type: 'PassStarted', controller, key });
    const startedMs = options.platform.clock.monotonicMs();
    const outcome = await pass(options, key);
    const durationMs = options.platform.clock.monotonicMs() - startedMs;
    const againInMs = settle(queue, key, outcome);
    queue.done(key);
    const { depth } = queue;
    observe({ type: 'PassEnded', controller, key, outcome, durationMs, againInMs, depth });
  }
}

async function pass(options: WorkersOptions, key: string): Promise<Outcome> {
  const { queue, reconcile, leadership, passTimeoutMs, controller, platform } = options;
  const scope = new LinkedSignal(options.signal);
  const callOff = platform.timers.after(passTimeoutMs, () => {
    const timeoutMs = passTimeoutMs;
    quietly(options.observe)({ type: 'PassOverdue', controller, key, timeoutMs });
    scope.abort();
  });
  try {
    return await reconcile(key, {
      attempt: queue.failures(key) + 1,
      signal: scope,
      token: leadership?.token ?? null,
      mayAct: () => leadership?.isProven() ?? true,
    });
  } catch (error) {
    return retry(error);
  } finally {
    callOff();
    scope.release();
  }
}

/** Returns the milliseconds until the key is requeued; null: it is not. */
function settle(queue: WorkQueue, key: string, outcome: Outcome): number | null {
  switch (outcome.kind) {
    case 'done':
      queue.forget(key);
      return null;
    case 'requeueAfter':
      queue.forget(key);
      queue.addAfter(key, outcome.ms);
      return outcome.ms;
    case 'retry':
      return queue.retry(key, askedPauseMs(outcome.error));
    case 'terminal':
      queue.forget(key);
      return null;
    default:
      return outcome satisfies never;
  }
}

/** The pause that the server asks for (Retry-After), milliseconds. */
function askedPauseMs(error: unknown): number {
  const seconds = error instanceof ApiError ? error.retryAfterSeconds : null;
  return (seconds ?? 0) * 1_000;
}
