/** Deletes claims that a pod still uses and into whose volumes hooks still write. So it retains their volumes. */
import type { PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';

import type { KubeClient } from '../../src/kube/client.ts';
import { getOrNull } from '../../src/kube/get-or-null.ts';
import { persistentVolumeClaims, persistentVolumes } from '../../src/kube/resources.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';

export class RetainedClaims {
  readonly #client: KubeClient;
  readonly #namespace: string;
  /** Names of the volumes whose claim was deleted. */
  readonly #retained: string[] = [];

  constructor(client: KubeClient, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  /** Resolves when the claim is bound to its volume. */
  bound(name: string): Promise<PersistentVolumeClaim> {
    const key = { namespace: this.#namespace, name };
    return eventually(`the claim ${name} is bound`, async () => {
      const claim = await this.#client.get(persistentVolumeClaims, key);
      return claim.status?.phase === 'Bound' && claim;
    });
  }

  /** Deletes a bound claim. Resolves when it is deleted. */
  async delete({ metadata, spec }: PersistentVolumeClaim): Promise<void> {
    const key = { namespace: this.#namespace, name: metadata?.name ?? '' };
    const { volumeName = '' } = spec ?? {};
    await this.#reclaim(volumeName, 'Retain');
    this.#retained.push(volumeName);
    await this.#client.delete(persistentVolumeClaims, key);
    await this.#client.patch(persistentVolumeClaims, key, {
      type: 'merge',
      body: { metadata: { finalizers: null } },
    });
    await eventually(
      'the claim is deleted',
      async () => (await getOrNull(this.#client, persistentVolumeClaims, key)) === null,
    );
  }

  /** Lets the driver delete the volumes. */
  async reclaim(): Promise<void> {
    for (const volume of this.#retained) await this.#reclaim(volume, 'Delete');
  }

  async #reclaim(name: string, policy: 'Delete' | 'Retain'): Promise<void> {
    const body = { spec: { persistentVolumeReclaimPolicy: policy } };
    await this.#client.patch(persistentVolumes, { name }, { type: 'merge', body });
  }
}
