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
import type { Backoff } from '../platform/sleep.ts';
import { asError } from '../platform/error-text.ts';
import { LinkedSignal, whenAborted } from '../platform/linked-signal.ts';
import type { CancelSignal, Platform } from '../platform/platform.ts';
import type { Observe } from './controller-event.ts';
import type { Leadership } from './leadership.ts';
import type { Reconcile } from './reconcile.ts';
import type { Source } from './source.ts';
import { DEFAULT_PASS_TIMEOUT_MS, runWorkers, type WorkersOptions } from './workers.ts';
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
  /** Keys that are reconciled before all others, and retried by their own pause. Called whenever a key is added or retried. */
  readonly isUrgent?: (key: string) => boolean;
  readonly observe?: Observe;
}

export interface Term {
  /** Requests a graceful stop. */
  readonly stop: CancelSignal;
  /** null: there is no lease. */
  readonly leadership: Leadership | null;
}

export interface Controller {
  readonly name: string;
  /** Works for one term. Rejects, after all reconciles have ended, if there are more keys than it may hold. */
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
