import type { JsonObject } from '../../../../src/kube/object.ts';
import type { CancelSignal } from '../../../../src/platform/platform.ts';

/**
 * Every object of the local cluster, in memory and in a journal. One counter gives every write its
 * revision; the order of revisions is the order that readers and watchers see.
 *
 *  CLUS-O1 A write is acknowledged, and seen by any reader or watcher, only when it is durable.
 *  CLUS-O2 A write names the revision it was made from; another write in between makes it fail (`conflict`).
 *  CLUS-O3 A watcher sees every change after its start, once, in order; or is told that it is too late.
 *  CLUS-O4 Objects are values: they are frozen, and a change stores another one.
 */
export interface ObjectStore {
  /** Of the last acknowledged write. */
  readonly revision: number;
  /** `resourceVersion` is set in its metadata. */
  get(address: ObjectAddress): StoredObject | undefined;
  /** By namespace, then name. All of one moment: that of `revision` at the call. */
  list(resource: string, namespace?: string): readonly StoredObject[];
  /** How many, without making the list. */
  count(resource: string): number;
  /** Resolves when durable. */
  write(change: StoreWrite): Promise<WriteResult>;
  /**
   * Changes of a resource after `fromRevision`, for as long as somebody reads. Throws `TooOldError` when they are no longer
   * all known, at the start or, to a reader that is too slow for its bounded backlog, later. Ends on `signal`.
   */
  watch(options: WatchOptions): AsyncIterable<StoreChange>;
  /**
   * The list as it was when a first page was taken, for as long as it is kept: bounded in number and
   * age. Undefined: no longer known (410).
   */
  listAt(resource: string, revision: number): readonly StoredObject[] | undefined;
  /** All names of resources that have objects. */
  resources(): readonly string[];
  /** Waits for what is under way, and refuses what comes after. */
  close(): Promise<void>;
}

export interface ObjectAddress {
  /** `ResourceDefinition.storageName`. */
  readonly resource: string;
  /** '' for kinds without one. */
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
  /** What the writer has seen: 0 for "there is none". */
  readonly expectRevision: number;
  /** null: remove it. Its resourceVersion is set by the store. */
  readonly object: JsonObject | null;
}

export type WriteResult =
  | { readonly kind: 'written'; readonly stored: StoredObject }
  /** The object as it was, with the revision of its removal. */
  | { readonly kind: 'removed'; readonly last: StoredObject }
  | { readonly kind: 'conflict'; readonly current: StoredObject | undefined };

export interface StoreChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** For DELETED: its last state, with the revision of the removal as resourceVersion. */
  readonly stored: StoredObject;
  /** What it was before; selectors that cease to match need it. */
  readonly previous: StoredObject | undefined;
}

export interface WatchOptions {
  readonly resource: string;
  readonly namespace?: string;
  /** Changes after this one. */
  readonly fromRevision: number;
  readonly signal: CancelSignal;
}

export class TooOldError extends Error {
  /** The oldest revision a watch can start from. */
  readonly oldest: number;

  constructor(asked: number, oldest: number) {
    super(`too old resource version: ${asked} (${oldest})`);
    this.name = 'TooOldError';
    this.oldest = oldest;
  }
}
