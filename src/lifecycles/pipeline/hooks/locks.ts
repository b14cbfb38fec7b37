/** Mutual exclusion of hooks with the same `lock`, in any artifact (PIPE-B13). Fair (FIFO), within one process. */
import type { CancelSignal } from '../../../platform/platform.ts';

interface Waiter {
  readonly take: () => void;
}

export class HookLocks {
  readonly #queues = new Map<string, Waiter[]>();

  /** Resolves with a function that releases the lock; call it once. null: the signal aborted first. */
  hold(name: string, signal: CancelSignal): Promise<(() => void) | null> {
    if (signal.aborted) return Promise.resolve(null);
    const queue = this.#queues.get(name) ?? [];
    this.#queues.set(name, queue);
    return new Promise((resolve) => {
      const waiter: Waiter = {
        take: () => {
          signal.removeEventListener('abort', giveUp);
          resolve(() => {
            this.#leave(name, waiter);
          });
        },
      };
      const giveUp = (): void => {
        this.#leave(name, waiter);
        resolve(null);
      };
      signal.addEventListener('abort', giveUp);
      queue.push(waiter);
      if (queue[0] === waiter) waiter.take();
    });
  }

  #leave(name: string, waiter: Waiter): void {
    const queue = this.#queues.get(name) ?? [];
    const at = queue.indexOf(waiter);
    if (at === -1) return;
    queue.splice(at, 1);
    if (queue.length === 0) this.#queues.delete(name);
    if (at === 0) queue[0]?.take();
  }
}
