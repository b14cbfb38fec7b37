/**
 * Prevents the reconcile that the cache would start when it reports our own write to a hook: the reconcile that wrote
 * it knows the new version.
 *
 * A report that arrives during a reconcile is judged when that reconcile ends.
 */
import type { Change } from '../../../controller/informer.ts';
import type { ExecutionHook } from '../kinds.ts';
import { isBegun, uidOf } from './targets.ts';

export interface OwnChangesOptions {
  /** Returns the newest known version of a hook, from the cache or from the answer to a write. */
  readonly newest: (key: string) => ExecutionHook | undefined;
  /** Starts a reconcile. */
  readonly wake: (key: string) => void;
}

export class OwnChanges {
  readonly #options: OwnChangesOptions;
  /** The version with which the last reconcile ended, by key. That reconcile has begun everything that it decided. */
  readonly #resting = new Map<string, ExecutionHook>();
  /** The keys that are being reconciled. The value is true if the cache has received a change meanwhile. */
  readonly #inHand = new Map<string, boolean>();

  constructor(options: OwnChangesOptions) {
    this.#options = options;
  }

  starts(key: string): void {
    this.#resting.delete(key);
    this.#inHand.set(key, false);
  }

  /** Records that this version needs nothing more until something changes or a wait is over. Call it before `ends`. */
  rests(key: string, object: ExecutionHook): void {
    this.#resting.set(key, object);
  }

  ends(key: string): void {
    const isChanged = this.#inHand.get(key) === true;
    this.#inHand.delete(key);
    if (isChanged && !this.#isAtRest(key)) this.#options.wake(key);
  }

  forget(key: string): void {
    this.#resting.delete(key);
  }

  /** Whether to reconcile the hook now because of this change. */
  matters({ key, before, after }: Change<ExecutionHook>): boolean {
    if (before === null || after === null) return true;
    // The cache did not have the hook's targets before this change, so a change of their pods may have been missed.
    if (uidOf(before) !== uidOf(after) || !isBegun(before)) return true;
    if (!this.#inHand.has(key)) return !this.#isAtRest(key);
    this.#inHand.set(key, true);
    return false;
  }

  #isAtRest(key: string): boolean {
    const resting = this.#resting.get(key);
    const newest = this.#options.newest(key);
    if (resting === undefined || newest === undefined || uidOf(resting) !== uidOf(newest))
      return false;
    return newest.metadata?.resourceVersion === resting.metadata?.resourceVersion;
  }
}
