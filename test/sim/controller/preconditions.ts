/** Which object a write is for: as the API server of Kubernetes answers one that names another UID or version. */
import { keyOf } from '../../../src/controller/object-key.ts';
import { ApiError } from '../../../src/kube/api-error.ts';
import { type KubeObject, type Resource, resourceName } from '../../../src/kube/object.ts';

export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** Of a replacement or a deletion: both are a conflict. */
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

/** Of a patch: another version is a conflict, and another UID is an invalid change of the object. */
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
