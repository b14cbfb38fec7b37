/** Records when snapshots of other clients were stored, deleted, and reported as cut. */
import { resourceName } from '../../../src/kube/object.ts';
import { contents, groupContents, groupSnapshots, snapshots } from '../../../src/kube/snapshots.ts';
import type { AdmittedObject } from '../../../src/lifecycles/snapshot/kinds.ts';
import type { Entry, SimApi, Stored } from '../controller/sim-api.ts';

const OBJECTS: ReadonlySet<string> = new Set([snapshots, groupSnapshots].map(resourceName));
const CONTENTS: ReadonlySet<string> = new Set([contents, groupContents].map(resourceName));

interface Times {
  storedMs?: number;
  deletedMs?: number;
  /** Simulated time at which a content first had a creationTime, in milliseconds. */
  creationTimeMs?: number;
  readyToUseMs?: number;
}

export class ForeignSnapshots {
  readonly #nowMs: () => number;
  readonly #times = new Map<string, Times>();
  /** UID of the group of each member, keyed by the member's UID. */
  readonly #groupOf = new Map<string, string>();

  constructor(api: SimApi, nowMs: () => number) {
    this.#nowMs = nowMs;
    api.onCommit((entry) => {
      this.#look(entry);
    });
  }

  storedMs(uid: string): number | undefined {
    return this.#times.get(uid)?.storedMs;
  }

  deletedMs(uid: string): number | undefined {
    return this.#times.get(uid)?.deletedMs;
  }

  /** Simulated time of the sign that the entry waits for, in milliseconds; undefined if it never appeared. */
  reportedMs({ uid, cutSignal }: Pick<AdmittedObject, 'uid' | 'cutSignal'>): number | undefined {
    const { creationTimeMs, readyToUseMs } = this.#times.get(uid) ?? {};
    return cutSignal === 'creationTime' ? creationTimeMs : readyToUseMs;
  }

  /** UID of the snapshot or the group to which an object or a content belongs. */
  uidOf(object: Stored): string {
    const uid = refOf(object) ?? object.metadata.uid ?? '';
    return this.#groupOf.get(uid) ?? uid;
  }

  #look({ resource, type, object }: Entry): void {
    if (CONTENTS.has(resource)) this.#keepReport(object);
    if (OBJECTS.has(resource)) this.#keepObject(object, type === 'Delete');
  }

  #keepReport(content: Stored): void {
    const times = this.#timesOf(refOf(content) ?? '');
    const { creationTime, readyToUse } = (content.status ?? {}) as Reported;
    if (creationTime !== undefined) times.creationTimeMs ??= this.#nowMs();
    if (readyToUse === true) times.readyToUseMs ??= this.#nowMs();
  }

  #keepObject({ metadata }: Stored, isDeleted: boolean): void {
    const { uid = '', deletionTimestamp, ownerReferences = [] } = metadata;
    const group = ownerReferences.find(({ kind }) => kind === groupSnapshots.kind);
    if (group !== undefined) this.#groupOf.set(uid, group.uid);
    const times = this.#timesOf(uid);
    times.storedMs ??= this.#nowMs();
    if (isDeleted || deletionTimestamp !== undefined) times.deletedMs ??= this.#nowMs();
  }

  #timesOf(uid: string): Times {
    const times = this.#times.get(uid) ?? {};
    this.#times.set(uid, times);
    return times;
  }
}

interface Reported {
  readonly creationTime?: unknown;
  readonly readyToUse?: boolean;
}

/** UID of the snapshot of a content; undefined if the object is no content. */
function refOf({ spec }: Stored): string | undefined {
  const { volumeSnapshotRef: single, volumeGroupSnapshotRef: group } = (spec ?? {}) as Refs;
  return (single ?? group)?.uid;
}

interface Refs {
  readonly volumeSnapshotRef?: { readonly uid?: string };
  readonly volumeGroupSnapshotRef?: { readonly uid?: string };
}
