/**
 * Finds Leases with which the same controllers lead from other namespaces. Two Leases do not exclude each other, so a
 * process reads each of them twice. A Lease that was renewed in between belongs to a process that leads. Wall clocks
 * are not used (CTRL-L2), and a dead holder is ignored. Needs `list` on leases in all namespaces; without that
 * permission no other Lease is found. The installed roles deliberately do not grant it: otherwise a user who may write
 * Leases in one namespace could stop the controllers of all namespaces.
 */
import type { Lease, LeaseSpec } from 'kubernetes-types/coordination/v1.js';

import { isReason } from '../kube/api-error.ts';
import type { KubeClient } from '../kube/client.ts';
import { leases } from '../kube/resources.ts';
import { sameStroke } from './lease-record.ts';
import type { WatchScope } from './shared-informers.ts';

/** Annotation of a Lease: whether its holder serves all namespaces, or only the namespace of the Lease. Absent: all. */
const SCOPE_ANNOTATION = 'lifehook.dev/lease-scope';
const ONE_NAMESPACE = 'Namespace';

/** The annotation for the Lease of a process that serves these objects. */
export function scopeAnnotation({ namespace }: WatchScope): Readonly<Record<string, string>> {
  return { [SCOPE_ANNOTATION]: namespace === undefined ? 'Cluster' : ONE_NAMESPACE };
}

/** Another process that leads, with a Lease of another namespace. */
export interface OtherLeader {
  readonly namespace: string;
  readonly holder: string;
}

export interface OtherLeasesOptions {
  readonly client: KubeClient;
  /** Namespace of our own Lease, which is ignored. */
  readonly namespace: string;
  readonly name: string;
  /** The objects that this process would serve. */
  readonly scope: WatchScope;
  /** Whether the process of this holder is known to have exited. */
  readonly hasEnded: (holder: string) => Promise<boolean>;
}

export interface Look {
  /** Whether another Lease has a holder that is not known to have exited. */
  readonly held: boolean;
  /** null: no other Lease was renewed since the previous check. */
  readonly leader: OtherLeader | null;
  /** Whether the server allows this process to list Leases. */
  readonly allowed: boolean;
}

export class OtherLeases {
  readonly #options: OtherLeasesOptions;
  #before = new Map<string, LeaseSpec>();

  constructor(options: OtherLeasesOptions) {
    this.#options = options;
  }

  async look(): Promise<Look> {
    const all = await this.#list();
    if (all === null) return { held: false, leader: null, allowed: false };
    const held = await this.#heldOf(all);
    const renewed = held.find(({ metadata, spec }) => {
      const before = this.#before.get(metadata?.uid ?? '');
      return before !== undefined && !sameStroke(before, spec);
    });
    this.#before = new Map(held.map(({ metadata, spec }) => [metadata?.uid ?? '', spec ?? {}]));
    const leader = renewed === undefined ? null : leaderOf(renewed);
    return { held: held.length > 0, leader, allowed: true };
  }

  async #heldOf(all: readonly Lease[]): Promise<readonly Lease[]> {
    const found = all.filter((lease) => this.#concernsUs(lease));
    const ended = await Promise.all(
      found.map((lease) => this.#options.hasEnded(leaderOf(lease).holder)),
    );
    return found.filter((_, index) => ended[index] !== true);
  }

  /** The Leases of this name in all namespaces; null: listing them is forbidden. */
  async #list(): Promise<readonly Lease[] | null> {
    const { client, name } = this.#options;
    try {
      const named = { fieldSelector: `metadata.name=${name}` };
      return (await client.list(leases, named)).items;
    } catch (error) {
      if (isReason(error, 'Forbidden')) return null;
      throw error;
    }
  }

  /** Whether the holder may serve the same objects. Controllers of two single namespaces share no object. */
  #concernsUs(lease: Lease): boolean {
    const { namespace, scope } = this.#options;
    const { holder, namespace: other } = leaderOf(lease);
    if (holder === '' || other === namespace) return false;
    const isOfOne = lease.metadata?.annotations?.[SCOPE_ANNOTATION] === ONE_NAMESPACE;
    return scope.namespace === undefined || !isOfOne;
  }
}

function leaderOf({ metadata, spec }: Lease): OtherLeader {
  const { holderIdentity: holder = '' } = spec ?? {};
  return { namespace: metadata?.namespace ?? '', holder };
}
