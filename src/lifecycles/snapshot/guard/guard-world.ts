/**
 * The dependencies of the webhook of the guards: the API server, time, and the reads and creations that its requests
 * share.
 */
import type { AdmissionJudge } from '../../../controller/admission/admission-service.ts';
import type { KubeClient } from '../../../kube/client.ts';
import type { Platform, CancelSignal, Timers } from '../../../platform/platform.ts';
import type { SnapshotEvent } from '../snapshot-event.ts';
import { Admissions } from './admissions.ts';
import { judgeRequest } from './judge-request.ts';
import { createOrGet } from '../../../kube/get-or-null.ts';
import { keyOf, keyText } from '../../../controller/object-key.ts';
import { type ApplicationSnapshot, applicationSnapshots } from '../kinds.ts';
import type { Informer } from '../../../controller/informer.ts';
import type { ObjectKey } from '../../../kube/object.ts';
import { LinkedSignal } from '../../../platform/linked-signal.ts';
import { sleep } from '../../../platform/sleep.ts';
import { findObject } from './find-object.ts';
import { POLL_MS, POLL_WITH_CACHE_MS } from './limits.ts';
import { EndTimes } from './rest.ts';

export interface GuardWorld {
  readonly client: Pick<KubeClient, 'get' | 'list' | 'create' | 'replaceStatus'>;
  readonly platform: Pick<Platform, 'clock' | 'timers'>;
  /** Receives each answer of the webhook. Never throws. */
  readonly observe: (event: GuardAnswer) => void;
  readonly reads: SharedReads;
  readonly openings: SharedOpenings;
  readonly admissions: Admissions;
  readonly endTimes: EndTimes;
}

export type GuardAnswer = Extract<SnapshotEvent, { type: 'GuardAnswered' }>;

/** The webhook of the guards in one process. */
export function guardJudge(
  options: Pick<GuardWorld, 'client' | 'platform' | 'observe'> & Pick<SharedReadsOptions, 'cache'>,
): AdmissionJudge {
  const { client, platform, cache } = options;
  const reads = new SharedReads({ client, timers: platform.timers, cache });
  const shared = {
    reads,
    openings: new SharedOpenings(client),
    admissions: new Admissions(client),
    endTimes: new EndTimes(platform.clock),
  };
  const world = { ...options, ...shared };
  return (request, signal) => judgeRequest(request, world, signal);
}

type Client = Pick<KubeClient, 'create' | 'get'>;

/**
 * Creates windows, one creation at a time for each window: requests that want the same window share it. Each creation
 * makes the API server call the webhooks for our kinds, perhaps in this process. Many at once would delay the freeze
 * that all requests wait for.
 */
export class SharedOpenings {
  readonly #client: Client;
  readonly #running = new Map<string, Promise<ApplicationSnapshot>>();

  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * Resolves with the window of that name, whichever process created it. It may be based on an older state of the
   * guard.
   */
  open(window: ApplicationSnapshot): Promise<ApplicationSnapshot> {
    const key = keyOf(window);
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const opening = createOrGet(this.#client, applicationSnapshots, window).finally(() => {
      this.#running.delete(key);
    });
    this.#running.set(key, opening);
    return opening;
  }
}

interface SharedReadsOptions {
  readonly client: Pick<KubeClient, 'get'>;
  readonly timers: Timers;
  /** The cache of the controller; absent: no controller runs in this process. */
  readonly cache?: Pick<Informer<ApplicationSnapshot>, 'get' | 'listen'> | undefined;
}

/**
 * Reads the states of windows that requests wait for. A state comes from the cache of this process as soon as it is
 * there. Else it comes from the server, with one read at a time for each window, however many requests wait.
 */
export class SharedReads {
  readonly #options: SharedReadsOptions;
  readonly #pollMs: number;
  readonly #running = new Map<string, Promise<ApplicationSnapshot | null>>();
  /** The functions to call with the next state of a window, keyed by the window's key. */
  readonly #waiting = new Map<string, Set<(window: ApplicationSnapshot) => void>>();

  constructor(options: SharedReadsOptions) {
    this.#options = options;
    this.#pollMs = options.cache === undefined ? POLL_MS : POLL_WITH_CACHE_MS;
    options.cache?.listen(({ key, after }) => {
      if (after === null) return;
      for (const take of this.#waiting.get(key) ?? []) take(after);
    });
  }

  /** Waits briefly until the window's resourceVersion is not `seen` any more. Resolves as `window` does. */
  async next(
    key: ObjectKey,
    seen: string | undefined,
    signal: CancelSignal,
  ): Promise<ApplicationSnapshot | null> {
    const text = keyText(key);
    const cached = this.#options.cache?.get(text);
    // The window may have changed between the read and this call.
    if (cached !== undefined && cached.metadata?.resourceVersion !== seen) return cached;
    const pause = new LinkedSignal(signal);
    let stop = (): void => undefined;
    const changed = new Promise<ApplicationSnapshot>((resolve) => {
      stop = this.#listen(text, (window) => {
        resolve(window);
        pause.abort();
      });
    });
    try {
      await sleep(this.#options.timers, this.#pollMs, pause);
      if (pause.aborted && !signal.aborted) return await changed;
      // The server may not answer while the watch still reports changes.
      return await Promise.race([changed, this.window(key)]);
    } finally {
      pause.release();
      stop();
    }
  }

  /**
   * Resolves with the window; null: deleted. The state may be older than this call: a write based on it has its
   * resourceVersion, so it conflicts then.
   */
  window(key: ObjectKey): Promise<ApplicationSnapshot | null> {
    const text = keyText(key);
    const running = this.#running.get(text);
    if (running !== undefined) return running;
    const read = findObject(this.#options.client, applicationSnapshots, key).finally(() => {
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
