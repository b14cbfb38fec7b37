/** A restore bench with one workload, `db`: its controller, its pods, and the protection of claims that pods use. */
import type { PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1.js';

import { isTerminating } from '../../../src/controller/finalizers.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { makeResource, persistentVolumeClaims, pods } from '../../../src/kube/resources.ts';
import type { Workload } from '../../../src/lifecycles/snapshot/restore/workload.ts';
import { RestoreBench } from './restore-bench.ts';

const NAMESPACE = 'ns';
const PROTECTION = 'kubernetes.io/pvc-protection';
const LABELS = { app: 'db' };
/** Milliseconds between two steps of the workload's controller. */
const LOOK_MS = 300;
/** Milliseconds from the deletion of a pod to its exit. */
const GRACE_MS = 5_000;

export interface MadeWorkload {
  readonly kind: 'Deployment' | 'StatefulSet';
  /** Claim that its pods mount. A StatefulSet also has `data-db-0`. */
  readonly claim?: string;
  readonly whenScaled?: 'Retain' | 'Delete';
}

export class WorkloadBench extends RestoreBench {
  readonly kind: MadeWorkload['kind'];
  /** True if a deleted claim stays even if no pod uses it. */
  keepsClaims = false;
  readonly #resource: ReturnType<typeof makeResource<Workload>>;
  readonly #key = { namespace: NAMESPACE, name: 'db' };

  readonly #made: Workload;

  constructor({ kind, claim, whenScaled = 'Retain' }: MadeWorkload) {
    super();
    this.kind = kind;
    this.#resource = makeResource<Workload>({ apiVersion: 'apps/v1', kind });
    const volumes =
      claim === undefined ? [] : [{ name: 'v', persistentVolumeClaim: { claimName: claim } }];
    const template = { metadata: { labels: LABELS }, spec: { containers: [], volumes } };
    const spec = { replicas: 2, selector: { matchLabels: LABELS }, template };
    const ofSet = {
      volumeClaimTemplates: [{ metadata: { name: 'data' } }],
      persistentVolumeClaimRetentionPolicy: { whenScaled },
    };
    this.#made = {
      metadata: this.#key,
      spec: kind === 'StatefulSet' ? { ...spec, ...ofSet } : spec,
    };
    this.api.create(this.#resource, this.#made);
    this.#control();
  }

  replicas(): number | undefined {
    return (this.api.get(this.#resource, this.#key) as Workload).spec?.replicas;
  }

  /** Deletes the workload and creates it again, as a user could. */
  replace(): void {
    this.api.delete(this.#resource, this.#key, {});
    this.api.create(this.#resource, this.#made);
  }

  scale(replicas: number): void {
    this.api.patch(this.#resource, this.#key, { type: 'merge', body: { spec: { replicas } } });
  }

  podsOfWorkload(): readonly Pod[] {
    const all = this.api.list(pods) as unknown as readonly Pod[];
    return all.filter(({ metadata }) => metadata?.labels?.['app'] === 'db');
  }

  claim(name: string): PersistentVolumeClaim | undefined {
    return this.api.find(persistentVolumeClaims, { namespace: NAMESPACE, name }) as
      | PersistentVolumeClaim
      | undefined;
  }

  /** Like `kubectl delete pvc --wait=false`: the claim stays until no pod uses it. */
  deleteClaim(name: string): void {
    const key = { namespace: NAMESPACE, name };
    const metadata = { finalizers: [PROTECTION], labels: { tier: 'gold' } };
    this.api.patch(persistentVolumeClaims, key, { type: 'merge', body: { metadata } });
    this.api.delete(persistentVolumeClaims, key, {});
  }

  #control(): void {
    this.world.after(LOOK_MS, () => {
      const wanted = this.replicas() ?? 0;
      const all = this.podsOfWorkload();
      for (let at = all.length; at < wanted; at += 1) this.#makePod(`db-${at}`);
      if (wanted === 0) for (const pod of all) this.#stop(pod);
      if (all.length === 0 && !this.keepsClaims) this.#releaseClaims();
      this.#control();
    });
  }

  #makePod(name: string): void {
    const owner = { apiVersion: 'apps/v1', kind: this.#ownerKind(), name: 'db', uid: 'w' };
    this.api.create(pods, {
      metadata: {
        namespace: NAMESPACE,
        name,
        labels: LABELS,
        finalizers: ['kubelet'],
        ownerReferences: [{ ...owner, controller: true }],
      },
      status: { phase: 'Running' },
    } as KubeObject);
  }

  #ownerKind(): string {
    return this.kind === 'Deployment' ? 'ReplicaSet' : 'StatefulSet';
  }

  #stop(pod: Pod): void {
    if (isTerminating(pod)) return;
    const key = { namespace: NAMESPACE, name: pod.metadata?.name ?? '' };
    this.api.delete(pods, key, {});
    this.world.after(GRACE_MS, () => {
      this.api.patch(pods, key, { type: 'merge', body: { metadata: { finalizers: [] } } });
    });
  }

  /** Releases terminating claims that no pod mounts. A pod keeps the claims that it mounts, even after it has ended. */
  #releaseClaims(): void {
    const mounted = new Set(
      (this.api.list(pods) as unknown as readonly Pod[]).flatMap(({ spec }) =>
        (spec?.volumes ?? []).map(({ persistentVolumeClaim: from }) => from?.claimName),
      ),
    );
    for (const claim of this.api.list(persistentVolumeClaims)) {
      const key = { namespace: NAMESPACE, name: claim.metadata.name ?? '' };
      if (!isTerminating(claim) || mounted.has(key.name)) continue;
      const body = { metadata: { finalizers: [] } };
      this.api.patch(persistentVolumeClaims, key, { type: 'merge', body });
    }
  }
}
