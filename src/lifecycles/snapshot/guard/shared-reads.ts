/**
 * The states of windows that requests wait for: from the cache of this process as soon as it has them, and from the
 * server, one read at a time for each window, however many requests wait.
 */
import { keyText } from '../../../controller/object-key.ts';
import type { Informer } from '../../../controller/informer.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import type { ObjectKey } from '../../../kube/object.ts';
import { LinkedSignal } from '../../../platform/linked-signal.ts';
import type { CancelSignal, Timers } from '../../../platform/platform.ts';
import { sleep } from '../../../platform/sleep.ts';
import { type ApplicationSnapshot, applicationSnapshots } from '../kinds.ts';
import { POLL_MS, POLL_WITH_CACHE_MS } from './limits.ts';

export interface SharedReadsOptions {
  readonly client: Pick<KubeClient, 'get'>;
  readonly timers: Timers;
  /** Absent: no controller runs in this process. */
  readonly cache?: Pick<Informer<ApplicationSnapshot>, 'get' | 'listen'> | undefined;
}

export class SharedReads {
  readonly #options: SharedReadsOptions;
  readonly #pollMs: number;
  readonly #running = new Map<string, Promise<ApplicationSnapshot | null>>();
  /** Keyed by the key of a window: called with its next state. */
  readonly #waiting = new Map<string, Set<(window: ApplicationSnapshot) => void>>();

  constructor(options: SharedReadsOptions) {
    this.#options = options;
    this.#pollMs = options.cache === undefined ? POLL_MS : POLL_WITH_CACHE_MS;
    options.cache?.listen(({ key, after }) => {
      if (after === null) return;
      for (const take of this.#waiting.get(key) ?? []) take(after);
    });
  }

  /** Waits until the window is another than the one that was seen, a moment at most. Resolves as `window` does. */
  async next(
    key: ObjectKey,
    seen: string | undefined,
    signal: CancelSignal,
  ): Promise<ApplicationSnapshot | null> {
    const text = keyText(key);
    const cached = this.#options.cache?.get(text);
    // It may have changed between the read and this call.
    if (cached !== undefined && cached.metadata?.resourceVersion !== seen) return cached;
    const pause = new LinkedSignal(signal);
    const changed: ApplicationSnapshot[] = [];
    const stop = this.#listen(text, (window) => {
      changed.push(window);
      pause.abort();
    });
    await sleep(this.#options.timers, this.#pollMs, pause);
    pause.release();
    stop();
    return changed.at(-1) ?? this.window(key);
  }

  /** A state that may be older than the call: the write that follows has its resourceVersion. null: deleted. */
  window(key: ObjectKey): Promise<ApplicationSnapshot | null> {
    const text = keyText(key);
    const running = this.#running.get(text);
    if (running !== undefined) return running;
    const read = getOrNull(this.#options.client, applicationSnapshots, key).finally(() => {
      this.#running.delete(text);
    });
    this.#running.set(text, read);
    return read;
  }

  #listen(key: string, take: (window: ApplicationSnapshot) => void): () => void {
    const listeners = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, listeners.add(take));
    return () => {
      listeners.delete(take);
      if (listeners.size === 0) this.#waiting.delete(key);
    };
  }
}
