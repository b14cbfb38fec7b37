/**
 * An API server in memory: objects with versions, conflicts and finalizers, and a history that watches read from. It
 * has neither faults nor delays; the layer between the server and its clients adds these.
 */
import { applyMergePatch, copyJson } from '../../../packages/local-cluster/src/testing.ts';
import { ApiError } from '../../../src/kube/api-error.ts';
import type { DeleteOptions, PatchOptions } from '../../../src/kube/client.ts';
import type {
  Json,
  JsonObject,
  KubeObject,
  ObjectKey,
  Resource,
} from '../../../src/kube/object.ts';
import { apiVersionOf, resourceName } from '../../../src/kube/object.ts';
import { keyOf, keyText } from '../../../src/controller/object-key.ts';
import { sameJson } from '../../../src/controller/same-json.ts';
import { timeText } from '../../../src/controller/kube-time.ts';
import { frozenCopy } from './frozen-copy.ts';
import { checkPatched, checkVersion, type Preconditions } from './preconditions.ts';
import { ServerRules } from './server-rules.ts';

export interface Stored extends KubeObject {
  metadata: NonNullable<KubeObject['metadata']>;
  spec?: Json;
  status?: Json;
}

export interface Entry {
  readonly revision: number;
  readonly resource: string;
  readonly type: 'Upsert' | 'Delete';
  /** A frozen object, which nothing may change. */
  readonly object: Stored;
}

/** All objects at one time, keyed by resource and then by object. */
export type Backup = ReadonlyMap<string, ReadonlyMap<string, Stored>>;

/** The object that a write would store, for `review`. */
export interface ReviewedWrite {
  readonly resource: Resource;
  readonly part: 'object' | 'status';
  readonly object: Stored;
}

interface Write {
  readonly before: Stored;
  readonly given: Stored;
  readonly part: 'object' | 'status';
}

export class SimApi {
  readonly history: Entry[] = [];
  readonly #nowMs: () => number;
  readonly #objects = new Map<string, Map<string, Stored>>();
  readonly #byResource = new Map<Resource, Map<string, Stored>>();
  /** The last revision of each resource. */
  readonly #lastOf = new Map<string, number>();
  readonly #listeners = new Set<(entry: Entry) => void>();
  readonly #restoreListeners = new Set<() => void>();
  #names = 0;
  /** Number of restores to an older state. */
  restores: number = 0;
  /** True after a backup was made that may be restored. */
  isRestoring: boolean = false;
  /** Returns the refusal of a change (limits, quotas, foreign webhooks); null: the change is accepted. */
  review: (write: ReviewedWrite) => ApiError | null = () => null;
  readonly rules: ServerRules = new ServerRules();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  get revision(): number {
    return this.history.length;
  }

  /** True if an object of this resource has changed since the revision. */
  hasNews(resource: string, since: number): boolean {
    return (this.#lastOf.get(resource) ?? 0) > since;
  }

  /** Returns the function that removes the listener. */
  onCommit(listener: (entry: Entry) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Accepts every change from now on. */
  endFaults(): void {
    this.review = () => null;
    this.rules.clear();
  }

  backup(): Backup {
    return new Map([...this.#objects].map(([name, objects]) => [name, new Map(objects)]));
  }

  /**
   * Puts the server back to an older state. Its revisions continue from the newest one, and earlier ones are marked
   * as compacted, as a restore of etcd that bumps the revision does. Objects of `kept` stay: the nodes report them
   * again.
   */
  restore(backup: Backup, kept: readonly Resource[]): void {
    const stay = new Set(kept.map(resourceName));
    for (const [name, objects] of this.#objects) {
      if (stay.has(name)) continue;
      objects.clear();
      for (const [key, object] of backup.get(name) ?? []) objects.set(key, object);
    }
    this.restores += 1;
    for (const listener of this.#restoreListeners) listener();
  }

  /** Returns the function that removes the listener. */
  onRestore(listener: () => void): () => void {
    this.#restoreListeners.add(listener);
    return () => {
      this.#restoreListeners.delete(listener);
    };
  }

  /** The stored objects, frozen as in every response of the server: copy an object before you change it. */
  list(resource: Resource): readonly Stored[] {
    return this.peek(resource);
  }

  peek(resource: Resource): readonly Stored[] {
    return [...this.#of(resource).values()];
  }

  find(resource: Resource, key: ObjectKey): Stored | undefined {
    return this.#of(resource).get(keyText(key));
  }

  get(resource: Resource, key: ObjectKey): Stored {
    return this.#need(resource, key);
  }

  /** Reserves the UID of an object before its creation, because a validating webhook sees the UID before that. */
  reserveUid(): string {
    this.#names += 1;
    return `uid-${this.#names}`;
  }

  /** Creates the object. `uid` may be one from `reserveUid`. */
  create(resource: Resource, given: KubeObject, uid?: string): Stored {
    const object = asNew(given);
    this.#names += 1;
    const { generateName = '' } = object.metadata;
    object.metadata.name ??= `${generateName}${this.#names.toString(36).padStart(5, '0')}`;
    if (this.#of(resource).has(keyOf(object))) {
      throw failure(409, 'AlreadyExists', `${resourceName(resource)} ${keyOf(object)} is there`);
    }
    object.apiVersion = apiVersionOf(resource);
    object.kind = resource.kind;
    object.metadata.uid = uid ?? `uid-${this.#names}`;
    object.metadata.generation = 1;
    object.metadata.creationTimestamp = timeText(this.#nowMs());
    if (resource.kind === 'Widget') delete object.status;
    return this.commit(resource, 'Upsert', object);
  }

  replace(resource: Resource, given: KubeObject, part: 'object' | 'status'): Stored {
    const before = this.#need(resource, { namespace: '', name: '', ...given.metadata });
    checkVersion(resource, before, given.metadata ?? {});
    const object = given as Stored;
    const after = part === 'status' ? { ...before, status: object.status ?? {} } : object;
    return this.#write(resource, { before, given: after, part });
  }

  patch(resource: Resource, key: ObjectKey, { type, body, subresource }: PatchOptions): Stored {
    if (type !== 'merge') throw new Error(`the simulated server knows no ${type} patch`);
    const before = this.#need(resource, key);
    checkPatched(resource, before, (body as { metadata?: Preconditions }).metadata);
    const result = applyMergePatch(before as unknown as JsonObject, body);
    if (result.kind === 'failed') throw failure(result.code, 'Invalid', result.message);
    const after = result.object as unknown as Stored;
    const part = subresource === 'status' ? 'status' : 'object';
    return this.#write(resource, { before, given: after, part });
  }

  delete(resource: Resource, key: ObjectKey, { preconditions = {} }: DeleteOptions): Stored | null {
    const before = this.#need(resource, key);
    checkVersion(resource, before, preconditions);
    if ((before.metadata.finalizers ?? []).length === 0) {
      this.#of(resource).delete(keyText(key));
      this.commit(resource, 'Delete', asNew(before));
      return null;
    }
    if (before.metadata.deletionTimestamp !== undefined) return before;
    const after = asNew(before);
    after.metadata.deletionTimestamp = timeText(this.#nowMs());
    after.metadata.generation = (after.metadata.generation ?? 1) + 1;
    return this.commit(resource, 'Upsert', after);
  }

  #write(resource: Resource, { before, given, part }: Write): Stored {
    const after = withServerFields(given, before);
    if (part === 'object' && resource.kind === 'Widget') keepStatus(after, before);
    if (sameJson(before, after)) return before;
    const refusal = this.review({ resource, part, object: after });
    if (refusal !== null) throw refusal;
    if (!sameJson(before.spec, after.spec)) {
      after.metadata.generation = (before.metadata.generation ?? 0) + 1;
    }
    const held = (after.metadata.finalizers ?? []).length > 0;
    if (held || after.metadata.deletionTimestamp === undefined) {
      return this.commit(resource, 'Upsert', after);
    }
    this.#of(resource).delete(keyOf(after));
    return this.commit(resource, 'Delete', after);
  }

  /**
   * Stores a change in the history. It changes the metadata of `given`, and copies all other parts that are not frozen.
   * For a deletion, the caller removes the object.
   */
  protected commit(resource: Resource, type: Entry['type'], given: Stored): Stored {
    const revision = this.history.length + 1;
    given.metadata.resourceVersion = String(revision);
    const object = frozenCopy(given);
    if (type === 'Upsert') this.#of(resource).set(keyOf(object), object);
    const entry: Entry = { revision, resource: resourceName(resource), type, object };
    this.history.push(entry);
    this.#lastOf.set(entry.resource, revision);
    for (const listener of this.#listeners) listener(entry);
    return object;
  }

  #of(resource: Resource): Map<string, Stored> {
    return this.#byResource.get(resource) ?? this.#findOf(resource);
  }

  /** The stored objects of a resource. All its API versions share them. */
  #findOf(resource: Resource): Map<string, Stored> {
    const name = resourceName(resource);
    const objects = this.#objects.get(name) ?? new Map<string, Stored>();
    this.#objects.set(name, objects);
    this.#byResource.set(resource, objects);
    return objects;
  }

  #need(resource: Resource, key: ObjectKey): Stored {
    const found = this.#of(resource).get(keyText(key));
    if (found !== undefined) return found;
    throw failure(404, 'NotFound', `${resourceName(resource)} ${keyText(key)} not found`);
  }
}

/** Returns a deep copy that may be changed. */
export function copyOf(object: KubeObject): Stored {
  return copyJson(object as unknown as JsonObject) as unknown as Stored;
}

export function failure(code: number, reason: string, message: string): ApiError {
  return new ApiError(code, { reason, message }, code === 429 ? 1 : null);
}

/** Priority and fairness: retry after so many seconds. */
export function tooMany(retryAfterSeconds: number): ApiError {
  return new ApiError(
    429,
    { reason: 'TooManyRequests', message: 'too many requests' },
    retryAfterSeconds,
  );
}

/** A copy for a commit: its metadata may be changed. */
export function asNew(object: KubeObject): Stored {
  return { ...object, metadata: { ...object.metadata } };
}

/** Keeps the fields that only the server sets. */
function withServerFields(given: Stored, before: Stored): Stored {
  const after = asNew(given);
  const { uid, creationTimestamp, deletionTimestamp, generation, resourceVersion } =
    before.metadata;
  Object.assign(after.metadata, { uid, creationTimestamp, generation, resourceVersion });
  if (deletionTimestamp !== undefined) after.metadata.deletionTimestamp = deletionTimestamp;
  return after;
}

function keepStatus(after: Stored, { status }: Stored): void {
  delete after.status;
  if (status !== undefined) after.status = status;
}
