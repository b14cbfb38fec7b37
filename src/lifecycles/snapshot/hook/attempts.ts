/**
 * The attempts of this process, from the intent until the status contains the report. They run in parallel with the
 * reconciles: no reconcile waits for an attempt, and the end of an attempt requeues its hook.
 *
 *  SNAP-A1 `look` never returns `unseen` for an attempt that this process recorded.
 *  SNAP-A2 An attempt starts at most once.
 *  SNAP-A3 A report is kept until `settle` says that it is durable.
 */
import type { CancelSignal } from '../../../platform/platform.ts';
import type { OpenAttempt } from './facts.ts';
import type { Outcome } from '../../../model/attempt.ts';
import type { NotStarted, ActionStatus, ContainerStatus, ProbeStatus, ThawedBy } from '../kinds.ts';

/** Maximum number of freezes that run at once; each is a connection to the API server. */
export const FREEZES_AT_ONCE = 64;
/** Maximum number of thaws that run at once, including hanging ones. It is far above the expected number (SNAP-I15). */
export const THAWS_AT_ONCE = 512;
/** Maximum number of retries of failed thaws that run at once. They can delay only each other. */
export const SLOW_THAWS_AT_ONCE = 32;

export type Lane = 'freeze' | 'thaw' | 'slowThaw';

export interface Beginning {
  readonly id: string;
  readonly lane: Lane;
  /** Makes the attempt. Never rejects. */
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

  /**
   * Records that an attempt may start. Call it before the intent is written, since the answer to that write may be
   * lost.
   */
  intend(id: string): void {
    this.#intended.add(id);
  }

  /** Starts the attempt. Call it once the intent is durable. */
  begin(beginning: Beginning): void {
    const { id } = beginning;
    if (this.#closed || this.#underWay.has(id) || this.#reports.has(id)) return;
    this.#intended.delete(id);
    const calling = new AbortController();
    this.#underWay.set(id, calling);
    void this.#make(beginning, calling.signal);
  }

  /** Cancels a running attempt. Its end is reported like any other. */
  callOff(id: string): void {
    this.#underWay.get(id)?.abort();
  }

  /**
   * Drops an attempt, and cancels it if it still runs. Call it when the outcome is in the status (see `takeOver`), or
   * no longer needed.
   */
  settle(id: string): void {
    this.#intended.delete(id);
    this.#reports.delete(id);
    this.#underWay.get(id)?.abort();
    this.#underWay.delete(id);
  }

  /** Settles every attempt of one hook. */
  forget(hookUid: string): void {
    const ids = [...this.#intended, ...this.#underWay.keys(), ...this.#reports.keys()];
    for (const id of ids) if (id.startsWith(`${hookUid}/`)) this.settle(id);
  }

  /** Starts no more attempts, and cancels the running ones without waiting for them. */
  close(): void {
    this.#closed = true;
    for (const calling of this.#underWay.values()) calling.abort();
  }

  async #make({ id, lane, make, onEnd }: Beginning, signal: CancelSignal): Promise<void> {
    const report = await this.#pools[lane].run(() => make(signal));
    // The attempt was settled or forgotten meanwhile.
    if (!this.#underWay.delete(id)) return;
    this.#reports.set(id, report);
    onEnd();
  }
}

/** Runs at most `limit` tasks at once; the others wait in the order of their arrival. */
export class AttemptPool {
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Runs the work when a slot is free. Rejects with the error of the work. */
  async run<R>(work: () => Promise<R>): Promise<R> {
    if (this.#running >= this.#limit) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    } else {
      this.#running += 1;
    }
    try {
      return await work();
    } finally {
      // Pass the slot on directly, so that no later caller can take it.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}

export type ActionName = 'pre' | 'post';

export interface AttemptNumber {
  readonly action: ActionName;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
}

/** The ID of an attempt that runs in this process. Unique for the lifetime of the process. */
export function attemptId(
  hookUid: string,
  { podUID, containerName }: Pick<ContainerStatus, 'podUID' | 'containerName'>,
  { action, attempt }: AttemptNumber,
): string {
  return `${targetSessionId(hookUid, { podUID, containerName })}/${action}/${attempt}`;
}

/** The ID of the session that a hook holds in a target. */
export function targetSessionId(
  hookUid: string,
  { podUID, containerName }: Pick<ContainerStatus, 'podUID' | 'containerName'>,
): string {
  return `${hookUid}/${podUID}/${containerName}`;
}

/** The number of attempts ever started, which is also the number of the last one. */
export function attemptsOf(status: ActionStatus | undefined): number {
  return (status?.earlierAttempts ?? 0) + (status?.attempts?.length ?? 0);
}

/** The report of an ended attempt, with the probes before and after it. */
export interface AttemptReport {
  readonly endedAtMs: number;
  readonly outcome: Outcome;
  readonly exitCode: number | null;
  readonly reason: string;
  /** Why the attempt was certainly not started; absent: it was started, or that is not known. */
  readonly notStarted?: NotStarted;
  /** The last lines of the attempt's output, secrets masked. */
  readonly output: string;
  readonly probes: readonly ProbeStatus[];
  /** Set for a held session. */
  readonly holder?: NonNullable<ContainerStatus['holder']>;
  /** Set for a thaw that succeeded. */
  readonly thawedBy?: ThawedBy;
}
