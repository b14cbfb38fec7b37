/**
 * Remembers the creates and deletes of a controller that its cache does not show yet. Otherwise a reconcile shortly
 * after a create would count too few objects and create another one.
 *
 * Objects are identified by UID. An event may arrive before the answer to the request that caused it, or may be about a
 * foreign object. It is never counted for another object.
 *
 *  CTRL-X1 A key waits while one of its creates or deletes is running, or has taken effect but was not seen yet.
 *  CTRL-X2 No key waits for a request that certainly failed, or for an object that was seen before the answer
 *     arrived or before the request was sent.
 *  CTRL-X3 A request without an answer may still take effect: its effect is waited for, too.
 *  CTRL-X4 No wait is longer than the timeout, counted from the key's last request: then the cache is trusted.
 */
import { ApiError, UnreachableError } from '../kube/api-error.ts';
import type { KubeObject } from '../kube/object.ts';
import { countText } from '../model/count-text.ts';
import { LifehookError } from '../model/problem.ts';
import type { Platform } from '../platform/platform.ts';
import { isTerminating } from './finalizers.ts';
import type { Change, Informer } from './informer.ts';

export const DEFAULT_EXPECTATION_TIMEOUT_MS = 300_000;

/** Maximum number of deleted and terminating objects that are remembered. */
export const MAX_ENDED = 1_000;

export interface ExpectationsOptions {
  readonly platform: Pick<Platform, 'clock'>;
  readonly timeoutMs?: number;
}

interface Expected {
  /** Number of creates that are still waiting for their answer. */
  underWay: number;
  /** Number of creates whose answer never arrived. Each of them may have created any of the new objects. */
  unknown: number;
  /** UIDs of objects that were created, but that the cache has not shown yet. */
  readonly created: Set<string>;
  /** UIDs of objects that the cache showed as new while creates were still running. */
  readonly seenEarly: Set<string>;
  /** UIDs of objects that were deleted, but that the cache has not shown as terminating yet. */
  readonly deleted: Set<string>;
  sinceMs: number;
}

/** The reason for which a key waits, and the longest time that it will wait, in milliseconds. */
export interface Waiting {
  readonly ms: number;
  readonly reason: string;
}

export class Expectations {
  readonly #clock: Platform['clock'];
  readonly #timeoutMs: number;
  readonly #expected = new Map<string, Expected>();
  /**
   * UIDs of the objects that were last seen terminating or deleted. A reconcile may delete an object that it read
   * before that.
   */
  readonly #ended = new Set<string>();

  constructor({ platform, timeoutMs = DEFAULT_EXPECTATION_TIMEOUT_MS }: ExpectationsOptions) {
    this.#clock = platform.clock;
    this.#timeoutMs = timeoutMs;
  }

  /** Sends the create. Expects the new object already before the request is sent. */
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

  /** Sends the delete, and expects to see the object terminating or deleted. */
  async delete<T>(key: string, uid: string, request: () => Promise<T>): Promise<T> {
    const expected = this.#touch(key);
    if (!this.#ended.has(uid)) expected.deleted.add(uid);
    try {
      return await request();
    } catch (error) {
      if (!isUnknown(error)) expected.deleted.delete(uid);
      throw error;
    } finally {
      this.#tidy(key, expected);
    }
  }

  /** Counts an expected creation as seen. Call it when the cache has a new object. */
  sawNew(key: string, uid: string): void {
    this.#ended.delete(uid);
    const expected = this.#expected.get(key);
    if (expected === undefined) return;
    if (!expected.created.delete(uid)) {
      if (expected.underWay > 0) expected.seenEarly.add(uid);
      else expected.unknown = Math.max(0, expected.unknown - 1);
    }
    this.#tidy(key, expected);
  }

  /**
   * Counts an expected deletion as seen. Call it when the cache has the object with a deletionTimestamp, or no longer
   * has it.
   */
  sawTerminating(key: string, uid: string): void {
    this.#rememberEnd(uid);
    const expected = this.#expected.get(key);
    if (expected === undefined) return;
    expected.deleted.delete(uid);
    this.#tidy(key, expected);
  }

  /**
   * Why the key must wait; null: the cache shows all creates and deletes of this controller for the key, or the timeout
   * has passed.
   */
  waitingFor(key: string): Waiting | null {
    const expected = this.#expected.get(key);
    if (expected === undefined) return null;
    const ms = expected.sinceMs + this.#timeoutMs - this.#clock.monotonicMs();
    if (ms <= 0) {
      this.#expected.delete(key);
      return null;
    }
    const creations = expected.created.size + expected.unknown + expected.underWay;
    const reason = `the cache does not show ${countText(creations, 'creation')} and ${countText(expected.deleted.size, 'deletion')} yet`;
    return { ms, reason };
  }

  /** Drops what is expected for the key. Call when the object of the key is deleted. */
  forget(key: string): void {
    this.#expected.delete(key);
  }

  #rememberEnd(uid: string): void {
    this.#ended.add(uid);
    const [oldest = ''] = this.#ended;
    if (this.#ended.size > MAX_ENDED) this.#ended.delete(oldest);
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

  /**
   * Subtracts the creates whose answer never arrived. Once every create has ended, the UIDs that are left in
   * `seenEarly` belong to them.
   */
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

/**
 * Whether a failed write may have taken effect. A server that answers 504 or 500 has failed to reach its own storage,
 * so it does not know either.
 */
export function isUnknown(error: unknown): boolean {
  if (error instanceof UnreachableError) return error.sent;
  if (error instanceof ApiError) return error.code === 500 || error.code === 504;
  // Lifehook itself refused the request, so it was never sent.
  if (error instanceof LifehookError) return false;
  // Any other error is a bug, or a cancellation after the request was sent: the write may have taken effect.
  return true;
}

interface Children<T extends KubeObject> {
  readonly informer: Informer<T>;
  readonly expectations: Expectations;
  /** Maps a child to the controller's keys; must be the function that the source of the children uses. */
  readonly keys: (child: T) => readonly string[];
}

/**
 * Reports changes in the cache to the expectations. Call it before the controller listens to the same informer, so that
 * the expectations are updated before a worker takes the key. Returns a function that stops the reports.
 */
export function followChildren<T extends KubeObject>(children: Children<T>): () => void {
  return children.informer.listen((change) => {
    notify(children, change);
  });
}

function notify<T extends KubeObject>(
  { expectations, keys }: Children<T>,
  { before, after }: Change<T>,
): void {
  const object = after ?? before;
  if (object === null) return;
  const uid = object.metadata?.uid ?? '';
  for (const key of keys(object)) {
    if (before === null) expectations.sawNew(key, uid);
    if (after === null || isTerminating(object)) expectations.sawTerminating(key, uid);
  }
}
