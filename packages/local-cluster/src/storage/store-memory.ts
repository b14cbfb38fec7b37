import type { JsonObject } from '../../../../src/kube/object.ts';
import type { JournalIndex } from '../../../../src/store/journal.ts';
import { ChangeLog, type LogTime } from './change-log.ts';
import { deepFreeze } from './deep-freeze.ts';
import type { ObjectAddress, StoreChange, StoredObject } from './object-store.ts';
import { keyOf, ObjectTable } from './object-table.ts';

/** One write, as a line of the journal holds it. */
export interface JournalRecord {
  readonly revision: number;
  /** Resource, namespace, name; null: only the counter. */
  readonly address: readonly [string, string, string] | null;
  /** null: removed. */
  readonly object: JsonObject | null;
}

/** What the records of the journal add up to: the living objects, the counter, and the last changes. */
export class StoreMemory implements JournalIndex {
  readonly #time: LogTime;
  readonly #tables = new Map<string, ObjectTable>();
  readonly #histories = new Map<string, ChangeLog>();
  /** Of the state that was found on opening: what led to it is not known. */
  #historyFrom: number | null = null;
  /** No object has revision 1, so that an empty list has one to watch from. */
  revision = 1;

  constructor(time: LogTime) {
    this.#time = time;
  }

  add(value: unknown, bytes: number): void {
    // The journal holds what the store appended, and its checksums say that it is unchanged.
    const { revision, address, object } = value as JournalRecord;
    // A compacted journal has the objects by name, and the counter first.
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

  /** Everything is known from here on. */
  startHistory(): void {
    this.#historyFrom = this.revision;
  }

  /** The living ones: nothing else can be spared. */
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

export function withRevision(object: JsonObject, revision: number): JsonObject {
  const { metadata } = object;
  const known = typeof metadata === 'object' && !Array.isArray(metadata) ? metadata : {};
  return { ...object, metadata: { ...known, resourceVersion: String(revision) } };
}

function recordOf({ address, revision, object }: StoredObject): JournalRecord {
  const { resource, namespace, name } = address;
  return { revision, address: [resource, namespace, name], object };
}
