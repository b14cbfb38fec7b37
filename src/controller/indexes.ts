/** Common indexes, and the functions that map objects to keys. */
import { groupOf, type KubeObject, type OwnerReference } from '../kube/object.ts';
import { keyOf, keyText } from './object-key.ts';

export function byNamespace({ metadata }: KubeObject): readonly string[] {
  return [metadata?.namespace ?? ''];
}

/** The UIDs of all owners, not only of the controlling one. */
export function byOwnerUid({ metadata }: KubeObject): readonly string[] {
  return (metadata?.ownerReferences ?? []).map(({ uid }) => uid);
}

/** The owner that controls the object; undefined: there is none. */
export function controllerOf({ metadata }: KubeObject): OwnerReference | undefined {
  return metadata?.ownerReferences?.find(({ controller }) => controller === true);
}

export function ownKey(object: KubeObject): readonly string[] {
  return [keyOf(object)];
}

/** Maps an object to the key of its controlling owner, if the owner is of this kind. Both are in the same namespace. */
export function controllerKey(owner: {
  readonly group: string;
  readonly kind: string;
}): (object: KubeObject) => readonly string[] {
  return (object) => {
    const found = controllerOf(object);
    if (found === undefined || found.kind !== owner.kind) return [];
    // The version is ignored: a reference keeps the version with which it was written.
    if (groupOf(found.apiVersion) !== owner.group) return [];
    return [keyText({ namespace: object.metadata?.namespace ?? '', name: found.name })];
  };
}
