/**
 * Judges the pauses between reconciles that fail:
 *
 *  CTRL-R4 The pause doubles with each failure in a row, up to its maximum. It starts again at its minimum after a
 *     reconcile that has not failed.
 *  CTRL-R5 The pause is not shorter than the server's Retry-After.
 */
import type { ControllerEvent } from '../../../src/controller/controller-event.ts';
import { ApiError } from '../../../src/kube/api-error.ts';
import type { World } from '../world.ts';

/** Backoff of the sample controller, repeated here to find wrong numbers. Jitter may shorten a pause by up to half. */
const FIRST_MS = 100;
const MAX_MS = 10_000;

type PassEnded = Extract<ControllerEvent, { type: 'PassEnded' }>;

/** Judges one process. */
export class RetryJudge {
  readonly #world: World;
  readonly #failures = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Forgets the failures of the earlier term: a new term has a new queue. */
  beginTerm(): void {
    this.#failures.clear();
  }

  observe(event: ControllerEvent): void {
    if (event.type === 'PassEnded') this.#judge(event);
  }

  #judge({ key, outcome, againInMs }: PassEnded): void {
    if (outcome.kind !== 'retry') {
      this.#failures.delete(key);
      return;
    }
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    const longestMs = Math.min(MAX_MS, FIRST_MS * 2 ** (failures - 1));
    const { error } = outcome;
    const askedMs = error instanceof ApiError ? 1_000 * (error.retryAfterSeconds ?? 0) : 0;
    const pauseMs = againInMs ?? Infinity;
    const what = `${key} pauses for ${pauseMs} ms after failure ${failures}`;
    if (pauseMs < askedMs)
      this.#world.violate('CTRL-R5', `${what}, the server asks for ${askedMs}`);
    const isInRange = pauseMs >= longestMs / 2 && pauseMs <= Math.max(longestMs, askedMs);
    if (!isInRange) this.#world.violate('CTRL-R4', `${what}, its longest is ${longestMs}`);
  }
}
