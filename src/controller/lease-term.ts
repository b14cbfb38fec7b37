/**
 * One term of leadership: renews the Lease, and ends when it can no longer be proven. The invariants are in lease.ts.
 */
import type { Lease, LeaseSpec } from 'kubernetes-types/coordination/v1.js';

import { isReason } from '../kube/api-error.ts';
import type { KubeClient } from '../kube/client.ts';
import { leases } from '../kube/resources.ts';
import { errorText } from '../platform/error-text.ts';
import type { CancelSignal, Platform } from '../platform/platform.ts';
import { sleep } from '../platform/sleep.ts';
import type { Observe } from './controller-event.ts';
import { JITTER, type LeaseTimes, released, renewed, sameTerm } from './lease-record.ts';
import type { FencingToken, Leadership } from './leadership.ts';

/** Time of the last write that this process sent and that is known to have taken effect. */
export interface Proof {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/** The last record that this process sent, whatever its result. */
export interface LeaseWrites {
  last: LeaseSpec | null;
}

export interface LeaseTermOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly name: string;
  readonly platform: Pick<Platform, 'clock' | 'timers'>;
  readonly random: () => number;
  readonly times: LeaseTimes;
  readonly observe: Observe;
  readonly writes: LeaseWrites;
  readonly lease: Lease;
  readonly proof: Proof;
}

export class LeaseTerm implements Leadership {
  readonly token: FencingToken;
  readonly #options: LeaseTermOptions;
  readonly #over = new AbortController();
  readonly #renewing: Promise<void>;
  #lease: Lease;
  #proof: Proof;
  #callOff: () => void = () => {};

  constructor(options: LeaseTermOptions) {
    this.#options = options;
    this.#lease = options.lease;
    this.#proof = options.proof;
    const { metadata, spec } = options.lease;
    this.token = { leaseUid: metadata?.uid ?? '', transitions: spec?.leaseTransitions ?? 0 };
    this.#watchDeadline();
    this.#renewing = this.#renewAll();
  }

  get signal(): CancelSignal {
    return this.#over.signal;
  }

  isProven(): boolean {
    if (this.#over.signal.aborted) return false;
    if (this.#leftMs() > 0) return true;
    this.#lose(`it could not be renewed for ${this.#options.times.renewDeadlineMs} ms`);
    return false;
  }

  async release(): Promise<void> {
    const held = this.isProven();
    this.#end();
    // Waits for a running renewal, which would conflict with the write that releases the Lease.
    await this.#renewing;
    if (!held) return;
    const { client, platform, writes } = this.#options;
    const spec = released(this.#lease.spec ?? {}, platform.clock.nowMs());
    writes.last = spec;
    try {
      await client.replace(leases, { ...this.#lease, spec }, this.#timeout());
    } catch (error) {
      // Harmless: another process can acquire the Lease once it expires.
      this.#trouble(`it could not be released: ${errorText(error)}`);
    }
  }

  async #renewAll(): Promise<void> {
    const { platform, times, random } = this.#options;
    while (!this.#over.signal.aborted) {
      await sleep(platform.timers, times.retryMs * (1 + JITTER * random()), this.#over.signal);
      if (!this.isProven()) return;
      await this.#renew();
    }
  }

  async #renew(): Promise<void> {
    try {
      await this.#writeOrReadAgain();
    } catch (error) {
      if (isReason(error, 'NotFound')) this.#lose('it was deleted');
      // The next renewal retries; the deadline of the term is not extended.
      else this.#trouble(errorText(error));
    }
  }

  async #writeOrReadAgain(): Promise<void> {
    try {
      await this.#write();
    } catch (error) {
      if (!isReason(error, 'Conflict')) throw error;
      await this.#readAgain();
    }
  }

  /** Writes a renewal. Reads the clocks before the write is sent (CTRL-L1). */
  async #write(): Promise<void> {
    const { client, platform, writes } = this.#options;
    const proof = { monotonicMs: platform.clock.monotonicMs(), wallMs: platform.clock.nowMs() };
    const spec = renewed(this.#lease.spec ?? {}, proof.wallMs);
    writes.last = spec;
    this.#lease = await client.replace(leases, { ...this.#lease, spec }, this.#timeout());
    this.#proof = proof;
    this.#watchDeadline();
  }

  /**
   * Handles a conflict. The newer version may be a renewal of ours whose answer was lost, a label that another client
   * added, or the term of another process.
   */
  async #readAgain(): Promise<void> {
    const { client, namespace, name } = this.#options;
    const found = await client.get(leases, { namespace, name }, this.#timeout());
    const sameObject = found.metadata?.uid === this.token.leaseUid;
    if (!sameObject || !sameTerm(found.spec, this.#lease.spec)) {
      const { holderIdentity = '' } = found.spec ?? {};
      const isFree = holderIdentity === '';
      this.#lose(isFree ? 'another process has released it' : `${holderIdentity} has taken it`);
      return;
    }
    this.#lease = found;
    await this.#write();
  }

  /**
   * Milliseconds left of the term. Uses both clocks: the monotonic clock may stop while a machine is suspended, and the
   * wall clock may be set.
   */
  #leftMs(): number {
    const { clock } = this.#options.platform;
    const passedMs = clock.monotonicMs() - this.#proof.monotonicMs;
    const wallPassedMs = clock.nowMs() - this.#proof.wallMs;
    return this.#options.times.renewDeadlineMs - Math.max(passedMs, wallPassedMs);
  }

  #watchDeadline(): void {
    this.#callOff();
    if (this.#over.signal.aborted) return;
    this.#callOff = this.#options.platform.timers.after(Math.max(1, this.#leftMs()), () => {
      if (this.isProven()) this.#watchDeadline();
    });
  }

  #lose(reason: string): void {
    if (this.#over.signal.aborted) return;
    const { observe } = this.#options;
    observe({ type: 'LeadershipLost', lease: this.#what, reason });
    this.#end();
  }

  #end(): void {
    this.#callOff();
    this.#over.abort();
  }

  #trouble(reason: string): void {
    this.#options.observe({ type: 'LeaseTroubled', lease: this.#what, reason });
  }

  #timeout(): { readonly timeoutMs: number } {
    return { timeoutMs: this.#options.times.renewDeadlineMs / 2 };
  }

  get #what(): string {
    return `${this.#options.namespace}/${this.#options.name}`;
  }
}
