import type { KubeObject } from '../kube/object.ts';

/**
 * Whether the spec is still the one with which the object was created; the server counts each change. The webhook
 * checked the author of the creation, but may have been down at a later change.
 */
export function hasFirstSpec({ metadata }: KubeObject): boolean {
  const { generation = FIRST, deletionTimestamp } = metadata ?? {};
  // The server also counts the deletion request.
  return generation <= (deletionTimestamp === undefined ? FIRST : FIRST + 1);
}

const FIRST = 1;

/** The message for an object that does not run because its spec was changed. */
export const CHANGED_SPEC =
  'the spec was changed after its creation, and the rights of the author were not checked: delete the object, and create a new one';
