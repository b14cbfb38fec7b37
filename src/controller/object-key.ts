import type { KubeObject, ObjectKey } from '../kube/object.ts';

/** The key of an object in queues and caches: "namespace/name", or "name" for cluster-scoped kinds. */
export function keyOf({ metadata = {} }: KubeObject): string {
  return keyText({ namespace: metadata.namespace ?? '', name: metadata.name ?? '' });
}

export function keyText({ namespace = '', name }: ObjectKey): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** The reverse of `keyOf`. It is exact, because names contain no slash. */
export function parseKey(key: string): ObjectKey {
  const slash = key.indexOf('/');
  if (slash === -1) return { name: key };
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
