/** The restore controller with a simulated API server. Its storage and nodes have no faults. */
import type { PersistentVolumeClaim, Pod, PodStatus } from 'kubernetes-types/core/v1.js';

import { isTerminating } from '../../../src/controller/finalizers.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { persistentVolumeClaims, pods } from '../../../src/kube/resources.ts';
import { contents, snapshots } from '../../../src/kube/snapshots.ts';
import {
  applicationSnapshots,
  type ApplicationSnapshot,
  type VerdictValue,
} from '../../../src/lifecycles/snapshot/kinds.ts';
import {
  type SnapshotRestore,
  type SnapshotRestoreSpec,
  snapshotRestores,
} from '../../../src/lifecycles/snapshot/restore/kinds.ts';
import { makeRestoreController } from '../../../src/lifecycles/snapshot/restore/restore-controller.ts';
import type { SimHost } from '../controller/sim-host.ts';
import { HookBench } from './hook-bench.ts';

const NAMESPACE = 'ns';
/** Milliseconds between two steps of the storage and the nodes. */
const WORLD_MS = 200;
export const RESTORE = 'friday';

export class RestoreBench extends HookBench {
  /** Names of the pods that a node has started, in order. */
  readonly started: string[] = [];
  /** Exit codes of hook pods, keyed by the name of the hook; default: 0. */
  readonly exitCodes: Map<string, number> = new Map();
  /** Termination message of each pod that ends, in its status and in that of its container. */
  lastWords: string = '';

  constructor() {
    super();
    this.#live();
  }

  startRestores(): SimHost {
    return this.start(makeRestoreController);
  }

  /** Creates a completed snapshot, and its claim. */
  makeSnapshot(value: VerdictValue = 'ApplicationConsistent', claimName: string = 'data'): void {
    const metadata = { namespace: NAMESPACE, name: 'nightly-data' };
    this.api.create(persistentVolumeClaims, {
      metadata: { namespace: NAMESPACE, name: claimName },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      status: { phase: 'Bound' },
    } as PersistentVolumeClaim);
    const { uid = '' } = this.api.create(snapshots, {
      metadata,
      spec: { source: { persistentVolumeClaimName: claimName } },
      status: { boundVolumeSnapshotContentName: 'c', readyToUse: true, restoreSize: '1Gi' },
    } as never).metadata;
    this.api.create(contents, {
      metadata: { name: 'c' },
      spec: { volumeSnapshotRef: { namespace: NAMESPACE, name: 'nightly-data', uid } },
    } as never);
    const verdict = { value, reason: 'FrozenAtCut', message: 'it was frozen', decidedAt: '' };
    const volume = {
      claimName,
      volumeSnapshotName: 'nightly-data',
      volumeSnapshotUID: uid,
    };
    this.api.create(applicationSnapshots, {
      metadata: { namespace: NAMESPACE, name: 'nightly' },
      spec: { source: {} },
      status: { phase: 'Completed', verdict, volumes: [volume] },
    } as unknown as ApplicationSnapshot);
  }

  makeRestore(spec: Partial<SnapshotRestoreSpec> = {}, name: string = RESTORE): void {
    this.api.create(snapshotRestores, {
      metadata: { namespace: NAMESPACE, name },
      spec: { source: { applicationSnapshotName: 'nightly' }, ...spec },
    } as SnapshotRestore);
  }

  restore(name: string = RESTORE): SnapshotRestore | undefined {
    const found = this.api.find(snapshotRestores, { namespace: NAMESPACE, name });
    return found as SnapshotRestore | undefined;
  }

  isOver(name: string = RESTORE): boolean {
    return this.restore(name)?.status?.completedAt !== undefined;
  }

  claimNames(): string[] {
    return this.api.list(persistentVolumeClaims).map(({ metadata }) => metadata.name ?? '');
  }

  podNames(): string[] {
    return this.api.list(pods).map(({ metadata }) => metadata.name ?? '');
  }

  #live(): void {
    this.world.after(WORLD_MS, () => {
      for (const claim of this.api.list(persistentVolumeClaims)) this.#bind(claim as never);
      for (const pod of this.api.list(pods)) this.#runPod(pod as unknown as Pod);
      this.#live();
    });
  }

  #bind(claim: PersistentVolumeClaim): void {
    if (claim.status?.phase === 'Bound') return;
    const bound = { ...claim, status: { phase: 'Bound' } };
    this.api.replace(persistentVolumeClaims, bound, 'object');
  }

  /** Starts a pod in one step and ends it in a later one. Pods without annotations belong to the test. */
  #runPod(pod: Pod): void {
    const { phase } = pod.status ?? {};
    if (pod.metadata?.annotations === undefined) return;
    if (phase === 'Succeeded' || phase === 'Failed') return;
    const starts = phase === undefined && !isTerminating(pod);
    if (starts) this.started.push(pod.metadata.name ?? '');
    const status = starts ? { phase: 'Running' } : this.#endOf(pod);
    this.api.replace(pods, { ...pod, status } as KubeObject, 'object');
  }

  #endOf({ metadata }: Pod): PodStatus {
    const name = metadata?.name ?? '';
    const found = [...this.exitCodes].find(([hook]) => name.includes(`-${hook}-`));
    const exitCode = found?.[1] ?? 0;
    const message = this.lastWords;
    const state = { terminated: { exitCode, reason: 'Completed', message } };
    const container = {
      name: 'hook',
      state,
      image: '',
      imageID: '',
      ready: false,
      restartCount: 0,
    };
    const phase = exitCode === 0 ? 'Succeeded' : 'Failed';
    return { phase, message, containerStatuses: [container] };
  }
}
