/** Prepares objects for a cluster: adds the project's label, and sets the namespace of namespaced objects. */
import type { KubeObject } from '../../../kube/object.ts';
import type { LooseObject } from '../../../kube/resources.ts';
import type { FoundKinds } from './find-kinds.ts';
import { PROJECT_LABEL } from './inventory.ts';

export interface Place {
  readonly project: string;
  /** The namespace for namespaced objects without one. */
  readonly namespace: string;
  readonly kinds: Pick<FoundKinds, 'find'>;
}

export async function placeObjects(
  objects: readonly KubeObject[],
  { project, namespace, kinds }: Place,
): Promise<readonly KubeObject[]> {
  const placed: KubeObject[] = [];
  for (const object of objects) {
    const { metadata = {}, apiVersion = '', kind = '' } = object;
    const resource = await kinds.find(apiVersion, kind);
    const isWide = resource === null ? definedWide(objects, kind) : !resource.namespaced;
    const labels = { ...metadata.labels, [PROJECT_LABEL]: project };
    const where = isWide ? {} : { namespace: metadata.namespace ?? namespace };
    const { namespace: _, ...rest } = metadata;
    placed.push({ ...object, metadata: { ...rest, ...where, labels } });
  }
  return placed;
}

/** For a kind that is not defined yet: most kinds are namespaced. */
function definedWide(objects: readonly KubeObject[], kind: string): boolean {
  return objects.some((object) => {
    if (object.kind !== 'CustomResourceDefinition') return false;
    const { spec }: LooseObject = object;
    const names = spec?.['names'];
    const isNamed = typeof names === 'object' && names !== null && !Array.isArray(names);
    return spec?.['scope'] === 'Cluster' && isNamed && names['kind'] === kind;
  });
}

/** Kinds that other objects need first; the rest keeps the order of the manifests. */
const FIRST = ['Namespace', 'CustomResourceDefinition'];

/**
 * The order in which objects are applied. Pure.
 * Worked example: Deployment a, CustomResourceDefinition b, Namespace c, Service d become c, b, a, d.
 */
export function orderObjects<T extends KubeObject>(objects: readonly T[]): readonly T[] {
  return objects.toSorted((a, b) => rank(a) - rank(b));
}

function rank({ kind = '' }: KubeObject): number {
  const at = FIRST.indexOf(kind);
  return at === -1 ? FIRST.length : at;
}
