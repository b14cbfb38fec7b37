/** In which order objects are applied. Pure. */
import type { KubeObject } from '../../../kube/object.ts';

/** What other objects need to be there first; the rest keeps the order of the manifests. */
const FIRST = ['Namespace', 'CustomResourceDefinition'];

/** Worked example: Deployment a, CustomResourceDefinition b, Namespace c, Service d become c, b, a, d. */
export function orderObjects<T extends KubeObject>(objects: readonly T[]): readonly T[] {
  return objects.toSorted((a, b) => rank(a) - rank(b));
}

function rank({ kind = '' }: KubeObject): number {
  const at = FIRST.indexOf(kind);
  return at === -1 ? FIRST.length : at;
}
