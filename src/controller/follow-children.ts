import type { KubeObject } from '../kube/object.ts';
import type { Expectations } from './expectations.ts';
import { isTerminating } from './finalizers.ts';
import type { Change, Informer } from './informer.ts';

export interface Children<T extends KubeObject> {
  readonly informer: Informer<T>;
  readonly expectations: Expectations;
  /** The keys of the controller to which a child belongs; the same as for its source. */
  readonly keys: (child: T) => readonly string[];
}

/**
 * Reports changes in the cache to the expectations. Call it before the controller listens to the same informer, so that
 * the expectations are updated before a key is taken. Returns a function that stops it.
 */
export function followChildren<T extends KubeObject>(children: Children<T>): () => void {
  return children.informer.listen((change) => {
    notify(children, change);
  });
}

function notify<T extends KubeObject>(
  { expectations, keys }: Children<T>,
  { before, after }: Change<T>,
): void {
  const object = after ?? before;
  if (object === null) return;
  const uid = object.metadata?.uid ?? '';
  for (const key of keys(object)) {
    if (before === null) expectations.sawNew(key, uid);
    if (after === null || isTerminating(object)) expectations.sawTerminating(key, uid);
  }
}
