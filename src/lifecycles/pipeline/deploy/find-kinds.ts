/**
 * Maps the kinds of manifests to the API server's resources, by discovery. Also prepares objects for a cluster: their
 * label and namespace, and their order.
 */
import type { KubeClient } from '../../../kube/client.ts';
import { orNull } from '../../../kube/api-error.ts';
import { isObject, textAt } from '../../../kube/fields.ts';
import type { Json, Resource, KubeObject } from '../../../kube/object.ts';
import { makeResource, type LooseObject } from '../../../kube/resources.ts';
import { PROJECT_LABEL } from './inventory.ts';

export class FoundKinds {
  readonly #client: Pick<KubeClient, 'raw'>;
  readonly #groups = new Map<string, ReadonlyMap<string, Resource>>();

  constructor(client: Pick<KubeClient, 'raw'>) {
    this.#client = client;
  }

  /** null: the server has no such kind; the next call asks again. */
  async find(apiVersion: string, kind: string): Promise<Resource | null> {
    const known = this.#groups.get(apiVersion)?.get(kind);
    if (known !== undefined) return known;
    const kinds = await this.#ask(apiVersion);
    this.#groups.set(apiVersion, kinds);
    return kinds.get(kind) ?? null;
  }

  async #ask(apiVersion: string): Promise<ReadonlyMap<string, Resource>> {
    const path = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    return kindsIn(apiVersion, await orNull(this.#client.raw({ method: 'GET', path }), 'NotFound'));
  }
}

function kindsIn(apiVersion: string, answer: Json): ReadonlyMap<string, Resource> {
  const found = new Map<string, Resource>();
  const resources = isObject(answer) ? answer['resources'] : null;
  for (const one of Array.isArray(resources) ? resources : []) {
    if (!isObject(one)) continue;
    const { name, kind, namespaced } = one;
    // "pods/log" is a subresource of pods, whatever its kind.
    if (typeof name !== 'string' || typeof kind !== 'string' || name.includes('/')) continue;
    found.set(
      kind,
      makeResource({ apiVersion, kind, plural: name, namespaced: namespaced === true }),
    );
  }
  return found;
}

interface Place {
  readonly project: string;
  /** The namespace for namespaced objects without one. */
  readonly namespace: string;
  readonly kinds: Pick<FoundKinds, 'find'>;
}

/** Adds the project's label, and sets the namespace of namespaced objects. */
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

/**
 * Whether the objects define this kind as cluster-scoped. Otherwise a kind that the server lacks counts as namespaced,
 * as most kinds are.
 */
function definedWide(objects: readonly KubeObject[], kind: string): boolean {
  return objects.some((object) => {
    if (object.kind !== 'CustomResourceDefinition') return false;
    const { spec }: LooseObject = object;
    return spec?.['scope'] === 'Cluster' && textAt(spec, 'names', 'kind') === kind;
  });
}

/** Kinds that other objects need first. All other objects keep the order of the manifests. */
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
