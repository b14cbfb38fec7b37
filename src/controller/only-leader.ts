/**
 * An election that also checks the Leases of other namespaces. `acquire` rejects with LHK106 if the holder of one of
 * them leads. A process that already leads stops when such a holder starts to renew.
 *
 * - The checks at the start come before the first write to our own Lease, so the newcomer stops and not the leader.
 * - Without another held Lease the start does not wait.
 * - Two processes that start at the same moment do not see each other in time. Both stop within `WATCH_MS` and one
 *     renewal, and the first that is restarted leads. These checks are only a backstop: the election itself is by our
 *     own Lease.
 */
import { LifehookError } from '../model/problem.ts';
import { errorText } from '../platform/error-text.ts';
import { LinkedSignal } from '../platform/linked-signal.ts';
import type { CancelSignal, Platform } from '../platform/platform.ts';
import { sleep } from '../platform/sleep.ts';
import { type Observe, quietly } from './controller-event.ts';
import type { Leadership } from './leadership.ts';
import { DEFAULT_LEASE_TIMES, JITTER } from './lease-record.ts';
import type { Election } from './manager.ts';
import {
  type Look,
  type OtherLeader,
  OtherLeases,
  type OtherLeasesOptions,
} from './other-leases.ts';

/** Milliseconds between two checks before the start. */
const LOOK_MS = 500;
/** Milliseconds that a start watches for a renewal: the longest pause of a healthy holder, plus one second. */
const START_MS = DEFAULT_LEASE_TIMES.retryMs * (1 + JITTER) + 1_000;
/** Milliseconds between two checks of a leader. */
const WATCH_MS = 5_000;

export interface OnlyLeaderOptions extends OtherLeasesOptions {
  /** The election for our own Lease. */
  readonly election: Election;
  readonly platform: Pick<Platform, 'timers'>;
  readonly observe?: Observe;
}

export class OnlyLeader implements Election {
  readonly #options: OnlyLeaderOptions;
  readonly #observe: Observe;

  constructor(options: OnlyLeaderOptions) {
    this.#options = options;
    this.#observe = quietly(options.observe);
  }

  async acquire(signal: CancelSignal): Promise<Leadership | null> {
    const other = await this.#leaderAtStart(signal);
    if (other !== null) throw new LedElsewhere(this.#options, other);
    const term = await this.#options.election.acquire(signal);
    return term === null ? null : this.#guarded(term);
  }

  async #leaderAtStart(signal: CancelSignal): Promise<OtherLeader | null> {
    const others = new OtherLeases(this.#options);
    for (let waitedMs = 0; waitedMs <= START_MS && !signal.aborted; waitedMs += LOOK_MS) {
      const { held, leader } = await this.#look(others);
      if (leader !== null) return leader;
      if (!held) return null;
      await sleep(this.#options.platform.timers, LOOK_MS, signal);
    }
    return null;
  }

  /** Looks at the other Leases. An error is ignored here: the election itself waits for the server. */
  async #look(others: OtherLeases): Promise<Look> {
    try {
      return await others.look();
    } catch (error) {
      this.#observe({ type: 'LeaseTroubled', lease: this.#what, reason: errorText(error) });
      return { held: false, leader: null, allowed: true };
    }
  }

  #guarded(term: Leadership): Leadership {
    const over = new LinkedSignal(term.signal);
    const watching = this.#watch(over);
    return {
      token: term.token,
      signal: over,
      isProven: () => !over.aborted && term.isProven(),
      release: async () => {
        over.abort();
        await watching;
        await term.release();
      },
    };
  }

  /** Ends the term when another leader is seen; the next campaign then rejects with the name of that leader. */
  async #watch(over: LinkedSignal): Promise<void> {
    const others = new OtherLeases(this.#options);
    const isOver = (): boolean => over.aborted;
    while (!isOver()) {
      const { leader, allowed } = await this.#look(others);
      if (!allowed || isOver()) return;
      if (leader !== null) {
        const reason = `${leader.holder} leads by the Lease of namespace ${leader.namespace}`;
        this.#observe({ type: 'LeadershipLost', lease: this.#what, reason });
        over.abort();
        return;
      }
      await sleep(this.#options.platform.timers, WATCH_MS, over);
    }
  }

  get #what(): string {
    return `${this.#options.namespace}/${this.#options.name}`;
  }
}

/** Another process leads for the same objects, with a Lease in another namespace. */
export class LedElsewhere extends LifehookError {
  /** The holder, and its Lease: "pod-1, by the Lease two/lifehook". */
  readonly leader: string;

  constructor({ namespace, name }: OnlyLeaderOptions, other: OtherLeader) {
    super({
      code: 'LHK106',
      severity: 'error',
      message: `Another controller is the leader for the same objects: ${other.holder} renews the Lease ${other.namespace}/${name}. This one would be the leader by the Lease ${namespace}/${name}, and every hook would run twice.`,
      next: `use --namespace ${other.namespace}: this process then waits for the Lease, and leads after the other controller has stopped. Or stop the other controller. If it belongs to a local cluster, start that cluster with \`lifehook up --no-controllers\`.`,
    });
    this.leader = `${other.holder}, by the Lease ${other.namespace}/${name}`;
  }
}
