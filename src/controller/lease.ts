/**
 * Leader election over one Lease object: its holder runs the controllers.
 *
 *  CTRL-L1 A term ends by itself, without the server, before any other process may take the Lease. It lasts
 *     `renewDeadlineMs` from the moment at which its last renewal was *sent*. Other processes wait `durationMs` from
 *     the moment at which they *saw* that renewal. They cannot see it before it was sent. With the defaults of 10 s and
 *     15 s this holds while no clock runs 1.5 times as fast as another.
 *  CTRL-L2 Wall clocks of different processes are never compared.
 *  CTRL-L3 Each term has its own number (`leaseTransitions`), higher than those before it.
 *  CTRL-L4 Every write carries the resourceVersion that was read: of two concurrent writers one gets Conflict.
 *  CTRL-L5 A missing answer is not a success. A process recognises its own write by its exact content; an equal
 *     identity is not enough, since two processes may have the same one. A term belongs to one process (CTRL-L3): a
 *     Lease that is still in a term of this process is taken at once.
 *  CTRL-L6 A server error never ends a campaign.
 *  CTRL-L7 No process leads without the Lease. A candidate that does not wait (`whenHeld: 'refuse'`) takes a free
 *     Lease like any other. It rejects with LHK105 once it has seen another process renew it.
 *  CTRL-L8 A Lease is taken before its time only if the process of its holder is known to have exited.
 */
import type { Lease, LeaseSpec } from 'kubernetes-types/coordination/v1.js';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.js';

import { isNamespaceTerminating, isReason } from '../kube/api-error.ts';
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
  /** Unique for this process: host name and a random part. */
  readonly identity: string;
  readonly platform: Pick<Platform, 'clock' | 'timers'>;
  /** A number from 0 to 1. */
  readonly random: () => number;
  readonly times?: LeaseTimes;
  readonly observe?: Observe;
  /** The behaviour while another process renews the Lease; absent: wait. */
  readonly whenHeld?: 'wait' | 'refuse';
  /** Whether the process of this holder is known to have exited (CTRL-L8); absent: it never is. */
  readonly hasEnded?: (holder: string) => Promise<boolean>;
  /** Annotations to add to the Lease. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A won term, and the write that proves it. */
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
  /** The Lease of the last won term, as the server returned it. */
  #won: Lease | null = null;
  #seenHolder = '';
  /** The first version of the Lease that this campaign has seen. */
  #found: LeaseSpec | null = null;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#times = options.times ?? DEFAULT_LEASE_TIMES;
    this.#observe = quietly(options.observe);
    refuseTimes(this.#times);
    this.#writes = { last: null };
  }

  /**
   * Campaigns until the Lease is won; null: the signal aborted first. One campaign or term at a time; rejects only by
   * CTRL-L7.
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
      // A conflict is not reported: another process was faster, which is expected.
      if (!isReason(error, 'Conflict', 'AlreadyExists')) this.#trouble(this.#troubleText(error));
      return null;
    }
  }

  /** Reads the Lease. null: the Lease does not exist. */
  async #look(): Promise<Sighting | null> {
    const { client, namespace, name, platform } = this.#options;
    try {
      const lease = await client.get(leases, { namespace, name }, this.#timeout());
      this.#sighting = sight(this.#sighting, lease, platform.clock.monotonicMs());
      this.#reportHolder(lease);
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

  /** Throws LHK105 once this campaign has seen a renewal (CTRL-L7): only that proves that the holder is alive. */
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

  /** Whether no other process has had the Lease since our last term, which may have ended by an outage. */
  #isOurs({ spec }: Lease): boolean {
    const { last } = this.#writes;
    if (last !== null && sameStroke(spec, last)) return true;
    return this.#won !== null && sameTerm(spec, this.#won.spec);
  }

  /** The record of a new term. Reads the clocks before the write is sent (CTRL-L1). */
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
    this.#reportHolder(lease);
    this.#observe({ type: 'LeadershipGained', lease: this.#what, transitions });
    return term;
  }

  #reportHolder({ spec }: Lease): void {
    const holder = spec?.holderIdentity ?? '';
    if (holder === this.#seenHolder) return;
    this.#seenHolder = holder;
    if (holder !== '') this.#observe({ type: 'LeaderSeen', lease: this.#what, holder });
  }

  #troubleText(error: unknown): string {
    const text = errorText(error);
    if (!isNamespaceTerminating(error)) return text;
    const { namespace } = this.#options;
    return `${text}. No process can be the leader by a Lease in that namespace: to thaw what is frozen in namespace ${namespace}, run \`lifehook controller --namespace OTHER\`, without --namespaced`;
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

/** Another process renews the Lease, and this one was configured not to wait. */
export class LeaseHeld extends LifehookError {
  constructor(lease: string, holder: string) {
    super({
      code: 'LHK105',
      severity: 'error',
      message: `Another controller is the leader: ${holder} renews the Lease ${lease}. A second one would run every hook twice, so this one, which does not wait for the Lease, stops.`,
      next: 'leave out --no-leader-elect: this process then waits for the Lease, and leads after the other controller has stopped. Or stop the other controller. If it belongs to a local cluster, start that cluster with `lifehook up --no-controllers`.',
    });
  }
}

function refuseTimes({ durationMs, renewDeadlineMs, retryMs }: LeaseTimes): void {
  const longestRetryMs = retryMs * (1 + JITTER);
  if (retryMs > 0 && longestRetryMs < renewDeadlineMs && renewDeadlineMs < durationMs) return;
  throw new LifehookError({
    code: 'LHK103',
    message: `A lease needs a retry interval that (with ${JITTER * 100} % added) is shorter than its renew deadline, and that one shorter than its duration; received ${retryMs}, ${renewDeadlineMs} and ${durationMs} ms.`,
    next: 'Keep roughly the ratio of the defaults: 2, 10 and 15 seconds.',
  });
}
