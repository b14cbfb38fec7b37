/** When the VolumeSnapshots of a namespace are created, and when their contents say that they are cut, as watches see it. */
import { listWatch } from '../src/kube/list-watch.ts';
import { contents, snapshots } from '../src/kube/snapshots.ts';
import { eventually } from '../test/fixtures/api-cases/eventually.ts';
import type { SnapshotCluster } from './snapshot-cluster.ts';

/** Wall clock of this machine, milliseconds. */
export interface SeenCut {
  readonly thereMs: number;
  readonly cutMs: number;
}

export interface WatchedCuts extends Disposable {
  /** Resolves when it was seen: a watch may be behind. */
  of(snapshot: string): Promise<SeenCut>;
}

export function watchCuts({ connection, namespace }: SnapshotCluster): WatchedCuts {
  const end = new AbortController();
  const { signal } = end;
  const there = new Map<string, number>();
  const cut = new Map<string, number>();
  const note = (times: Map<string, number>, name: string): void => {
    if (!times.has(name)) times.set(name, Date.now());
  };
  void (async () => {
    for await (const event of listWatch(connection, snapshots, { namespace, signal })) {
      if (event.type !== 'Upsert') continue;
      note(there, event.object.metadata?.name ?? '');
    }
  })();
  void (async () => {
    for await (const event of listWatch(connection, contents, { signal })) {
      if (event.type !== 'Upsert') continue;
      const { spec, status } = event.object;
      const { namespace: where, name = '' } = spec.volumeSnapshotRef;
      if (where === namespace && status?.creationTime !== undefined) note(cut, name);
    }
  })();
  return {
    of: (name) =>
      eventually(`the cut of ${name} is seen`, async () => {
        const [thereMs, cutMs] = [there.get(name), cut.get(name)];
        return thereMs !== undefined && cutMs !== undefined && { thereMs, cutMs };
      }),
    [Symbol.dispose]: () => {
      end.abort();
    },
  };
}
