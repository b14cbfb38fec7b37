/**
 * One controller: its sources, the keys that they enqueue, and the reconciles of these keys.
 *
 *  CTRL-C1 No reconcile starts before every source has synced.
 *  CTRL-C2 Each term starts with all keys: unfinished work of another leader is reconciled again.
 *  CTRL-C3 After a stop no key is taken. Running reconciles are waited for, and their signals are aborted after
 *     `drainMs`. When the term is over, their signals are aborted at once.
 *  CTRL-C4 `run` resolves only when no reconcile is running.
 */
import { neverCancelled } from '../engine/act.ts';
import { ApiError } from '../kube/api-error.ts';
import type { Backoff } from '../platform/sleep.ts';
import { asError } from '../platform/error-text.ts';
import { LinkedSignal, whenAborted } from '../platform/linked-signal.ts';
import type { CancelSignal, Platform } from '../platform/platform.ts';
import { type Observe, quietly } from './controller-event.ts';
import type { Leadership } from './leadership.ts';
import { type Outcome, type Reconcile, retry } from './reconcile.ts';
import type { Source } from './source.ts';
import { WorkQueue } from './work-queue.ts';

/** Milliseconds that reconciles may continue after a stop before their signals are aborted. */
export const DEFAULT_DRAIN_MS = 10_000;
export const DEFAULT_WORKERS = 2;

export interface ControllerOptions {
  /** Kebab-case, for logs and metrics. */
  readonly name: string;
  readonly sources: readonly Source[];
  readonly reconcile: Reconcile;
  readonly platform: Pick<Platform, 'clock' | 'timers'>;
  /** A number from 0 to 1. */
  readonly random: () => number;
  /** The number of reconciles in parallel. */
  readonly workers?: number;
  readonly passTimeoutMs?: number;
  readonly drainMs?: number;
  readonly backoff?: Backoff;
  readonly maxKeys?: number;
  /**
   * Whether a key is urgent. Urgent keys are reconciled first, and a Retry-After does not delay them. Called whenever a
   * key is added or retried.
   */
  readonly isUrgent?: (key: string) => boolean;
  readonly observe?: Observe;
}

export interface Term {
  /** Requests a graceful stop. */
  readonly stop: CancelSignal;
  /** null: the controllers run without a Lease. */
  readonly leadership: Leadership | null;
}

export interface Controller {
  readonly name: string;
  /** Works for one term. If there are more keys than `maxKeys`, rejects once all reconciles have ended. */
  run(term: Term): Promise<void>;
}

export function makeController(options: ControllerOptions): Controller {
  return { name: options.name, run: (term) => run(options, term) };
}

async function run(options: ControllerOptions, { stop, leadership }: Term): Promise<void> {
  const queue = new WorkQueue(options);
  const ending = new LinkedSignal(leadership?.signal ?? neverCancelled);
  const stopping = new LinkedSignal(stop);
  const stopped = Promise.race([whenAborted(stopping), whenAborted(ending)]);
  const failures: Error[] = [];
  const enqueue = (key: string): void => {
    try {
      queue.add(key);
    } catch (error) {
      failures.push(asError(error));
      stopping.abort();
    }
  };
  const listening = options.sources.map((source) => source.listen(enqueue));
  const synced = Promise.all(options.sources.map((source) => source.synced()));
  await Promise.race([synced, stopped]);
  const over = stopping.aborted || ending.aborted;
  const passes = { ...withDefaults(options), queue, leadership, signal: ending };
  const working = over ? Promise.resolve() : runWorkers(passes);
  await stopped;
  for (const stopListening of listening) stopListening();
  const { platform, drainMs = DEFAULT_DRAIN_MS } = options;
  const callOff = platform.timers.after(drainMs, ending.abort);
  await queue.shutDown('drop');
  await working;
  callOff();
  stopping.release();
  ending.release();
  for (const first of failures) throw first;
}

function withDefaults(
  options: ControllerOptions,
): Omit<WorkersOptions, 'queue' | 'leadership' | 'signal'> {
  const { workers = DEFAULT_WORKERS, passTimeoutMs = DEFAULT_PASS_TIMEOUT_MS } = options;
  return { ...options, controller: options.name, workers, passTimeoutMs };
}

/** Timeout of one reconcile, milliseconds. */
const DEFAULT_PASS_TIMEOUT_MS = 120_000;

interface WorkersOptions {
  readonly controller: string;
  readonly queue: WorkQueue;
  readonly reconcile: Reconcile;
  readonly workers: number;
  readonly passTimeoutMs: number;
  readonly platform: Pick<Platform, 'clock' | 'timers'>;
  /** null: the controllers run without a Lease. */
  readonly leadership: Leadership | null;
  /** Aborts running reconciles. */
  readonly signal: CancelSignal;
  readonly observe?: Observe | undefined;
}

/**
 * The workers of one controller: each takes a key, runs one reconcile, and applies its outcome. Only the switch in
 * `settle` knows the meaning of an outcome.
 *
 *  CTRL-R1 Two reconciles of one key never run at once: the queue hands a key out once (CTRL-Q2), and a reconcile whose
 *     signal was aborted keeps its key until it returns.
 *  CTRL-R2 Every reconcile is settled exactly once, and then its key is done.
 *  CTRL-R3 A reconcile that throws counts as `retry`.
 *  CTRL-R4 The pause before a retry doubles with each failure in a row; a reconcile without failure ends the row.
 *  CTRL-R5 The pause is at least as long as the server asks for, except for urgent keys.
 *  CTRL-R6 The signal of a reconcile is aborted when its timeout is over.
 *
 * Resolves when the queue is shut down and every reconcile has ended.
 */
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

/** Returns the milliseconds until the key is requeued; null: it is not requeued. */
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
