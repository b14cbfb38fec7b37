import type { JsonObject } from '../../../../src/kube/object.ts';
import type { CancelSignal } from '../../../../src/platform/platform.ts';

/**
 * Every object of the local cluster, in memory and in a journal. One counter gives every write its revision;
 * readers and watchers see writes in the order of their revisions.
 *
 *  CLUS-O1 A write is acknowledged, and visible to readers and watchers, only when it is durable.
 *  CLUS-O2 A write names the revision on which it is based; if another write came first, it fails (`conflict`).
 *  CLUS-O3 A watcher sees every change after its start, once, in order; or gets an error that it is too late.
 *  CLUS-O4 Objects are immutable: they are frozen, and a change stores another object.
 */
export interface ObjectStore {
  /** The revision of the last acknowledged write. */
  readonly revision: number;
  /** Its metadata contains the `resourceVersion`. */
  get(address: ObjectAddress): StoredObject | undefined;
  /** Ordered by namespace, then name. A consistent state: that of `revision` at the call. */
  list(resource: string, namespace?: string): readonly StoredObject[];
  /** The number of objects, without creating the list. */
  count(resource: string): number;
  /** Resolves when durable. */
  write(change: StoreWrite): Promise<WriteResult>;
  /**
   * Yields the changes of a resource after `fromRevision`. Throws `TooOldError` if some of them were dropped, at
   * the start or, for a reader that is too slow for the bounded log, later. Ends on `signal`.
   */
  watch(options: WatchOptions): AsyncIterable<StoreChange>;
  /**
   * The list at an earlier revision, for further pages, while the history reaches back to it: it is bounded in
   * number and age. Undefined: expired (410).
   */
  listAt(resource: string, revision: number): readonly StoredObject[] | undefined;
  /** The names of all resources that have objects. */
  resources(): readonly string[];
  /** Waits for pending writes, and refuses new ones. */
  close(): Promise<void>;
}

export interface ObjectAddress {
  /** `ResourceDefinition.storageName`. */
  readonly resource: string;
  /** '' for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
}

export interface StoredObject {
  readonly address: ObjectAddress;
  readonly revision: number;
  readonly object: JsonObject;
}

export interface StoreWrite {
  readonly address: ObjectAddress;
  /** The revision that the writer has seen; 0: the object did not exist. */
  readonly expectRevision: number;
  /** null: remove it. The store sets its resourceVersion. */
  readonly object: JsonObject | null;
}

export type WriteResult =
  | { readonly kind: 'written'; readonly stored: StoredObject }
  /** The last version, with the revision of its removal. */
  | { readonly kind: 'removed'; readonly last: StoredObject }
  | { readonly kind: 'conflict'; readonly current: StoredObject | undefined };

export interface StoreChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** For DELETED: the last version, with the revision of the removal as resourceVersion. */
  readonly stored: StoredObject;
  /** The version before; needed for objects that cease to match a selector. */
  readonly previous: StoredObject | undefined;
}

export interface WatchOptions {
  readonly resource: string;
  readonly namespace?: string;
  /** Yields the changes after this one. */
  readonly fromRevision: number;
  readonly signal: CancelSignal;
}

export class TooOldError extends Error {
  /** The oldest revision from which a watch can start. */
  readonly oldest: number;

  constructor(asked: number, oldest: number) {
    super(`too old resource version: ${asked} (${oldest})`);
    this.name = 'TooOldError';
    this.oldest = oldest;
  }
}
