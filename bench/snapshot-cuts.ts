/** When the VolumeSnapshots of a namespace come, and when they are said to be cut, as a watch beside sees it. */
import { listWatch } from '../src/kube/list-watch.ts';
import { snapshots } from '../src/kube/snapshots.ts';
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
      const { metadata, status } = event.object;
      note(there, metadata?.name ?? '');
      if (status?.creationTime !== undefined) note(cut, metadata?.name ?? '');
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
