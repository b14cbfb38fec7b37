/** Maps the kinds of manifests to the API server's resources, by discovery, once per group version. */
import type { KubeClient } from '../../../kube/client.ts';
import { isReason } from '../../../kube/api-error.ts';
import { isObject } from '../../../kube/fields.ts';
import type { Json, Resource } from '../../../kube/object.ts';
import { makeResource } from '../../../kube/resources.ts';

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
    try {
      return kindsIn(apiVersion, await this.#client.raw({ method: 'GET', path }));
    } catch (error) {
      if (isReason(error, 'NotFound')) return new Map();
      throw error;
    }
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
