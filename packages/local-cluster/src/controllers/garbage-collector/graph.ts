/**
 * Keeps owners and dependents as the watches report them. Each change returns the uids to reconcile.
 *
 * The graph may be stale: a reconcile reads the server before it deletes anything.
 *
 * - The dependents of a uid are found even if the owner was never seen.
 * - An object is reconciled if one of its owners is missing, is deleted, or is deleted in the foreground.
 * - An owner that is deleted in the foreground is reconciled whenever one of its dependents changes.
 */
import {
  groupOf,
  type KubeObject,
  type OwnerReference,
  type Resource,
} from '../../../../../src/kube/object.ts';

/** An object as the garbage collector sees it: its identity, its owners, and how it is being deleted. */
export interface GraphNode {
  readonly uid: string;
  readonly resource: Resource;
  /** Namespace of the object; '' for a cluster-scoped kind. */
  readonly namespace: string;
  readonly name: string;
  readonly owners: readonly OwnerReference[];
  readonly terminating: boolean;
  /** True if the object is deleted in the foreground: after the dependents that block it. */
  readonly foreground: boolean;
  /** True if the object is deleted with the policy Orphan: once no dependent refers to it. */
  readonly orphaning: boolean;
}

export const FOREGROUND = 'foregroundDeletion';
export const ORPHAN = 'orphan';

export function nodeOf(resource: Resource, { metadata = {} }: KubeObject): GraphNode {
  const { uid = '', namespace = '', name = '', ownerReferences = [] } = metadata;
  const { finalizers = [], deletionTimestamp } = metadata;
  const terminating = deletionTimestamp !== undefined;
  return {
    uid,
    resource,
    namespace,
    name,
    owners: ownerReferences,
    terminating,
    foreground: terminating && finalizers.includes(FOREGROUND),
    orphaning: terminating && finalizers.includes(ORPHAN),
  };
}

/** True if a reference from an object in `dependentNamespace` is to this owner. */
function isMeant(reference: OwnerReference, dependentNamespace: string, owner: GraphNode): boolean {
  if (owner.uid !== reference.uid || owner.name !== reference.name) return false;
  if (owner.resource.kind !== reference.kind) return false;
  if (groupOf(reference.apiVersion) !== owner.resource.group) return false;
  return owner.namespace === '' || owner.namespace === dependentNamespace;
}

export const MAX_NODES = 500_000;

export class OwnerGraph {
  readonly #nodes = new Map<string, GraphNode>();
  readonly #dependents = new Map<string, Set<string>>();

  get size(): number {
    return this.#nodes.size;
  }

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  dependentsOf(uid: string): readonly GraphNode[] {
    return [...(this.#dependents.get(uid) ?? [])].flatMap((each) => this.#nodes.get(each) ?? []);
  }

  /** The dependents that a foreground deletion of `uid` waits for. */
  blocking(uid: string): readonly GraphNode[] {
    return this.dependentsOf(uid).filter(({ owners }) =>
      owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true),
    );
  }

  set(node: GraphNode): readonly string[] {
    const before = this.#nodes.get(node.uid);
    if (before === undefined && this.#nodes.size >= MAX_NODES) {
      throw new Error(`the garbage collector keeps at most ${MAX_NODES} objects`);
    }
    this.#unlink(before);
    this.#nodes.set(node.uid, node);
    for (const { uid } of node.owners) this.#dependentsFor(uid).add(node.uid);
    return [
      ...this.#ownersThatWait(before),
      ...this.#ownersThatWait(node),
      ...this.#itself(node),
      ...this.#dependentsToNotify(before, node),
    ];
  }

  remove(uid: string): readonly string[] {
    const node = this.#nodes.get(uid);
    if (node === undefined) return [];
    this.#unlink(node);
    this.#nodes.delete(uid);
    return [...this.#ownersThatWait(node), ...this.#uidsOfDependents(uid)];
  }

  /** The object's references to owners that live in another namespace. */
  misplaced(node: GraphNode): readonly GraphNode['owners'][number][] {
    return node.owners.filter((reference) => {
      const owner = this.#nodes.get(reference.uid);
      if (owner === undefined || owner.namespace === '') return false;
      return owner.namespace !== node.namespace;
    });
  }

  #itself(node: GraphNode): readonly string[] {
    const ownEnd = node.foreground || node.orphaning;
    if (ownEnd) return [node.uid];
    if (node.terminating) return [];
    const settled = node.owners.every((reference) => {
      const owner = this.#nodes.get(reference.uid);
      return owner !== undefined && !owner.foreground && isMeant(reference, node.namespace, owner);
    });
    return settled ? [] : [node.uid];
  }

  /**
   * The dependents to reconcile after a change of this owner. If its foreground deletion begins: all. If it is seen for
   * the first time: those whose reference to it has another name, kind, group or namespace than the owner.
   */
  #dependentsToNotify(before: GraphNode | undefined, node: GraphNode): readonly string[] {
    const news = before === undefined || before.foreground !== node.foreground;
    if (!news) return [];
    return this.dependentsOf(node.uid)
      .filter((dependent) => {
        const references = dependent.owners.filter(({ uid }) => uid === node.uid);
        const wrong = references.some(
          (reference) => !isMeant(reference, dependent.namespace, node),
        );
        return node.foreground || wrong;
      })
      .map(({ uid }) => uid);
  }

  #ownersThatWait(node: GraphNode | undefined): readonly string[] {
    const uids = (node?.owners ?? []).map(({ uid }) => uid);
    return uids.filter((uid) => this.#nodes.get(uid)?.foreground === true);
  }

  #uidsOfDependents(uid: string): readonly string[] {
    return this.dependentsOf(uid).map((each) => each.uid);
  }

  #unlink(node: GraphNode | undefined): void {
    for (const { uid } of node?.owners ?? []) {
      const dependents = this.#dependents.get(uid);
      dependents?.delete(node?.uid ?? '');
      if (dependents?.size === 0) this.#dependents.delete(uid);
    }
  }

  #dependentsFor(uid: string): Set<string> {
    const dependents = this.#dependents.get(uid) ?? new Set<string>();
    this.#dependents.set(uid, dependents);
    return dependents;
  }
}
