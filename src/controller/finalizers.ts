/**
 * Our finalizer on an object: what keeps it in being until we have cleaned up after it.
 *
 *  CTRL-F1 It is there before the first effect that would need it, and goes after the last is undone.
 *  CTRL-F2 Each change is guarded by the resourceVersion that was read, since the list is shared: the server
 *     answers Conflict where another has changed it meanwhile, and the next pass reads again.
 *  CTRL-F3 None is put on an object that is going: the server would refuse it.
 */
import { isReason } from '../kube/api-error.ts';
import type { KubeClient } from '../kube/client.ts';
import { type KubeObject, type Resource, resourceName } from '../kube/object.ts';
import type { CancelSignal } from '../platform/platform.ts';
import { keyOf, parseKey } from './object-key.ts';

/**
 * What an object's finalizers ask of a pass:
 * - `add`: put ours on before anything else;
 * - `work`: it is there, and the object stays;
 * - `wait`: the object is going, and others that have to go before us are still there;
 * - `cleanUp`: the object is going, and it is our turn;
 * - `gone`: the object is going, and nothing of ours is left to do.
 */
export type FinalizerStep = 'add' | 'work' | 'wait' | 'cleanUp' | 'gone';

export interface FinalizerOrder {
  /** Kubernetes keeps no order among finalizers, so each has to wait for those before it. */
  readonly after?: readonly string[];
}

export function finalizerStep(
  object: KubeObject,
  finalizer: string,
  { after = [] }: FinalizerOrder = {},
): FinalizerStep {
  const present = object.metadata?.finalizers ?? [];
  const ours = present.includes(finalizer);
  if (!isGoing(object)) return ours ? 'work' : 'add';
  if (!ours) return 'gone';
  return present.some((other) => after.includes(other)) ? 'wait' : 'cleanUp';
}

/** Somebody has deleted it, and finalizers or a grace period still hold it. */
export function isGoing({ metadata }: KubeObject): boolean {
  return metadata?.deletionTimestamp !== undefined;
}

export interface FinalizerWrite<T extends KubeObject> {
  readonly client: KubeClient;
  readonly resource: Resource<T>;
  /** As it was read. */
  readonly object: T;
  readonly finalizer: string;
  readonly signal?: CancelSignal;
}

export interface FinalizerAddition<T extends KubeObject> extends FinalizerWrite<T> {
  /** Written with it; what is there stays. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Resolves with the object that has it. */
export async function addFinalizer<T extends KubeObject>(write: FinalizerAddition<T>): Promise<T> {
  const { object, finalizer, resource, annotations = {} } = write;
  const { finalizers: present = [], annotations: known = {} } = object.metadata ?? {};
  const missing = Object.entries(annotations).filter(([name]) => known[name] === undefined);
  if (present.includes(finalizer) && missing.length === 0) return object;
  if (isGoing(object)) {
    const what = `${resourceName(resource)} ${keyOf(object)}`;
    throw new Error(`${what} is going: it takes no finalizer any more (ask finalizerStep first)`);
  }
  const finalizers = present.includes(finalizer) ? present : [...present, finalizer];
  return patchMetadata(write, {
    finalizers,
    ...(missing.length === 0 ? {} : { annotations: Object.fromEntries(missing) }),
  });
}

/** Resolves with the object without it; null: the object is gone altogether. */
export async function removeFinalizer<T extends KubeObject>(
  write: FinalizerWrite<T>,
): Promise<T | null> {
  const { object, finalizer } = write;
  const present = object.metadata?.finalizers ?? [];
  if (!present.includes(finalizer)) return object;
  try {
    return await patchMetadata(write, {
      finalizers: present.filter((other) => other !== finalizer),
    });
  } catch (error) {
    if (isReason(error, 'NotFound')) return null;
    throw error;
  }
}

function patchMetadata<T extends KubeObject>(
  { client, resource, object, signal }: FinalizerWrite<T>,
  change: { readonly finalizers: string[]; readonly annotations?: Record<string, string> },
): Promise<T> {
  const { uid = null, resourceVersion = null } = object.metadata ?? {};
  // The uid too: an object of the same name that came after this one is none of our business.
  const body = { metadata: { uid, resourceVersion, ...change } };
  const key = parseKey(keyOf(object));
  const cancel = signal === undefined ? {} : { signal };
  return client.patch(resource, key, { type: 'merge', body, ...cancel });
}
