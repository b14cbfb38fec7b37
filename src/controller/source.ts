import type { KubeObject } from '../kube/object.ts';
import type { Change, Informer } from './informer.ts';

/** What a controller listens to, and which of its keys a change concerns. */
export interface Source {
  synced(): Promise<void>;
  /** Calls `enqueue` for everything there is, and then for each change; returns what ends it. */
  listen(enqueue: (key: string) => void): () => void;
}

export interface Watched<T extends KubeObject> {
  readonly informer: Informer<T>;
  /** The controller's keys that look at this object; pure. */
  readonly keys: (object: T) => readonly string[];
  /** Absent: every change counts. */
  readonly when?: (change: Change<T>) => boolean;
}

/** The object as it was counts too: an object that has changed its owner concerns both. */
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
