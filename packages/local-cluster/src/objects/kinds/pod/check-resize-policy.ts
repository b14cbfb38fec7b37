/** Whether a container restarts when one of its resources is changed. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { FieldError } from '../../field-error.ts';
import { duplicate, invalid, required } from '../../field-errors.ts';
import { oneOf } from '../checks.ts';
import { objectsAt, textAt } from '../../../../../../src/kube/fields.ts';

const RESOURCES = ['cpu', 'memory'];
const POLICIES = ['NotRequired', 'RestartContainer'];

export interface ResizePolicyToCheck {
  readonly container: JsonObject;
  readonly field: string;
  /** The pod's restart policy. */
  readonly podPolicy: string;
}

export function checkResizePolicy(checked: ResizePolicyToCheck): readonly FieldError[] {
  const policies = objectsAt(checked.container, 'resizePolicy');
  const names = policies.map((policy) => textAt(policy, 'resourceName'));
  const field = `${checked.field}.resizePolicy`;
  return policies.flatMap((policy, index) => {
    const name = names[index] ?? '';
    const restart = textAt(policy, 'restartPolicy');
    return [
      ...(names.indexOf(name) < index ? [duplicate(`${field}[${index}]`, name)] : []),
      ...(name === '' ? [required(field)] : oneOf(field, name, RESOURCES)),
      ...(restart === '' ? [required(field)] : oneOf(field, restart, POLICIES)),
      ...(checked.podPolicy === 'Never' && restart !== 'NotRequired'
        ? [invalid(field, restart, "must be 'NotRequired' when pod `restartPolicy` is 'Never'")]
        : []),
    ];
  });
}

/** An init container that runs to its end has ended before it could restart. */
export function checkNoResizeRestart(init: JsonObject, field: string): readonly FieldError[] {
  return objectsAt(init, 'resizePolicy').flatMap((policy, index) =>
    textAt(policy, 'restartPolicy') === 'RestartContainer'
      ? [
          invalid(
            `${field}.resizePolicy[${index}].restartPolicy`,
            'RestartContainer',
            "must not be set to 'RestartContainer' for non-sidecar initContainers",
          ),
        ]
      : [],
  );
}
