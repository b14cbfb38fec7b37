/**
 * Runs several controllers in one process, with shared caches and one Lease.
 *
 *  CTRL-M1 Start order: caches, then the Lease, then the controllers. A standby process has warm caches.
 *  CTRL-M2 Stop order: the controllers with their reconciles, then the Lease, then the caches.
 *  CTRL-M3 The Lease is released only when no reconcile is running; a reconcile that cannot be stopped keeps it.
 *  CTRL-M4 After a lost term the process campaigns for the next one, and starts the controllers again (CTRL-C2).
 *  CTRL-M5 A failure (of a cache or a controller) stops everything in that order, and then rejects.
 */
import { LinkedSignal, whenAborted } from '../platform/linked-signal.ts';
import type { CancelSignal } from '../platform/platform.ts';
import type { Controller, Term } from './controller.ts';
import type { Leadership } from './leadership.ts';
import type { SharedInformers } from './shared-informers.ts';

/** The source of terms of leadership. */
export interface Election {
  /** Resolves with the next term, or with null if the signal aborts first. */
  acquire(signal: CancelSignal): Promise<Leadership | null>;
}

export interface ManagerOptions {
  readonly informers: SharedInformers;
  readonly controllers: readonly Controller[];
  /**
   * null: the controllers run without a Lease. Only for a caller that knows that no other process runs them, such as
   * the local cluster.
   */
  readonly election: Election | null;
  /** Requests a graceful stop. */
  readonly signal: CancelSignal;
}

/** Resolves after a stop, when nothing is running any more. Rejects by CTRL-M5. */
export async function runManager(options: ManagerOptions): Promise<void> {
  const stopping = new LinkedSignal(options.signal);
  const following = new AbortController();
  const failures: unknown[] = [];
  const fail = (error: unknown): void => {
    failures.push(error);
    stopping.abort();
  };
  const informing = options.informers.run(following.signal).catch(fail);
  await Promise.race([options.informers.synced(), whenAborted(stopping)]);
  await lead(options, stopping).catch(fail);
  following.abort();
  await informing;
  stopping.release();
  // The first failure is the cause; later ones may be its consequences.
  if (failures.length > 0) throw failures[0];
}

async function lead({ controllers, election }: ManagerOptions, stop: CancelSignal): Promise<void> {
  if (election === null) {
    await runTerm(controllers, { stop, leadership: null });
    return;
  }
  while (!stop.aborted) {
    const leadership = await election.acquire(stop);
    if (leadership === null) return;
    try {
      await runTerm(controllers, { stop, leadership });
    } finally {
      await leadership.release();
    }
  }
}

async function runTerm(controllers: readonly Controller[], term: Term): Promise<void> {
  const scope = new LinkedSignal(term.stop);
  const running = controllers.map(async (controller) => {
    try {
      await controller.run({ ...term, stop: scope });
    } catch (error) {
      scope.abort();
      throw error;
    }
  });
  try {
    await Promise.allSettled(running);
    await Promise.all(running);
  } finally {
    scope.release();
  }
}
