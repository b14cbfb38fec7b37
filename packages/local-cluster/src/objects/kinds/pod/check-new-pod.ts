/** Checks what only a new pod must not have. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { objectsAt, textAt } from '../../../../../../src/kube/fields.ts';
import { type FieldError, forbidden } from '../../field-error.ts';

export function checkNewPod(pod: JsonObject): readonly FieldError[] {
  const isGated = objectsAt(pod, 'spec', 'schedulingGates').length > 0;
  const why = 'cannot be set until all schedulingGates have been cleared';
  return [
    ...(objectsAt(pod, 'spec', 'ephemeralContainers').length > 0
      ? [forbidden('spec.ephemeralContainers', 'cannot be set on create')]
      : []),
    ...(isGated && textAt(pod, 'spec', 'nodeName') !== '' ? [forbidden('spec.nodeName', why)] : []),
  ];
}
