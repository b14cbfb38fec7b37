import type { KubeObject } from '../kube/object.ts';
import type { Expectations } from './expectations.ts';
import { isGoing } from './finalizers.ts';
import type { Change, Informer } from './informer.ts';

export interface Children<T extends KubeObject> {
  readonly informer: Informer<T>;
  readonly expectations: Expectations;
  /** The controller's keys that a child belongs to; the same as its source has. */
  readonly keys: (child: T) => readonly string[];
}

/**
 * Tells the expectations what the cache sees. Called before the controller listens to the same informer,
 * so that a key is never taken before its expectations know. Returns what ends it.
 */
export function followChildren<T extends KubeObject>(children: Children<T>): () => void {
  return children.informer.listen((change) => {
    tell(children, change);
  });
}

function tell<T extends KubeObject>(
  { expectations, keys }: Children<T>,
  { before, after }: Change<T>,
): void {
  const object = after ?? before;
  if (object === null) return;
  const uid = object.metadata?.uid ?? '';
  for (const key of keys(object)) {
    if (before === null) expectations.sawNew(key, uid);
    if (after === null || isGoing(object)) expectations.sawGoing(key, uid);
  }
}
