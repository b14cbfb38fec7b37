/**
 * The attempts of this process, from the intent to the report that a status has taken over. They run beside
 * the passes: no pass waits for one, and its end makes the hook be looked at again.
 *
 *  SNAP-A1 What `look` tells of an attempt that this process recorded is never `unseen`.
 *  SNAP-A2 An attempt begins at most once.
 *  SNAP-A3 A report is kept until `settle` says that it is durable.
 */
import type { CancelSignal } from '../../../platform/platform.ts';
import type { AttemptReport } from './attempt.ts';
import { AttemptPool } from './attempt-pool.ts';
import type { OpenAttempt } from './facts.ts';

/** Freezes at a time; each is a connection to the API server. */
export const FREEZES_AT_ONCE = 64;
/** Thaws at a time, those that hang included: far more than there should ever be (SNAP-I15). */
export const THAWS_AT_ONCE = 512;
/** Thaws at a time that had failed before: they are in nobody's way but their own. */
export const SLOW_THAWS_AT_ONCE = 32;

export type Lane = 'freeze' | 'thaw' | 'slowThaw';

export interface Beginning {
  readonly id: string;
  readonly lane: Lane;
  /** Never rejects. */
  readonly make: (signal: CancelSignal) => Promise<AttemptReport>;
  readonly onEnd: () => void;
}

export class Attempts {
  readonly #intended = new Set<string>();
  readonly #underWay = new Map<string, AbortController>();
  readonly #reports = new Map<string, AttemptReport>();
  readonly #pools: Readonly<Record<Lane, AttemptPool>> = {
    freeze: new AttemptPool(FREEZES_AT_ONCE),
    thaw: new AttemptPool(THAWS_AT_ONCE),
    slowThaw: new AttemptPool(SLOW_THAWS_AT_ONCE),
  };
  #closed = false;

  look(id: string): OpenAttempt {
    const report = this.#reports.get(id);
    if (report !== undefined) return { kind: 'ended', report };
    if (this.#underWay.has(id)) return { kind: 'underWay' };
    return { kind: this.#intended.has(id) ? 'intended' : 'unseen' };
  }

  /** Before its intent is written: whether the write takes effect may never be learned. */
  intend(id: string): void {
    this.#intended.add(id);
  }

  /** Its intent is durable. */
  begin(beginning: Beginning): void {
    const { id } = beginning;
    if (this.#closed || this.#underWay.has(id) || this.#reports.has(id)) return;
    this.#intended.delete(id);
    const calling = new AbortController();
    this.#underWay.set(id, calling);
    void this.#make(beginning, calling.signal);
  }

  /** Cancels an attempt that is under way; how it ended is reported as of any other. */
  callOff(id: string): void {
    this.#underWay.get(id)?.abort();
  }

  /** Its outcome is durable, or nobody wants to know it any more. */
  settle(id: string): void {
    this.#intended.delete(id);
    this.#reports.delete(id);
    this.#underWay.get(id)?.abort();
    this.#underWay.delete(id);
  }

  /** Everything of one hook. */
  forget(hookUid: string): void {
    const ids = [...this.#intended, ...this.#underWay.keys(), ...this.#reports.keys()];
    for (const id of ids) if (id.startsWith(`${hookUid}/`)) this.settle(id);
  }

  /** Begins no more, and leaves those that are under way. */
  close(): void {
    this.#closed = true;
    for (const calling of this.#underWay.values()) calling.abort();
  }

  async #make({ id, lane, make, onEnd }: Beginning, signal: CancelSignal): Promise<void> {
    const report = await this.#pools[lane].run(() => make(signal));
    // Given up meanwhile.
    if (!this.#underWay.delete(id)) return;
    this.#reports.set(id, report);
    onEnd();
  }
}
