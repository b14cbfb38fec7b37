import type { Clock } from '../../../../../src/platform/platform.ts';
import type { ServerRequest } from '../http.ts';
import type { StatusError } from '../status.ts';

/** The most refusals in the cache. */
const MAX_REFUSALS = 100;
const MAX_AGE_MS = 5_000;

/**
 * The reasons of recently refused web sockets. kubectl takes every refusal for a server without web sockets,
 * retries with SPDY, and shows the error of that: it has to be the real reason.
 */
export class RecentRefusals {
  readonly #clock: Clock;
  readonly #refusals = new Map<string, { readonly error: StatusError; readonly atMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  remember(request: ServerRequest, error: StatusError): void {
    const key = keyOf(request);
    this.#refusals.delete(key);
    this.#refusals.set(key, { error, atMs: this.#clock.monotonicMs() });
    for (const oldest of this.#refusals.keys()) {
      if (this.#refusals.size <= MAX_REFUSALS) break;
      this.#refusals.delete(oldest);
    }
  }

  find(request: ServerRequest): StatusError | undefined {
    const found = this.#refusals.get(keyOf(request));
    if (found === undefined || this.#clock.monotonicMs() - found.atMs > MAX_AGE_MS)
      return undefined;
    return found.error;
  }
}

function keyOf({ path, query, user }: ServerRequest): string {
  return `${user.username} ${path}?${query.toString()}`;
}
