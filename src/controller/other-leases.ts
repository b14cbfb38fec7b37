/**
 * The Leases by which the same controllers lead from other namespaces. Two Leases do not exclude each other, so
 * a process compares: one that is renewed between two looks belongs to a process that leads. Wall clocks play no
 * part (CTRL-L2), and a holder that has died stays unnoticed. Needs `list` on leases of all namespaces: whoever has no
 * such right sees none. It is deliberately not asked for in roles, since a user who may write Leases in one
 * namespace could then stop the controllers of all.
 */
import type { Lease, LeaseSpec } from 'kubernetes-types/coordination/v1.js';

import { isReason } from '../kube/api-error.ts';
import type { KubeClient } from '../kube/client.ts';
import { leases } from '../kube/resources.ts';
import { sameStroke } from './lease-record.ts';
import type { WatchScope } from './shared-informers.ts';

/** Annotation of a Lease: whether its holder serves all namespaces, or only that of the Lease. Absent: all. */
const SCOPE_ANNOTATION = 'lifehook.dev/lease-scope';
const ONE_NAMESPACE = 'Namespace';

/** For the Lease of a process that serves these objects. */
export function scopeAnnotation({ namespace }: WatchScope): Readonly<Record<string, string>> {
  return { [SCOPE_ANNOTATION]: namespace === undefined ? 'Cluster' : ONE_NAMESPACE };
}

/** A process that leads by another Lease. */
export interface OtherLeader {
  readonly namespace: string;
  readonly holder: string;
}

export interface OtherLeasesOptions {
  readonly client: KubeClient;
  /** The own Lease, which is not looked at. */
  readonly namespace: string;
  readonly name: string;
  /** The objects that this process is to serve. */
  readonly scope: WatchScope;
  /** Whether it is known that the process of this holder has ended. */
  readonly hasEnded: (holder: string) => Promise<boolean>;
}

export interface Look {
  /** Whether there is another Lease with a holder, dead or alive. */
  readonly held: boolean;
  /** Null: none was renewed since the look before this. */
  readonly leader: OtherLeader | null;
  /** Whether the server lets this process list them at all. */
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

  /** Null: forbidden. */
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

  /** Those of two single namespaces have no object in common. */
  #concernsUs(lease: Lease): boolean {
    const { namespace, scope } = this.#options;
    const { holder, namespace: other } = leaderOf(lease);
    if (holder === '' || other === namespace) return false;
    const isOfOne = lease.metadata?.annotations?.[SCOPE_ANNOTATION] === ONE_NAMESPACE;
    return scope.namespace === undefined || !isOfOne;
  }
}

function leaderOf({ metadata, spec }: Lease): OtherLeader {
  return { namespace: metadata?.namespace ?? '', holder: spec?.holderIdentity ?? '' };
}
