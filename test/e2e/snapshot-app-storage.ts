/** Volumes of a driver without any process, and pods that use them. The test acts as the driver's snapshotter. */
import { timeText } from '../../src/controller/kube-time.ts';
import type { KubeClient } from '../../src/kube/client.ts';
import { createOrGet } from '../../src/kube/get-or-null.ts';
import { persistentVolumeClaims, persistentVolumes, pods } from '../../src/kube/resources.ts';
import {
  classes,
  contents,
  groupClasses,
  groupKindsOf,
  type GroupVersion,
  snapshots,
  type VolumeSnapshot,
} from '../../src/kube/snapshots.ts';
import { CUT_SIGNAL } from '../../src/lifecycles/snapshot/names.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';

export const DRIVER = 'hand.example';
/** A class whose creationTime is trusted. */
export const CLASS = 'hand';
/** A class of which only readyToUse is trusted (SNAP-CASE31). */
export const LATE_CLASS = 'hand-ready';

export async function makeClasses(client: KubeClient): Promise<void> {
  const of = { driver: DRIVER, deletionPolicy: 'Retain' as const };
  await createOrGet(client, classes, { metadata: { name: CLASS }, ...of });
  const annotations = { [CUT_SIGNAL]: 'readyToUse' };
  await createOrGet(client, classes, { metadata: { name: LATE_CLASS, annotations }, ...of });
  await createOrGet(client, groupClasses, { metadata: { name: CLASS }, ...of });
}

export async function makeClaim(
  client: KubeClient,
  { namespace, name }: { namespace: string; name: string },
  more: { labels?: Record<string, string>; annotations?: Record<string, string> } = {},
): Promise<void> {
  const storageClassName = `by-hand-${namespace}`;
  const spec = { accessModes: ['ReadWriteOnce'], storageClassName };
  const volumeName = `${namespace}-${name}`;
  await client.create(persistentVolumes, {
    metadata: { name: volumeName },
    spec: {
      ...spec,
      capacity: { storage: '1Gi' },
      csi: { driver: DRIVER, volumeHandle: `handle-${name}` },
    },
  });
  await client.create(persistentVolumeClaims, {
    metadata: { name, namespace, ...more },
    spec: { ...spec, volumeName, resources: { requests: { storage: '1Gi' } } },
  });
  await eventually('the claim is bound', async () => {
    const claim = await client.get(persistentVolumeClaims, { namespace, name });
    return claim.status?.phase === 'Bound';
  });
}

/** Creates a running pod that mounts the claims, one volume each, in a container `db`. */
export async function runPod(
  client: KubeClient,
  { namespace, name }: { namespace: string; name: string },
  claims: readonly string[],
): Promise<void> {
  await client.create(pods, {
    metadata: { name, namespace },
    spec: {
      nodeName: 'by-hand',
      containers: [
        {
          name: 'db',
          image: 'db',
          volumeMounts: claims.map((claim) => ({ name: claim, mountPath: `/${claim}` })),
        },
      ],
      volumes: claims.map((claim) => ({
        name: claim,
        persistentVolumeClaim: { claimName: claim },
      })),
    },
  });
  await reportPod(client, { namespace, name }, { restartCount: 0, containerID: 'hand://1' });
}

/** Writes the pod's status as a node would. */
export async function reportPod(
  client: KubeClient,
  { namespace, name }: { namespace: string; name: string },
  container: { restartCount: number; containerID: string },
): Promise<void> {
  const startedAt = timeText(Date.now());
  const containerStatuses = [
    {
      name: 'db',
      image: 'db',
      imageID: '',
      ready: true,
      state: { running: { startedAt } },
      ...container,
    },
  ];
  const body = { status: { phase: 'Running', containerStatuses } };
  await client.patch(pods, { namespace, name }, { type: 'merge', subresource: 'status', body });
}

export class SnapshotterHand {
  readonly #client: KubeClient;
  readonly #namespace: string;

  constructor(client: KubeClient, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  /** Resolves with the VolumeSnapshot of the claim once it is created. */
  async asked(claim: string): Promise<VolumeSnapshot> {
    return eventually(`a snapshot of ${claim} is asked for`, async () => {
      const { items } = await this.#client.list(snapshots, { namespace: this.#namespace });
      return items.find(({ spec }) => spec?.source?.persistentVolumeClaimName === claim);
    });
  }

  /** Creates the content of a VolumeSnapshot and binds both; nothing is cut yet. */
  async bind({ metadata, spec }: VolumeSnapshot): Promise<string> {
    const { uid = '', name: snapshot = '' } = metadata ?? {};
    const name = `snapcontent-${uid}`;
    const claim = spec?.source?.persistentVolumeClaimName ?? '';
    await this.#client.create(contents, {
      metadata: { name },
      spec: {
        volumeSnapshotRef: { name: snapshot, namespace: this.#namespace, uid },
        deletionPolicy: 'Retain',
        driver: DRIVER,
        source: { volumeHandle: `handle-${claim}` },
      },
    });
    await this.#report(snapshot, { boundVolumeSnapshotContentName: name, readyToUse: false });
    return name;
  }

  async cutContent(name: string, atMs: number = Date.now()): Promise<void> {
    const status = { creationTime: atMs * 1e6, readyToUse: false, snapshotHandle: `cut-${name}` };
    const body = { status };
    await this.#client.patch(contents, { name }, { type: 'merge', subresource: 'status', body });
  }

  /** Reports the cut: first in the content, then in the VolumeSnapshot, as the sidecar and the controller do. */
  async cut(claim: string, atMs: number = Date.now()): Promise<void> {
    const snapshot = await this.asked(claim);
    await this.cutContent(await this.bind(snapshot), atMs);
    await this.#report(snapshot.metadata?.name ?? '', { creationTime: timeText(atMs) });
  }

  async ready(claim: string): Promise<void> {
    const { metadata } = await this.asked(claim);
    const body = { status: { readyToUse: true } };
    const name = `snapcontent-${metadata?.uid ?? ''}`;
    await this.#client.patch(contents, { name }, { type: 'merge', subresource: 'status', body });
    await this.#report(metadata?.name ?? '', { readyToUse: true });
  }

  async fails(claim: string, message: string): Promise<void> {
    const { metadata } = await this.asked(claim);
    await this.#report(metadata?.name ?? '', { error: { message } });
  }

  /** Reports the cut of a group: these parts in its content, and a ready member for each. */
  async cutGroup(parts: readonly string[], version: GroupVersion = 'v1'): Promise<void> {
    const namespace = this.#namespace;
    const { snapshots: groupSnapshots, contents: groupContents } = groupKindsOf(version);
    const group = await eventually('a group is asked for', async () => {
      const { items } = await this.#client.list(groupSnapshots, { namespace });
      return items[0];
    });
    const { uid = '', name = '' } = group.metadata ?? {};
    const content = `groupsnapcontent-${uid}`;
    const creationTime = timeText(Date.now());
    const infos = parts.map((part) => ({
      volumeHandle: `handle-${part}`,
      snapshotHandle: `cut-${part}`,
      ...(version === 'v1beta1' ? {} : { creationTime: Date.now() * 1e6, readyToUse: true }),
    }));
    const list = version === 'v1beta1' ? 'volumeSnapshotHandlePairList' : 'volumeSnapshotInfoList';
    const made = await this.#client.create(groupContents, {
      metadata: { name: content },
      spec: {
        volumeGroupSnapshotRef: { name, namespace, uid },
        deletionPolicy: 'Retain',
        driver: DRIVER,
        source: { volumeHandles: infos.map(({ volumeHandle }) => volumeHandle) },
      },
    });
    await this.#client.replaceStatus(groupContents, {
      ...made,
      status: { creationTime, readyToUse: true, [list]: infos },
    });
    await this.#client.replaceStatus(groupSnapshots, {
      ...group,
      status: { boundVolumeGroupSnapshotContentName: content, creationTime, readyToUse: true },
    });
    for (const part of parts) await this.#makeMember(part, { uid, name });
  }

  async #makeMember(part: string, group: { uid: string; name: string }): Promise<void> {
    const namespace = this.#namespace;
    const name = `snapshot-${group.uid}-${part}`;
    const contentName = `snapcontent-${group.uid}-${part}`;
    const apiVersion = 'groupsnapshot.storage.k8s.io/v1';
    const made = await this.#client.create(snapshots, {
      metadata: {
        name,
        namespace,
        ownerReferences: [{ apiVersion, kind: 'VolumeGroupSnapshot', ...group }],
      },
      spec: { source: { volumeSnapshotContentName: contentName } },
    });
    await this.#client.create(contents, {
      metadata: { name: contentName },
      spec: {
        volumeSnapshotRef: { name, namespace, uid: made.metadata?.uid ?? '' },
        deletionPolicy: 'Retain',
        driver: DRIVER,
        source: { snapshotHandle: `cut-${part}` },
      },
    });
    await this.#report(name, { boundVolumeSnapshotContentName: contentName, readyToUse: true });
  }

  async #report(name: string, reported: NonNullable<VolumeSnapshot['status']>): Promise<void> {
    const key = { namespace: this.#namespace, name };
    const { error, ...rest } = reported;
    const status = { ...rest, ...(error === undefined ? {} : { error: { ...error } }) };
    const body = { status };
    await this.#client.patch(snapshots, key, { type: 'merge', subresource: 'status', body });
  }
}
