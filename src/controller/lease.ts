/**
 * Leader election over one Lease object: who holds it runs the controllers.
 *
 *  CTRL-L1 A term ends, by itself and without the server, before anybody else may take the lease: it lasts
 *     `renewDeadlineMs` from the moment at which its last renewal was *sent*; others wait `durationMs`
 *     from the moment at which they *saw* that renewal, which cannot be earlier. With the usual 10 s and
 *     15 s that holds as long as no clock runs a third faster than another.
 *  CTRL-L2 Nobody's wall clock is compared with anybody else's.
 *  CTRL-L3 Each term has a number of its own (`leaseTransitions`), higher than those before it.
 *  CTRL-L4 Every write carries the resourceVersion that was read: of two that try, one gets Conflict.
 *  CTRL-L5 An answer that never came is no success. Our own write is recognised when it is read back, by its
 *     exact content; an equal identity alone is not ours, since two processes may have been given one.
 *     A term is one process's (CTRL-L3): what is still of the one that we won is ours, and is taken at once.
 *  CTRL-L6 Trouble with the server never ends a campaign.
 *  CTRL-L7 No process leads without the Lease. A candidate that does not stand by (`whenHeld: 'refuse'`) takes it as
 *     the others do, and rejects with LHK105 once it has seen another process renew it.
 *  CTRL-L8 A Lease is taken before its time only from a holder whose process is known to have ended.
 */
import type { Lease, LeaseSpec } from 'kubernetes-types/coordination/v1.js';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.js';

import { isReason } from '../kube/api-error.ts';
import type { KubeClient } from '../kube/client.ts';
import { leases } from '../kube/resources.ts';
import { LifehookError } from '../model/problem.ts';
import { errorText } from '../platform/error-text.ts';
import type { CancelSignal, Platform } from '../platform/platform.ts';
import { sleep } from '../platform/sleep.ts';
import { type Observe, quietly } from './controller-event.ts';
import {
  claimed,
  DEFAULT_LEASE_TIMES,
  JITTER,
  type LeaseTimes,
  remainingMs,
  sameStroke,
  sameTerm,
  type Sighting,
  sight,
} from './lease-record.ts';
import { LeaseTerm, type LeaseWrites, type Proof } from './lease-term.ts';
import type { Leadership } from './leadership.ts';

export interface LeaseOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly name: string;
  /** Of this process and no other: host name and something random. */
  readonly identity: string;
  readonly platform: Pick<Platform, 'clock' | 'timers'>;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly times?: LeaseTimes;
  readonly observe?: Observe;
  /** What to do while another process renews the Lease; absent: wait. */
  readonly whenHeld?: 'wait' | 'refuse';
  /** Whether it is known that the process of this holder has ended (CTRL-L8); absent: never. */
  readonly hasEnded?: (holder: string) => Promise<boolean>;
  /** Of the Lease, in addition to those that it has. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A term that was won, and the write that proves it. */
interface Won {
  readonly lease: Lease;
  readonly proof: Proof;
}

export class LeaseElection {
  readonly #options: LeaseOptions;
  readonly #times: LeaseTimes;
  readonly #observe: Observe;
  readonly #writes: LeaseWrites;
  #sighting: Sighting | null = null;
  /** The last one, as the server answered. */
  #won: Lease | null = null;
  #seenHolder = '';
  /** The Lease as this campaign has found it. */
  #found: LeaseSpec | null = null;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#times = options.times ?? DEFAULT_LEASE_TIMES;
    this.#observe = quietly(options.observe);
    refuseTimes(this.#times);
    this.#writes = { last: null };
  }

  /**
   * Campaigns until it is won; null: the signal aborted before. One campaign or term at a time.
   * Rejects only by CTRL-L7.
   */
  async acquire(signal: CancelSignal): Promise<Leadership | null> {
    const { platform, random } = this.#options;
    this.#found = null;
    while (!signal.aborted) {
      const won = await this.#tryOnce();
      if (won !== null) return this.#begin(won);
      const pauseMs = this.#times.retryMs * (1 + JITTER * random());
      await sleep(platform.timers, pauseMs, signal);
    }
    return null;
  }

  async #tryOnce(): Promise<Won | null> {
    try {
      const seen = await this.#look();
      return seen === null ? await this.#create() : await this.#take(seen);
    } catch (error) {
      if (error instanceof LeaseHeld) throw error;
      // Somebody was faster: that is what the object is there for.
      if (!isReason(error, 'Conflict', 'AlreadyExists')) this.#trouble(errorText(error));
      return null;
    }
  }

  /** null: there is no lease yet, or no more. */
  async #look(): Promise<Sighting | null> {
    const { client, namespace, name, platform } = this.#options;
    try {
      const lease = await client.get(leases, { namespace, name }, this.#timeout());
      this.#sighting = sight(this.#sighting, lease, platform.clock.monotonicMs());
      this.#tellHolder(lease);
      return this.#sighting;
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
      this.#sighting = null;
      return null;
    }
  }

  async #create(): Promise<Won> {
    const { client, namespace, name } = this.#options;
    const { proof, spec } = this.#claim(null);
    const lease: Lease = { metadata: this.#annotated({ namespace, name }), spec };
    return { lease: await client.create(leases, lease, this.#timeout()), proof };
  }

  async #take(sighting: Sighting): Promise<Won | null> {
    const { client } = this.#options;
    const { lease } = sighting;
    if (!(await this.#isFree(sighting))) {
      this.#refuseRenewed(lease);
      return null;
    }
    const { proof, spec } = this.#claim(lease.spec ?? {});
    const claim = { ...lease, metadata: this.#annotated(lease.metadata), spec };
    return { lease: await client.replace(leases, claim, this.#timeout()), proof };
  }

  async #isFree(sighting: Sighting): Promise<boolean> {
    const { platform, hasEnded } = this.#options;
    const { lease } = sighting;
    if (this.#isOurs(lease)) return true;
    const at = { nowMs: platform.clock.monotonicMs(), ownMs: this.#times.durationMs };
    if (remainingMs(sighting, at) === 0) return true;
    return (await hasEnded?.(lease.spec?.holderIdentity ?? '')) ?? false;
  }

  /** CTRL-L7. A holder that has died renews no more: only a renewal that this campaign has seen tells the two apart. */
  #refuseRenewed({ spec = {} }: Lease): void {
    if (this.#options.whenHeld !== 'refuse') return;
    this.#found ??= spec;
    if (!sameStroke(this.#found, spec)) throw new LeaseHeld(this.#what, spec.holderIdentity ?? '');
  }

  #annotated(metadata: ObjectMeta = {}): ObjectMeta {
    const { annotations } = this.#options;
    if (annotations === undefined) return metadata;
    return { ...metadata, annotations: { ...metadata.annotations, ...annotations } };
  }

  /** Also after an outage that has ended our term: nobody has had it since. */
  #isOurs({ spec }: Lease): boolean {
    const { last } = this.#writes;
    if (last !== null && sameStroke(spec, last)) return true;
    return this.#won !== null && sameTerm(spec, this.#won.spec);
  }

  /** The clocks are read before the write is sent (CTRL-L1). */
  #claim(before: LeaseSpec | null): { readonly proof: Proof; readonly spec: LeaseSpec } {
    const { platform, identity } = this.#options;
    const proof = { monotonicMs: platform.clock.monotonicMs(), wallMs: platform.clock.nowMs() };
    const spec = claimed(before, { identity, times: this.#times, wallMs: proof.wallMs });
    this.#writes.last = spec;
    return { proof, spec };
  }

  #begin({ lease, proof }: Won): Leadership {
    this.#won = lease;
    const term = new LeaseTerm({
      ...this.#options,
      times: this.#times,
      writes: this.#writes,
      observe: this.#observe,
      lease,
      proof,
    });
    const { transitions } = term.token;
    this.#tellHolder(lease);
    this.#observe({ type: 'LeadershipGained', lease: this.#what, transitions });
    return term;
  }

  #tellHolder({ spec }: Lease): void {
    const holder = spec?.holderIdentity ?? '';
    if (holder === this.#seenHolder) return;
    this.#seenHolder = holder;
    if (holder !== '') this.#observe({ type: 'LeaderSeen', lease: this.#what, holder });
  }

  #trouble(reason: string): void {
    this.#observe({ type: 'LeaseTroubled', lease: this.#what, reason });
  }

  #timeout(): { readonly timeoutMs: number } {
    return { timeoutMs: this.#times.renewDeadlineMs / 2 };
  }

  get #what(): string {
    return `${this.#options.namespace}/${this.#options.name}`;
  }
}

/** Another process renews the Lease, and this one was not to wait for it. */
export class LeaseHeld extends LifehookError {
  constructor(lease: string, holder: string) {
    super({
      code: 'LHK105',
      severity: 'error',
      message: `Another controller leads: ${holder} renews the Lease ${lease}. A second one would run every hook twice, so this one, which does not wait for the Lease, stops.`,
      next: 'leave out --no-leader-elect: it then stands by, and leads when the other one ends. Or stop that one; a local cluster has none of its own after `lifehook up --no-controllers`.',
    });
  }
}

function refuseTimes({ durationMs, renewDeadlineMs, retryMs }: LeaseTimes): void {
  const longestRetryMs = retryMs * (1 + JITTER);
  if (retryMs > 0 && longestRetryMs < renewDeadlineMs && renewDeadlineMs < durationMs) return;
  throw new LifehookError({
    code: 'LHK103',
    severity: 'error',
    message: `A lease needs a retry interval that (with ${JITTER * 100} % added) is shorter than its renew deadline, and that one shorter than its duration; received ${retryMs}, ${renewDeadlineMs} and ${durationMs} ms.`,
    next: 'Keep about the relation of the defaults: 2, 10 and 15 seconds.',
  });
}
