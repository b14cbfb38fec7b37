/** What the garbage collector keeps of an object: who it is, who owns it, and in which way it is going. */
import type { KubeObject, OwnerReference, Resource } from '../../../../../src/kube/object.ts';

export interface GraphNode {
  readonly uid: string;
  readonly resource: Resource;
  /** '' for kinds without namespaces. */
  readonly namespace: string;
  readonly name: string;
  readonly owners: readonly OwnerReference[];
  readonly going: boolean;
  /** It goes when those that block it have gone. */
  readonly foreground: boolean;
  /** It goes when its dependents do not name it any more. */
  readonly orphaning: boolean;
}

export const FOREGROUND = 'foregroundDeletion';
export const ORPHAN = 'orphan';

export function nodeOf(resource: Resource, { metadata = {} }: KubeObject): GraphNode {
  const { uid = '', namespace = '', name = '', ownerReferences = [] } = metadata;
  const { finalizers = [], deletionTimestamp } = metadata;
  const going = deletionTimestamp !== undefined;
  return {
    uid,
    resource,
    namespace,
    name,
    owners: ownerReferences,
    going,
    foreground: going && finalizers.includes(FOREGROUND),
    orphaning: going && finalizers.includes(ORPHAN),
  };
}

/** Whether the reference, made by an object of that namespace, is to this very object. */
export function isMeant(
  reference: OwnerReference,
  dependentNamespace: string,
  owner: GraphNode,
): boolean {
  if (owner.uid !== reference.uid || owner.name !== reference.name) return false;
  if (owner.resource.kind !== reference.kind) return false;
  if (groupOf(reference.apiVersion) !== owner.resource.group) return false;
  return owner.namespace === '' || owner.namespace === dependentNamespace;
}

export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash === -1 ? '' : apiVersion.slice(0, slash);
}
