/**
 * Manages our finalizer on an object, which keeps the object until we have cleaned up.
 *
 *  CTRL-F1 The finalizer is added before the first effect that needs it, and removed after the last effect is
 *     undone.
 *  CTRL-F2 Each change carries the resourceVersion that was read, since other clients share the list. If another client
 *     has changed it meanwhile, the server answers Conflict, and the next reconcile reads again.
 *  CTRL-F3 It is never added to a terminating object: the server would refuse it.
 */
import { orNull } from '../kube/api-error.ts';
import type { KubeClient } from '../kube/client.ts';
import { type KubeObject, type Resource, resourceName } from '../kube/object.ts';
import type { CancelSignal } from '../platform/platform.ts';
import { keyOf, parseKey } from './object-key.ts';

/**
 * The next step, by the finalizers of an object:
 * - `add`: add ours before anything else;
 * - `work`: ours is set, and the object is not terminating;
 * - `wait`: the object is terminating, and finalizers that must be removed before ours are still set;
 * - `cleanUp`: the object is terminating, and it is our turn;
 * - `gone`: the object is terminating, and nothing of ours is left to do.
 */
export type FinalizerStep = 'add' | 'work' | 'wait' | 'cleanUp' | 'gone';

export interface FinalizerOrder {
  /** Finalizers that must be removed before ours. Kubernetes does not order finalizers. */
  readonly after?: readonly string[];
}

export function finalizerStep(
  object: KubeObject,
  finalizer: string,
  { after = [] }: FinalizerOrder = {},
): FinalizerStep {
  const present = object.metadata?.finalizers ?? [];
  const ours = present.includes(finalizer);
  if (!isTerminating(object)) return ours ? 'work' : 'add';
  if (!ours) return 'gone';
  return present.some((other) => after.includes(other)) ? 'wait' : 'cleanUp';
}

/** Whether the object is terminating: it was deleted, and finalizers or a grace period still keep it. */
export function isTerminating({ metadata }: KubeObject): boolean {
  return metadata?.deletionTimestamp !== undefined;
}

export interface FinalizerWrite<T extends KubeObject> {
  readonly client: KubeClient;
  readonly resource: Resource<T>;
  /** The object that was read. */
  readonly object: T;
  readonly finalizer: string;
  readonly signal?: CancelSignal;
  readonly timeoutMs?: number;
}

export interface FinalizerAddition<T extends KubeObject> extends FinalizerWrite<T> {
  /** Annotations that are written together with the finalizer; existing values are kept. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Adds the finalizer. Resolves with the object that has it. */
export async function addFinalizer<T extends KubeObject>(write: FinalizerAddition<T>): Promise<T> {
  const { object, finalizer, resource, annotations = {} } = write;
  const { finalizers: present = [], annotations: known = {} } = object.metadata ?? {};
  const missing = Object.entries(annotations).filter(([name]) => known[name] === undefined);
  if (present.includes(finalizer) && missing.length === 0) return object;
  if (isTerminating(object)) {
    const what = `${resourceName(resource)} ${keyOf(object)}`;
    throw new Error(
      `${what} is being deleted: no finalizer can be added (check finalizerStep first)`,
    );
  }
  const finalizers = present.includes(finalizer) ? present : [...present, finalizer];
  return patchMetadata(write, {
    finalizers,
    ...(missing.length === 0 ? {} : { annotations: Object.fromEntries(missing) }),
  });
}

export interface FinalizerRemoval<T extends KubeObject> extends FinalizerWrite<T> {
  /** Names of annotations that are removed together with the finalizer. */
  readonly annotations?: readonly string[];
}

/** Removes the finalizer. Resolves with the object without it; null: the object is deleted. */
export async function removeFinalizer<T extends KubeObject>(
  write: FinalizerRemoval<T>,
): Promise<T | null> {
  const { object, finalizer, annotations = [] } = write;
  const { finalizers: present = [], annotations: known = {} } = object.metadata ?? {};
  const removed = annotations.filter((name) => known[name] !== undefined);
  if (!present.includes(finalizer) && removed.length === 0) return object;
  return orNull(
    patchMetadata(write, {
      finalizers: present.filter((other) => other !== finalizer),
      ...(removed.length === 0
        ? {}
        : { annotations: Object.fromEntries(removed.map((name) => [name, null])) }),
    }),
    'NotFound',
  );
}

function patchMetadata<T extends KubeObject>(
  { client, resource, object, signal, timeoutMs }: FinalizerWrite<T>,
  change: {
    readonly finalizers: string[];
    readonly annotations?: Readonly<Record<string, string | null>>;
  },
): Promise<T> {
  const { uid = null, resourceVersion = null } = object.metadata ?? {};
  // The UID is a precondition: a later object of the same name must not be changed.
  const body = { metadata: { uid, resourceVersion, ...change } };
  const key = parseKey(keyOf(object));
  const call = {
    ...(signal === undefined ? {} : { signal }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
  return client.patch(resource, key, { type: 'merge', body, ...call });
}
