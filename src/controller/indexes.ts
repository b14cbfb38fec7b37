/** The indexes that nearly every controller wants, and the mappings that go with them. */
import type { KubeObject, OwnerReference } from '../kube/object.ts';
import { keyOf, keyText } from './object-key.ts';

export function byNamespace({ metadata }: KubeObject): readonly string[] {
  return [metadata?.namespace ?? ''];
}

/** Every owner's, the controlling one's and others'. */
export function byOwnerUid({ metadata }: KubeObject): readonly string[] {
  return (metadata?.ownerReferences ?? []).map(({ uid }) => uid);
}

/** The one owner that controls the object, if there is one. */
export function controllerOf({ metadata }: KubeObject): OwnerReference | undefined {
  return metadata?.ownerReferences?.find(({ controller }) => controller === true);
}

/** Maps an object to itself. */
export function ownKey(object: KubeObject): readonly string[] {
  return [keyOf(object)];
}

/** Maps an object to the owner that controls it, if that is of this kind; it is in the same namespace. */
export function controllerKey(owner: {
  readonly group: string;
  readonly kind: string;
}): (object: KubeObject) => readonly string[] {
  return (object) => {
    const found = controllerOf(object);
    if (found === undefined || found.kind !== owner.kind) return [];
    if (groupOf(found.apiVersion) !== owner.group) return [];
    return [keyText({ namespace: object.metadata?.namespace ?? '', name: found.name })];
  };
}

/** The version does not count: a reference keeps the one it was made with. */
function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash === -1 ? '' : apiVersion.slice(0, slash);
}
