/**
 * The answer of the Kubernetes API server to a write with another UID or resourceVersion than the stored object has.
 */
import { keyOf } from '../../../src/controller/object-key.ts';
import { ApiError } from '../../../src/kube/api-error.ts';
import { type KubeObject, type Resource, resourceName } from '../../../src/kube/object.ts';

export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** Checks the preconditions of a replacement or a deletion: another UID or another version is a conflict. */
export function checkVersion(
  resource: Resource,
  before: KubeObject,
  { uid, resourceVersion }: Preconditions,
): void {
  const { metadata = {} } = before;
  const sameUid = uid === undefined || uid === metadata.uid;
  const sameVersion = resourceVersion === undefined || resourceVersion === metadata.resourceVersion;
  if (sameUid && sameVersion) return;
  const message = `${resourceName(resource)} ${keyOf(before)} has been modified`;
  throw new ApiError(409, { reason: 'Conflict', message });
}

/**
 * Checks the preconditions of a patch: another version is a conflict, and another UID is an invalid change of the
 * object.
 */
export function checkPatched(
  resource: Resource,
  before: KubeObject,
  { uid, ...version }: Preconditions = {},
): void {
  checkVersion(resource, before, version);
  if (uid === undefined || uid === before.metadata?.uid) return;
  const message = `${resourceName(resource)} ${keyOf(before)}: metadata.uid: field is immutable`;
  const causes = [{ field: 'metadata.uid', reason: 'FieldValueInvalid', message }];
  throw new ApiError(422, { reason: 'Invalid', message, details: { causes } });
}
