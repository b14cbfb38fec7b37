/**
 * What a controller has done and its cache has not seen yet. Without this a pass that follows a create
 * closely counts too few objects and creates another.
 *
 * Objects are told apart by uid, so an event that comes before the answer to its own request, or one
 * for somebody else's object, is never counted for another.
 *
 *  CTRL-X1 A key waits while a creation or deletion of its own is under way, or has taken effect and was not
 *     seen yet.
 *  CTRL-X2 A definite failure is not waited for; neither is what was seen before its answer came.
 *  CTRL-X3 Where the answer never came, the effect may come: it is waited for, too.
 *  CTRL-X4 Nothing is waited for longer than the timeout after the key's last request: then the cache is
 *     believed.
 */
import { isUnknown } from './unknown-outcome.ts';
import type { KubeObject } from '../kube/object.ts';
import type { Platform } from '../platform/platform.ts';

export const DEFAULT_EXPECTATION_TIMEOUT_MS = 300_000;

export interface ExpectationsOptions {
  readonly platform: Pick<Platform, 'clock'>;
  readonly timeoutMs?: number;
}

interface Expected {
  /** Creations without an answer so far. */
  underWay: number;
  /** Creations whose answer never came: any new object may be theirs. */
  unknown: number;
  /** Created, and not seen. */
  readonly created: Set<string>;
  /** Seen as new while creations were under way. */
  readonly seenEarly: Set<string>;
  /** To be deleted, and not seen going. */
  readonly deleted: Set<string>;
  sinceMs: number;
}

/** What a key waits for, and for how long at most. */
export interface Waiting {
  readonly ms: number;
  readonly reason: string;
}

export class Expectations {
  readonly #clock: Platform['clock'];
  readonly #timeoutMs: number;
  readonly #expected = new Map<string, Expected>();

  constructor({ platform, timeoutMs = DEFAULT_EXPECTATION_TIMEOUT_MS }: ExpectationsOptions) {
    this.#clock = platform.clock;
    this.#timeoutMs = timeoutMs;
  }

  /** Makes the creation, and waits for its object from before the request is sent. */
  async create<T extends KubeObject>(key: string, request: () => Promise<T>): Promise<T> {
    const expected = this.#touch(key);
    expected.underWay += 1;
    try {
      const made = await request();
      const uid = made.metadata?.uid ?? '';
      if (!expected.seenEarly.delete(uid)) expected.created.add(uid);
      return made;
    } catch (error) {
      if (isUnknown(error)) expected.unknown += 1;
      throw error;
    } finally {
      expected.underWay -= 1;
      this.#settleEarly(expected);
      this.#tidy(key, expected);
    }
  }

  /** Makes the deletion, and waits until the object is seen going. */
  async delete<T>(key: string, uid: string, request: () => Promise<T>): Promise<T> {
    const expected = this.#touch(key);
    expected.deleted.add(uid);
    try {
      return await request();
    } catch (error) {
      if (!isUnknown(error)) expected.deleted.delete(uid);
      throw error;
    } finally {
      this.#tidy(key, expected);
    }
  }

  /** The cache has a new object. */
  sawNew(key: string, uid: string): void {
    const expected = this.#expected.get(key);
    if (expected === undefined) return;
    if (!expected.created.delete(uid)) {
      if (expected.underWay > 0) expected.seenEarly.add(uid);
      else expected.unknown = Math.max(0, expected.unknown - 1);
    }
    this.#tidy(key, expected);
  }

  /** The cache has the object with a deletionTimestamp, or has it no more. */
  sawGoing(key: string, uid: string): void {
    const expected = this.#expected.get(key);
    if (expected === undefined) return;
    expected.deleted.delete(uid);
    this.#tidy(key, expected);
  }

  /** null: the cache has seen everything that this controller has done for the key. */
  waitingFor(key: string): Waiting | null {
    const expected = this.#expected.get(key);
    if (expected === undefined) return null;
    const ms = expected.sinceMs + this.#timeoutMs - this.#clock.monotonicMs();
    if (ms <= 0) {
      this.#expected.delete(key);
      return null;
    }
    const creations = expected.created.size + expected.unknown + expected.underWay;
    const reason = `${creations} creations and ${expected.deleted.size} deletions are not seen yet`;
    return { ms, reason };
  }

  /** The key's object is gone, and nobody will ask for it again. */
  forget(key: string): void {
    this.#expected.delete(key);
  }

  #touch(key: string): Expected {
    const sinceMs = this.#clock.monotonicMs();
    const expected = this.#expected.get(key) ?? {
      underWay: 0,
      unknown: 0,
      created: new Set(),
      seenEarly: new Set(),
      deleted: new Set(),
      sinceMs,
    };
    expected.sinceMs = sinceMs;
    this.#expected.set(key, expected);
    return expected;
  }

  /** When every answer is in, what was seen early and is nobody's is what the unknown ones made. */
  #settleEarly(expected: Expected): void {
    if (expected.underWay > 0) return;
    expected.unknown = Math.max(0, expected.unknown - expected.seenEarly.size);
    expected.seenEarly.clear();
  }

  #tidy(key: string, expected: Expected): void {
    const { underWay, unknown, created, deleted } = expected;
    if (underWay + unknown + created.size + deleted.size > 0) return;
    if (this.#expected.get(key) === expected) this.#expected.delete(key);
  }
}
