/**
 * Judges the sample controller and everything under it, from outside:
 *
 *  CTRL-S1 In one term, a process never runs two reconciles of the same key in parallel.
 *  CTRL-S2 A process holds the Lease when it sends a write, and does not release it during a reconcile. No two terms
 *     have the same token. A leader whose Lease a user edits learns that with its next renewal.
 *  CTRL-S4 A widget is removed only when none of the acknowledged children is left.
 *  CTRL-S5 When the faults end, every widget gets its children, and then no process writes any more.
 */
import { controllerOf } from '../../../src/controller/indexes.ts';
import { isTerminating } from '../../../src/controller/finalizers.ts';
import type { FencingToken } from '../../../src/controller/leadership.ts';
import { configMaps, leases } from '../../../src/kube/resources.ts';
import { isReason } from '../../../src/kube/api-error.ts';
import { resourceName } from '../../../src/kube/object.ts';
import type { World } from '../world.ts';
import { type Widget, widgets } from './sample-controller.ts';
import type { Entry, SimApi, Stored } from './sim-api.ts';
import type { SimWrite } from './sim-client.ts';

export const LEASE = { namespace: 'system', name: 'sample' };

/** Maximum time that a process leads without a renewal, in milliseconds on the slowest clock. */
const LONGEST_TERM_MS = 12_000;

export class Judge {
  readonly #world: World;
  readonly #api: SimApi;
  readonly #inHand = new Set<string>();
  #holder = '';
  /** Simulated time until which a leader may still act after a user edited its Lease, keyed by leader. */
  readonly #deposed = new Map<string, number>();
  #isEditing = false;
  /** Simulated time of the last write of the Lease, in milliseconds. */
  leaseMs: number = 0;
  readonly #tokens = new Set<string>();
  readonly #acknowledged = new Set<string>();

  constructor(world: World, api: SimApi) {
    this.#world = world;
    this.#api = api;
    api.onCommit((entry) => {
      this.#look(entry);
    });
    // A restore loses the terms since the backup, so their numbers are used again.
    api.onRestore(() => {
      this.#tokens.clear();
    });
  }

  /** True while any process reconciles a key. */
  get isReconciling(): boolean {
    return this.#inHand.size > 0;
  }

  /** True while this process reconciles a key. */
  reconciles(process: string): boolean {
    return [...this.#inHand].some((id) => id.startsWith(`${process} `));
  }

  /** CTRL-S1: call when a reconcile begins. Returns the function to call at its end. */
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

  /** CTRL-S2: each term has a new token. */
  beginTerm(process: string, { leaseUid, transitions }: FencingToken): void {
    const token = `${leaseUid}/${transitions}`;
    this.#world.note(`${process} leads with ${token}`);
    if (this.#tokens.has(token))
      this.#world.violate('CTRL-S2', `${process} leads again with ${token}`);
    this.#tokens.add(token);
  }

  /** Lets a user edit the Lease. The leader may act until its next renewal fails. */
  editLease(edit: () => void): void {
    this.#deposed.set(this.#holder, this.#world.elapsedMs + LONGEST_TERM_MS);
    this.#isEditing = true;
    edit();
    this.#isEditing = false;
  }

  sent({ host, verb, resource }: SimWrite): void {
    if (resource === resourceName(leases)) return;
    const holder = this.#leader();
    if (holder === host.name || this.#deposedNow().includes(host.name)) return;
    this.#world.violate('CTRL-S2', `${host.name} sends ${verb}; ${holder} leads`);
  }

  /**
   * Remembers the created child of a widget. A child that was created while two processes may act does not count: the
   * other process may delete the widget.
   */
  answered({ host, verb, resource }: SimWrite, answer: Stored | null): void {
    if (verb !== 'create' || answer === null || resource !== resourceName(configMaps)) return;
    if (this.#deposedNow().length > 0 || this.#leader() !== host.name) return;
    this.#acknowledged.add(answer.metadata.uid ?? '');
  }

  /**
   * Notes that a deposed leader has received the response that its Lease was deleted: from then on it may no longer
   * act.
   */
  refused({ host, resource }: SimWrite, refusal: Error): void {
    if (resource !== resourceName(leases) || !isReason(refusal, 'NotFound')) return;
    this.#deposed.delete(host.name);
  }

  #deposedNow(): readonly string[] {
    const { elapsedMs } = this.#world;
    return [...this.#deposed].flatMap(([host, untilMs]) => (elapsedMs <= untilMs ? [host] : []));
  }

  #leader(): string | undefined {
    const lease = this.#api.find(leases, LEASE)?.spec as { holderIdentity?: string } | undefined;
    return lease?.holderIdentity;
  }

  #look({ resource, type, object }: Entry): void {
    this.#world.note(
      () => `server: ${type} ${resource} ${object.metadata.name} ${JSON.stringify(object)}`,
    );
    if (resource === resourceName(leases)) this.#judgeLease(object);
    if (resource === resourceName(widgets) && type === 'Delete') this.#judgeEnd(object);
  }

  /** CTRL-S2: no process releases the Lease during a reconcile. */
  #judgeLease({ spec }: Stored): void {
    this.leaseMs = this.#world.elapsedMs;
    const { holderIdentity = '' } = spec as { holderIdentity?: string };
    const before = this.#holder;
    this.#holder = holderIdentity;
    if (holderIdentity !== '' || this.#isEditing) return;
    const pass = [...this.#inHand].find((id) => id.startsWith(`${before} `));
    if (pass !== undefined)
      this.#world.violate('CTRL-S2', `${before} gives up its lease in ${pass}`);
  }

  /** CTRL-S4: judges the removal of a widget. */
  #judgeEnd({ metadata: { name, uid = '' } }: Stored): void {
    const left = this.childrenOf(uid).filter((child) =>
      this.#acknowledged.has(child.metadata.uid ?? ''),
    );
    if (left.length > 0)
      this.#world.violate('CTRL-S4', `${name} is deleted, ${left.length} children are not`);
  }

  childrenOf(owner: string): Stored[] {
    return this.#api.list(configMaps).filter((child) => controllerOf(child)?.uid === owner);
  }

  /** CTRL-S5: describes something that is not converged yet; null if everything is. */
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
    if (isTerminating(widget)) return 'it is still terminating';
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
