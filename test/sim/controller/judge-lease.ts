/**
 * Judges one process and the Lease:
 *
 *  CTRL-L5 When the process reads its own write or a term that it won, its next request takes the Lease.
 *  CTRL-M2 A leader that was asked to stop leaves the Lease free, unless it reported that it lost the Lease or cannot
 *     release it.
 *  CTRL-M3 A process releases the Lease only while it runs no pass.
 */
import type { Lease, LeaseSpec } from 'kubernetes-types/coordination/v1.js';

import type { ControllerEvent } from '../../../src/controller/controller-event.ts';
import { sameStroke, sameTerm } from '../../../src/controller/lease-record.ts';
import type { KubeClient } from '../../../src/kube/client.ts';
import { leases } from '../../../src/kube/resources.ts';
import type { SimApi } from './sim-api.ts';
import type { SimHost } from './sim-host.ts';

export interface LeaseJudgeOptions {
  readonly host: SimHost;
  readonly api: SimApi;
  readonly lease: { readonly namespace: string; readonly name: string };
  /** Aborted when the process is asked to stop. */
  readonly signal: AbortSignal;
  /** True while the process reconciles a key. */
  readonly isReconciling: () => boolean;
}

export class LeaseJudge {
  readonly #options: LeaseJudgeOptions;
  #sent: LeaseSpec | null = null;
  #won: LeaseSpec | null = null;
  /** True if the process has read its own record, so that its next request must be a write. */
  #isOwn = false;
  /**
   * True if the process does not lead, has released the Lease, or has reported why it cannot. A released Lease may have
   * its name again: a backup of the server restores it.
   */
  #mayKeep = true;

  constructor(options: LeaseJudgeOptions) {
    this.#options = options;
  }

  /** A client for the Lease whose requests and answers are judged. */
  watching(client: KubeClient): KubeClient {
    return {
      ...client,
      get: async (resource, key, options) => {
        this.#judgeRead();
        const read = await client.get(resource, key, options);
        this.#isOwn = this.#isTaken((read as Lease).spec);
        return read;
      },
      create: async (resource, object, options) =>
        this.#written(object as Lease, () => client.create(resource, object, options)),
      replace: async (resource, object, options) =>
        this.#written(object as Lease, () => client.replace(resource, object, options)),
    };
  }

  observe({ type }: ControllerEvent): void {
    if (type === 'LeadershipGained') this.#mayKeep = false;
    const isTrouble = type === 'LeaseTroubled' && this.#options.signal.aborted;
    if (isTrouble || type === 'LeadershipLost') this.#mayKeep = true;
  }

  /** CTRL-M2: call it when the process has ended. */
  ended(): void {
    const { host, api, lease, signal } = this.#options;
    if (!signal.aborted || this.#mayKeep) return;
    const spec = api.find(leases, lease)?.spec as LeaseSpec | undefined;
    if (spec?.holderIdentity !== host.name) return;
    host.world.violate('CTRL-M2', `${host.name} has stopped, and has not released its Lease`);
  }

  #judgeRead(): void {
    const { host } = this.#options;
    if (this.#isOwn) host.world.violate('CTRL-L5', `${host.name} does not take its own Lease`);
  }

  #judgeRelease(): void {
    const { host, isReconciling } = this.#options;
    if (isReconciling()) {
      host.world.violate('CTRL-M3', `${host.name} releases its Lease while a pass runs`);
    }
  }

  async #written<T>({ spec }: Lease, write: () => Promise<T>): Promise<T> {
    this.#isOwn = false;
    this.#sent = spec ?? null;
    const isRelease = (spec?.holderIdentity ?? '') === '';
    if (isRelease) this.#judgeRelease();
    const written = await write();
    this.#won = (written as Lease).spec ?? null;
    if (isRelease) this.#mayKeep = true;
    return written;
  }

  #isTaken(spec: LeaseSpec = {}): boolean {
    if (spec.holderIdentity !== this.#options.host.name) return false;
    if (this.#sent !== null && sameStroke(spec, this.#sent)) return true;
    return this.#won !== null && sameTerm(spec, this.#won);
  }
}
