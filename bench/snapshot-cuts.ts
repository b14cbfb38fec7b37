/** Watches when the snapshots of a namespace are created, and when their contents appear and are cut. */
import { listWatch } from '../src/kube/list-watch.ts';
import type { Resource } from '../src/kube/object.ts';
import {
  contents,
  groupContents,
  groupSnapshots,
  snapshots,
  type VolumeGroupSnapshot,
  type VolumeGroupSnapshotContent,
  type VolumeSnapshot,
  type VolumeSnapshotContent,
} from '../src/kube/snapshots.ts';
import { eventually } from '../test/fixtures/api-cases/eventually.ts';
import type { SnapshotCluster } from './snapshot-cluster.ts';

/** Unix milliseconds, by the clock of this machine. */
export interface SeenCut {
  readonly thereMs: number;
  readonly contentMs: number;
  readonly cutMs: number;
  /** The handle that the storage gave to the snapshot. */
  readonly handle: string;
}

export interface WatchedCuts extends Disposable {
  /** Resolves once the watch has seen the cut of that snapshot. */
  of(snapshot: string): Promise<SeenCut>;
}

type Content = VolumeSnapshotContent | VolumeGroupSnapshotContent;

export function watchCuts(cluster: SnapshotCluster): WatchedCuts {
  return watchKinds<VolumeSnapshot, VolumeSnapshotContent>(cluster, snapshots, contents);
}

export function watchGroupCuts(cluster: SnapshotCluster): WatchedCuts {
  return watchKinds<VolumeGroupSnapshot, VolumeGroupSnapshotContent>(
    cluster,
    groupSnapshots,
    groupContents,
  );
}

function watchKinds<S extends VolumeSnapshot | VolumeGroupSnapshot, C extends Content>(
  { connection, namespace }: SnapshotCluster,
  ofSnapshots: Resource<S>,
  ofContents: Resource<C>,
): WatchedCuts {
  const end = new AbortController();
  const { signal } = end;
  const there = new Map<string, number>();
  const seen = new Map<string, Partial<SeenCut>>();
  void (async () => {
    for await (const event of listWatch(connection, ofSnapshots, { namespace, signal })) {
      if (event.type !== 'Upsert') continue;
      const name = event.object.metadata?.name ?? '';
      if (!there.has(name)) there.set(name, Date.now());
    }
  })();
  void (async () => {
    for await (const event of listWatch(connection, ofContents, { signal })) {
      if (event.type !== 'Upsert') continue;
      const ref = refOf(event.object);
      if (ref.namespace !== namespace) continue;
      const name = ref.name ?? '';
      seen.set(name, { contentMs: Date.now(), ...cutOf(event.object), ...seen.get(name) });
    }
  })();
  return {
    of: (name) =>
      eventually(`the cut of ${name} is seen`, async () => {
        const thereMs = there.get(name);
        const cut = seen.get(name);
        return thereMs !== undefined && isCut(cut) && { thereMs, ...cut };
      }),
    [Symbol.dispose]: () => {
      end.abort();
    },
  };
}

function refOf({ spec }: Content): VolumeSnapshotContent['spec']['volumeSnapshotRef'] {
  return 'volumeSnapshotRef' in spec ? spec.volumeSnapshotRef : spec.volumeGroupSnapshotRef;
}

/** Empty while the content has no creationTime. */
function cutOf({ status }: Content): Partial<SeenCut> {
  if (status?.creationTime === undefined) return {};
  const { snapshotHandle, volumeGroupSnapshotHandle } = status as Handles;
  return { cutMs: Date.now(), handle: snapshotHandle ?? volumeGroupSnapshotHandle ?? '' };
}

interface Handles {
  readonly snapshotHandle?: string;
  readonly volumeGroupSnapshotHandle?: string;
}

function isCut(cut: Partial<SeenCut> | undefined): cut is Omit<SeenCut, 'thereMs'> {
  return cut?.cutMs !== undefined;
}
