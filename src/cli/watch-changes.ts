/** Watches objects, and reports objects that a list does not contain any more as deleted. */
import type { KubeConnection, WatchEvent } from '../kube/client.ts';
import { listWatch, type ListWatchOptions } from '../kube/list-watch.ts';
import type { KubeObject, Resource } from '../kube/object.ts';

export interface WatchedScope<T extends KubeObject> extends ListWatchOptions {
  /** Objects that existed before the watch. */
  readonly known: readonly T[];
}

/**
 * The events of `listWatch`. A list does not contain objects that were deleted since the last event: they get a
 * `Delete` before its `Synced`.
 */
export async function* watchChanges<T extends KubeObject>(
  connection: KubeConnection,
  resource: Resource<T>,
  { known, ...options }: WatchedScope<T>,
): AsyncGenerator<WatchEvent<T>, void, undefined> {
  const objects = new Map(known.map((object) => [uidOf(object), object]));
  let listed = new Set<string>();
  for await (const event of listWatch(connection, resource, options)) {
    if (event.type === 'Relisting') listed = new Set();
    if (event.type === 'Upsert') {
      listed.add(uidOf(event.object));
      objects.set(uidOf(event.object), event.object);
    }
    if (event.type === 'Delete') objects.delete(uidOf(event.object));
    const missing = event.type === 'Synced' ? [...objects].filter(([uid]) => !listed.has(uid)) : [];
    for (const [uid, object] of missing) {
      objects.delete(uid);
      yield { type: 'Delete', object };
    }
    yield event;
  }
}

export function uidOf({ metadata }: KubeObject): string {
  return metadata?.uid ?? '';
}
