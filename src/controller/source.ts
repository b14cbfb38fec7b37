import type { KubeObject } from '../kube/object.ts';
import type { Change, Informer } from './informer.ts';

/** A source of changes for a controller, mapped to the controller's keys. */
export interface Source {
  synced(): Promise<void>;
  /** Calls `enqueue` for all existing objects, then for each change. Returns a function that stops the calls. */
  listen(enqueue: (key: string) => void): () => void;
}

export interface Watched<T extends KubeObject> {
  readonly informer: Informer<T>;
  /** The controller's keys that depend on this object; pure. */
  readonly keys: (object: T) => readonly string[];
  /** Whether a change counts; absent: every change does. */
  readonly when?: (change: Change<T>) => boolean;
}

/**
 * A source that enqueues the keys of each change. Uses the object before and after the change: if the owner has
 * changed, both owners are enqueued.
 */
export function watched<T extends KubeObject>({ informer, keys, when }: Watched<T>): Source {
  return {
    synced: () => informer.synced(),
    listen: (enqueue) =>
      informer.listen((change) => {
        if (when?.(change) === false) return;
        const { before, after } = change;
        const concerned = [before, after].flatMap((object) =>
          object === null ? [] : keys(object),
        );
        for (const key of new Set(concerned)) enqueue(key);
      }),
  };
}
