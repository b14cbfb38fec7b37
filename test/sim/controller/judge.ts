/**
 * What is demanded of the sample controller and of everything under it, seen from outside:
 *
 *  CTRL-S1 Never two passes of one key at once in one term of one process.
 *  CTRL-S2 Who sends a write holds the lease at that moment, no two terms have the same token, and nobody gives
 *     the lease away in the middle of a pass.
 *  CTRL-S3 Nobody creates another child who has been told that all of its children were made, and those are
 *     alive: a cache that lags behind is no reason.
 *  CTRL-S4 A widget goes only when none of the children is left that were acknowledged.
 *  CTRL-S5 When the faults end, every widget gets what it asks for, and then nobody writes any more.
 */
import { controllerOf } from '../../../src/controller/indexes.ts';
import { isGoing } from '../../../src/controller/finalizers.ts';
import type { FencingToken } from '../../../src/controller/leadership.ts';
import { configMaps, leases } from '../../../src/kube/resources.ts';
import { resourceName } from '../../../src/kube/object.ts';
import type { World } from '../world.ts';
import { type Widget, widgets } from './sample-controller.ts';
import type { Entry, SimApi, Stored } from './sim-api.ts';
import type { SimWrite } from './sim-client.ts';

export const LEASE = { namespace: 'system', name: 'sample' };

export class Judge {
  readonly #world: World;
  readonly #api: SimApi;
  readonly #inHand = new Set<string>();
  #holder = '';
  /** When the lease was written last. */
  leaseMs: number = 0;
  readonly #tokens = new Set<string>();
  /** By process and owner: the children that the process was told to have made. */
  readonly #made = new Map<string, Set<string>>();
  readonly #acknowledged = new Set<string>();
  /** By owner: the most children that were ever asked for. */
  readonly #mostWanted = new Map<string, number>();

  constructor(world: World, api: SimApi) {
    this.#world = world;
    this.#api = api;
    api.onCommit((entry) => {
      this.#look(entry);
    });
    // The record of the terms since the backup is gone: their numbers come again.
    api.onRestore(() => {
      this.#tokens.clear();
    });
  }

  /** A key is in hand, of whichever process. */
  get isReconciling(): boolean {
    return this.#inHand.size > 0;
  }

  /** CTRL-S1. */
  beginPass(process: string, key: string): () => void {
    const id = `${process} ${key}`;
    this.#world.note(`pass ${id} begins`);
    if (this.#inHand.has(id)) this.#world.violate('CTRL-S1', `two passes of ${id} at once`);
    this.#inHand.add(id);
    return () => {
      this.#world.note(`pass ${id} ends`);
      this.#inHand.delete(id);
    };
  }

  /** CTRL-S2. */
  beginTerm(process: string, { leaseUid, transitions }: FencingToken): void {
    const token = `${leaseUid}/${transitions}`;
    this.#world.note(`${process} leads with ${token}`);
    if (this.#tokens.has(token))
      this.#world.violate('CTRL-S2', `${process} leads again with ${token}`);
    this.#tokens.add(token);
  }

  sent({ host, verb, resource, object }: SimWrite): void {
    if (resource === resourceName(leases)) return;
    const holder = this.#api.find(leases, LEASE)?.spec as { holderIdentity?: string } | undefined;
    if (holder?.holderIdentity !== host.name) {
      this.#world.violate('CTRL-S2', `${host.name} sends ${verb}; ${holder?.holderIdentity} leads`);
    }
    const owner = controllerOf(object)?.uid;
    if (verb === 'create' && owner !== undefined) this.#judgeCreation(host.name, owner);
  }

  /** CTRL-S3. */
  #judgeCreation(process: string, owner: string): void {
    const made = this.#made.get(`${process} ${owner}`) ?? new Set();
    const alive = this.childrenOf(owner).filter(
      (child) => made.has(child.metadata.uid ?? '') && !isGoing(child),
    );
    const wanted = this.#mostWanted.get(owner) ?? 0;
    if (alive.length < wanted) return;
    this.#world.violate(
      'CTRL-S3',
      `${process} has made ${alive.length} of ${wanted}, and makes another`,
    );
  }

  answered({ host, verb, resource }: SimWrite, answer: Stored | null): void {
    if (verb !== 'create' || answer === null || resource !== resourceName(configMaps)) return;
    const uid = answer.metadata.uid ?? '';
    const id = `${host.name} ${controllerOf(answer)?.uid}`;
    this.#made.set(id, (this.#made.get(id) ?? new Set()).add(uid));
    this.#acknowledged.add(uid);
  }

  #look({ resource, type, object }: Entry): void {
    this.#world.note(
      () => `server: ${type} ${resource} ${object.metadata.name} ${JSON.stringify(object)}`,
    );
    if (resource === resourceName(leases)) this.#judgeLease(object);
    if (resource === resourceName(configMaps) && type === 'Delete') this.#forget(object);
    if (resource !== resourceName(widgets)) return;
    const { uid = '' } = object.metadata;
    const wanted = (object as Widget).spec?.children ?? 0;
    this.#mostWanted.set(uid, Math.max(wanted, this.#mostWanted.get(uid) ?? 0));
    if (type === 'Delete') this.#judgeEnd(object);
  }

  /** A server that is put back to an older state may have it again: who saw it go does not know. */
  #forget({ metadata }: Stored): void {
    for (const made of this.#made.values()) made.delete(metadata.uid ?? '');
  }

  /** CTRL-S2. */
  #judgeLease({ spec }: Stored): void {
    this.leaseMs = this.#world.elapsedMs;
    const { holderIdentity = '' } = spec as { holderIdentity?: string };
    const before = this.#holder;
    this.#holder = holderIdentity;
    if (holderIdentity !== '') return;
    const pass = [...this.#inHand].find((id) => id.startsWith(`${before} `));
    if (pass !== undefined)
      this.#world.violate('CTRL-S2', `${before} gives up its lease in ${pass}`);
  }

  /** CTRL-S4. */
  #judgeEnd({ metadata: { name, uid = '' } }: Stored): void {
    const left = this.childrenOf(uid).filter((child) =>
      this.#acknowledged.has(child.metadata.uid ?? ''),
    );
    if (left.length > 0)
      this.#world.violate('CTRL-S4', `${name} is gone, ${left.length} children are not`);
  }

  childrenOf(owner: string): Stored[] {
    return this.#api.list(configMaps).filter((child) => controllerOf(child)?.uid === owner);
  }

  /** CTRL-S5: what is missing for every widget to have what it asks for; null: nothing. */
  missing(): string | null {
    const all = this.#api.list(widgets);
    for (const widget of all) {
      const lack = this.#lack(widget);
      if (lack !== null) return `${widget.metadata.name}: ${lack}`;
    }
    const owners = new Set(all.map(({ metadata }) => metadata.uid));
    const orphan = this.#api
      .list(configMaps)
      .find((child) => !owners.has(controllerOf(child)?.uid));
    return orphan === undefined ? null : `${orphan.metadata.name} has no owner`;
  }

  #lack(widget: Stored): string | null {
    if (isGoing(widget)) return 'it is still going';
    const wanted = (widget as Widget).spec?.children ?? 0;
    const have = this.childrenOf(widget.metadata.uid ?? '').length;
    if (have !== wanted) return `it has ${have} children and asks for ${wanted}`;
    return saysReady(widget as Widget, wanted) ? null : 'its status is not up to date';
  }
}

function saysReady({ metadata, status = {} }: Widget, wanted: number): boolean {
  const { children, observedGeneration, conditions = [] } = status;
  const ready = conditions.some(({ type, status: said }) => type === 'Ready' && said === 'True');
  return ready && children === wanted && observedGeneration === metadata?.generation;
}
