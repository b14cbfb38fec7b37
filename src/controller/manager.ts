/**
 * Several controllers in one process, over one set of caches and one lease.
 *
 *  CTRL-M1 The order up: caches, then the lease, then the controllers. A standby follows with warm caches.
 *  CTRL-M2 The order down: the controllers with their passes, then the lease, then the caches.
 *  CTRL-M3 The lease is given away only when no pass is under way; one that cannot be ended keeps it.
 *  CTRL-M4 A term that is lost is followed by a campaign for the next, and the controllers begin anew (CTRL-C2).
 *  CTRL-M5 What breaks (a cache, a controller) stops everything in that order, and then it rejects.
 */
import { LinkedSignal, whenAborted } from '../platform/linked-signal.ts';
import type { CancelSignal } from '../platform/platform.ts';
import type { Controller, Term } from './controller.ts';
import type { Leadership } from './leadership.ts';
import type { SharedInformers } from './shared-informers.ts';

/** Where terms of leadership come from. */
export interface Election {
  /** Resolves with the next term, or with null when the signal aborts before. */
  acquire(signal: CancelSignal): Promise<Leadership | null>;
}

export interface ManagerOptions {
  readonly informers: SharedInformers;
  readonly controllers: readonly Controller[];
  /** null: no other process can run these controllers, such as those that are the local cluster itself. */
  readonly election: Election | null;
  /** Asks to stop in good order. */
  readonly signal: CancelSignal;
}

/** Resolves when it was stopped and everything has ended. */
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
  // The first is the cause; what follows it may be its consequence.
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
