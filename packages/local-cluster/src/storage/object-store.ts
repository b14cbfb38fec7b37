import type { JsonObject } from '../../../../src/kube/object.ts';
import type { CancelSignal } from '../../../../src/platform/platform.ts';

/**
 * Stores every object of the local cluster, in memory and in a journal. One counter gives each write its revision.
 * Readers and watchers see writes in the order of their revisions.
 *
 *  CLUS-O1 A write is acknowledged, and visible to readers and watchers, only when it is durable.
 *  CLUS-O2 A write names the revision on which it is based; if another write came first, it fails (`conflict`).
 *  CLUS-O3 A watcher sees each later change once and in order, or gets an error that its start is too old.
 *  CLUS-O4 Objects are immutable: they are frozen, and a change stores another object.
 */
export interface ObjectStore {
  /** The revision of the last acknowledged write. */
  readonly revision: number;
  /** Returns the object, with its resourceVersion; undefined if it does not exist. */
  get(address: ObjectAddress): StoredObject | undefined;
  /** All objects at the current `revision`, ordered by their keys (see `keyOf`). */
  list(resource: string, namespace?: string): readonly StoredObject[];
  /** The number of objects, without creating the list. */
  count(resource: string): number;
  /** Resolves once the write is durable, or on a conflict. */
  write(change: StoreWrite): Promise<WriteResult>;
  /**
   * Yields the changes of a resource after `fromRevision` until `signal` aborts. Throws `TooOldError` if changes were
   * dropped from the bounded log: at the start, or later if the reader is too slow.
   */
  watch(options: WatchOptions): AsyncIterable<StoreChange>;
  /**
   * The list at an earlier revision, for further pages; undefined if that revision has expired (410). The log of
   * changes limits how far back it can go.
   */
  listAt(resource: string, revision: number): readonly StoredObject[] | undefined;
  /** Names of all resources that have objects. */
  resources(): readonly string[];
  /** Refuses new writes, and resolves once pending ones are done. */
  close(): Promise<void>;
}

export interface ObjectAddress {
  /** `storageName` of the kind's `ResourceDefinition`. */
  readonly resource: string;
  /** Namespace of the object; '' for a cluster-scoped kind. */
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
  /** Revision that the writer has seen; 0 if the object must not exist. */
  readonly expectRevision: number;
  /** The new object, whose resourceVersion the store sets; null to remove the object. */
  readonly object: JsonObject | null;
}

export type WriteResult =
  | { readonly kind: 'written'; readonly stored: StoredObject }
  /** `last`: the last version, with the revision of its removal. */
  | { readonly kind: 'removed'; readonly last: StoredObject }
  | { readonly kind: 'conflict'; readonly current: StoredObject | undefined };

export interface StoreChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** The new version. For DELETED: the last version, with the revision of the removal as its resourceVersion. */
  readonly stored: StoredObject;
  /** The version before the change, for a watch that checks whether its selector matched; undefined for ADDED. */
  readonly previous: StoredObject | undefined;
}

export interface WatchOptions {
  readonly resource: string;
  readonly namespace?: string;
  /** Revision after which the changes start. */
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
