import type { CancelSignal, Platform } from '../platform/platform.ts';
import type { HttpTransport } from '../platform/http-transport.ts';
import type { Json, KubeObject, ObjectKey, Resource } from './object.ts';

/** The dependencies that every function of this module needs. */
export interface KubeConnection {
  readonly transport: HttpTransport;
  readonly platform: Pick<Platform, 'clock' | 'timers'>;
  /** The User-Agent header: "lifehook/0.1.0 (controller)". */
  readonly userAgent: string;
  /** Milliseconds until the answer to one request, body included, must have arrived. Absent: 30 s. */
  readonly requestTimeoutMs?: number;
  /** Returns numbers from 0 to 1 for jitter; injected, so that a seed reproduces a run. */
  readonly random: () => number;
}

/**
 * Requests for typed objects. Each method is one request; `list` is one for each page. It rejects with `ApiError` if
 * the server refused the request, and with `UnreachableError` if no server answered. A request is retried, a bounded
 * number of times, only if the server certainly did not act on it. That is so after 429 and 503 with Retry-After, and
 * if no connection was established.
 */
export interface KubeClient {
  get<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    options?: CallOptions,
  ): Promise<T>;
  /** Resolves with all pages of the list. */
  list<T extends KubeObject>(resource: Resource<T>, options?: ListOptions): Promise<ObjectList<T>>;
  create<T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    options?: WriteOptions,
  ): Promise<T>;
  /** Replaces the object; its resourceVersion, if it has one, is the precondition. */
  replace<T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    options?: WriteOptions,
  ): Promise<T>;
  replaceStatus<T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    options?: WriteOptions,
  ): Promise<T>;
  patch<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    options: PatchOptions,
  ): Promise<T>;
  /** Server-side apply; `fieldManager` is required. */
  apply<T extends KubeObject>(resource: Resource<T>, object: T, options: ApplyOptions): Promise<T>;
  /** Resolves with the object if it is terminating (finalizers, grace period), or null if it was deleted at once. */
  delete<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    options?: DeleteOptions,
  ): Promise<T | null>;
  /** Any other request: subresources (scale, eviction, binding), /version, discovery. */
  raw(request: RawRequest): Promise<Json>;
}

export interface CallOptions {
  readonly signal?: CancelSignal;
  readonly timeoutMs?: number;
}

export interface ListOptions extends CallOptions {
  /** Namespace to list; absent: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Objects per page; absent: 500. */
  readonly pageSize?: number;
  /** '0': the server answers from its memory. Absent: the newest state. */
  readonly resourceVersion?: string;
}

export interface ObjectList<T extends KubeObject> {
  readonly items: readonly T[];
  /** The version from which the watch resumes. */
  readonly resourceVersion: string;
}

export interface WriteOptions extends CallOptions {
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
}

export interface PatchOptions extends WriteOptions {
  readonly type: 'json' | 'merge' | 'strategic';
  readonly body: Json;
  readonly subresource?: 'status' | 'scale' | 'resize';
}

export interface ApplyOptions extends CallOptions {
  readonly fieldManager: string;
  /** Whether to take over fields that other managers own. */
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly subresource?: 'status';
}

export interface DeleteOptions extends CallOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: boolean;
}

export interface RawRequest extends CallOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Json;
  /** Content type of the body; absent: application/json. */
  readonly contentType?: string;
}

/**
 * The events of list+watch, in order. `Synced` follows the first complete list, and every complete relist. An object
 * without an `Upsert` between a `Relisting` and its `Synced` is deleted. Objects that change while they are listed have
 * further events before `Synced`.
 */
export type WatchEvent<T extends KubeObject> =
  | { readonly type: 'Relisting' }
  | { readonly type: 'Upsert'; readonly object: T }
  | { readonly type: 'Delete'; readonly object: T }
  | { readonly type: 'Synced'; readonly resourceVersion: string }
  /** A list or a watch has failed; it is retried after `retryInMs`. */
  | {
      readonly type: 'Interrupted';
      readonly reason: string;
      readonly retryInMs: number;
      /** The server does not serve the kind (404), so there are no objects of it. */
      readonly notServed: boolean;
    };
