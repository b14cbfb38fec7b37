/**
 * The store over a journal: objects and their latest changes are in memory, and each write is a line in the journal.
 *
 * A write gets its revision at once, so that the journal has revisions in order. It becomes visible once its line is
 * durable (CLUS-O1). Until then a second write of the same object waits, and then fails: its writer cannot have seen
 * the first one (CLUS-O2).
 */
import type { Files } from '../../../../src/platform/platform.ts';
import { Journal, type JournalIndex } from '../../../../src/store/journal.ts';
import type { ProcessTable } from '../../../../src/store/process-table.ts';
import { type LogTime, ChangeLog } from './change-log.ts';
import { deepFreeze, keyOf, ObjectTable } from './object-table.ts';
import type {
  ObjectAddress,
  ObjectStore,
  StoreChange,
  StoredObject,
  StoreWrite,
  WatchOptions,
  WriteResult,
} from './object-store.ts';
import type { JsonObject } from '../../../../src/kube/object.ts';

/** One write, as a line of the journal. */
interface JournalRecord {
  readonly revision: number;
  /** Resource, namespace and name; null for a record that has only the counter. */
  readonly address: readonly [string, string, string] | null;
  /** The new object; null if it was removed. */
  readonly object: JsonObject | null;
}

/** The state that the records of the journal result in: current objects, counter, and latest changes. */
class StoreMemory implements JournalIndex {
  readonly #time: LogTime;
  readonly #tables = new Map<string, ObjectTable>();
  readonly #histories = new Map<string, ChangeLog>();
  /** Revision at the opening, before which changes are unknown; null until the journal is read. */
  #historyFrom: number | null = null;
  /** Starts at 1, which no object has, so that a watch can start from an empty list. */
  revision = 1;

  constructor(time: LogTime) {
    this.#time = time;
  }

  add(value: unknown, bytes: number): void {
    // Not validated: the store wrote the record, and its checksum is right.
    const { revision, address, object } = value as JournalRecord;
    // In a compacted journal the counter is first, and the objects are ordered by name.
    this.revision = Math.max(this.revision, revision);
    if (address === null) return;
    const [resource, namespace, name] = address;
    const change = this.#apply({ resource, namespace, name }, revision, object);
    if (change !== null && this.#historyFrom !== null) this.history(resource).add(change, bytes);
  }

  #apply(address: ObjectAddress, revision: number, object: JsonObject | null): StoreChange | null {
    const table = this.#tableFor(address.resource);
    const key = keyOf(address);
    const previous = table.get(key);
    if (object !== null) {
      const stored = { address, revision, object: deepFreeze(object) };
      table.put(stored);
      return { type: previous === undefined ? 'ADDED' : 'MODIFIED', stored, previous };
    }
    if (previous === undefined) return null;
    table.remove(key);
    const last = deepFreeze(withRevision(previous.object, revision));
    return { type: 'DELETED', stored: { address, revision, object: last }, previous };
  }

  /** Marks the revision from which on all changes are known. Call it once the journal is read. */
  startHistory(): void {
    this.#historyFrom = this.revision;
  }

  /** Records of the counter and all current objects, with which the journal is compacted. */
  shrink(): readonly JournalRecord[] {
    const counter: JournalRecord = { revision: this.revision, address: null, object: null };
    const living = [...this.#tables.values()].flatMap((table) => table.list().map(recordOf));
    return [counter, ...living];
  }

  table(resource: string): ObjectTable | undefined {
    return this.#tables.get(resource);
  }

  history(resource: string): ChangeLog {
    let history = this.#histories.get(resource);
    if (history === undefined) {
      history = new ChangeLog(this.#time, this.#historyFrom ?? 0);
      this.#histories.set(resource, history);
    }
    return history;
  }

  resources(): readonly string[] {
    return [...this.#tables].filter(([, { size }]) => size > 0).map(([resource]) => resource);
  }

  #tableFor(resource: string): ObjectTable {
    let table = this.#tables.get(resource);
    if (table === undefined) {
      table = new ObjectTable();
      this.#tables.set(resource, table);
    }
    return table;
  }
}

function withRevision(object: JsonObject, revision: number): JsonObject {
  const { metadata } = object;
  const known = typeof metadata === 'object' && !Array.isArray(metadata) ? metadata : {};
  return { ...object, metadata: { ...known, resourceVersion: String(revision) } };
}

function recordOf({ address, revision, object }: StoredObject): JournalRecord {
  const { resource, namespace, name } = address;
  return { revision, address: [resource, namespace, name], object };
}

/** Maximum number of bytes of an object's JSON: the limit of etcd. */
export const MAX_OBJECT_BYTES = 1_572_864;

/** Size in bytes above which the journal is compacted. */
const JOURNAL_LIMIT_BYTES = 16_777_216;

/** Maximum number of bytes that address and revision add to an object's record. */
const MAX_ENVELOPE_BYTES = 4_096;

export interface StoreOptions extends LogTime {
  readonly files: Files;
  /** Directory of the journal and its lock; created if it is missing. */
  readonly folder: string;
  readonly processes: ProcessTable;
  /** Size in bytes above which the journal is compacted. */
  readonly limitBytes?: number;
}

export async function openObjectStore(options: StoreOptions): Promise<ObjectStore> {
  const memory = new StoreMemory(options);
  const journal = await Journal.open({
    ...options,
    index: memory,
    limitBytes: options.limitBytes ?? JOURNAL_LIMIT_BYTES,
    maxValueBytes: MAX_OBJECT_BYTES + MAX_ENVELOPE_BYTES,
    recovers: true,
  });
  memory.startHistory();
  return new JournaledStore(memory, journal);
}

class JournaledStore implements ObjectStore {
  readonly #memory: StoreMemory;
  readonly #journal: Journal;
  /** Pending writes, by resource and key. */
  readonly #underWay = new Map<string, Promise<void>>();
  #lastRevision: number;

  constructor(memory: StoreMemory, journal: Journal) {
    this.#memory = memory;
    this.#journal = journal;
    this.#lastRevision = memory.revision;
  }

  get revision(): number {
    return this.#memory.revision;
  }

  get({ resource, namespace, name }: ObjectAddress): StoredObject | undefined {
    return this.#memory.table(resource)?.get(keyOf({ namespace, name }));
  }

  list(resource: string, namespace?: string): readonly StoredObject[] {
    return this.#memory.table(resource)?.list(namespace) ?? [];
  }

  count(resource: string): number {
    return this.#memory.table(resource)?.size ?? 0;
  }

  async write(change: StoreWrite): Promise<WriteResult> {
    const { address, expectRevision, object } = change;
    const place = `${address.resource} ${keyOf(address)}`;
    const before = this.#underWay.get(place);
    if (before !== undefined) {
      await before;
      return { kind: 'conflict', current: this.get(address) };
    }
    const current = this.get(address);
    const last = object ?? current?.object;
    if ((current?.revision ?? 0) !== expectRevision || last === undefined) {
      return { kind: 'conflict', current };
    }
    this.#lastRevision += 1;
    const revision = this.#lastRevision;
    const stored = { address, revision, object: deepFreeze(withRevision(last, revision)) };
    await this.#append(place, {
      revision,
      address: [address.resource, address.namespace, address.name],
      object: object === null ? null : stored.object,
    });
    return object === null ? { kind: 'removed', last: stored } : { kind: 'written', stored };
  }

  async #append(place: string, record: JournalRecord): Promise<void> {
    const appended = this.#journal.append(record);
    this.#underWay.set(place, appended);
    try {
      await appended;
    } finally {
      this.#underWay.delete(place);
    }
  }

  watch({ resource, namespace, fromRevision, signal }: WatchOptions): AsyncIterable<StoreChange> {
    const changes = this.#memory.history(resource).follow(fromRevision, signal);
    return namespace === undefined ? changes : within(namespace, changes);
  }

  listAt(resource: string, revision: number): readonly StoredObject[] | undefined {
    if (revision > this.revision) return undefined;
    return this.#memory.history(resource).undo(this.list(resource), revision);
  }

  resources(): readonly string[] {
    return this.#memory.resources();
  }

  close(): Promise<void> {
    return this.#journal.close();
  }
}

async function* within(
  namespace: string,
  changes: AsyncIterable<StoreChange>,
): AsyncGenerator<StoreChange> {
  for await (const change of changes) {
    if (change.stored.address.namespace === namespace) yield change;
  }
}
