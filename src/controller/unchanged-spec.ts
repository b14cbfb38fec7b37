import type { KubeObject } from '../kube/object.ts';

/**
 * Whether the spec is the one that the object was created with: the server counts each change of it. The author was
 * asked for at the creation, and nobody was asked where the webhook was down at a later change.
 */
export function hasFirstSpec({ metadata }: KubeObject): boolean {
  const { generation = FIRST, deletionTimestamp } = metadata ?? {};
  // The server counts the request to delete, too.
  return generation <= (deletionTimestamp === undefined ? FIRST : FIRST + 1);
}

const FIRST = 1;

/** What a controller says of an object whose spec was changed, and is not run. */
export const CHANGED_SPEC =
  'the spec was changed after the creation, and nobody asked whether its author may run that: delete the object, and create another';
