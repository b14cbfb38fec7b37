/** Checks the requests and limits of a container: quantities that are not negative, and requests within limits. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { FieldError } from '../../field-error.ts';
import { invalid, invalidEach, NOT_NEGATIVE, required, duplicate } from '../../field-errors.ts';
import { qualifiedName } from '../../metadata-names.ts';
import { compareQuantities, parseQuantity } from '../../quantity.ts';
import { textMapAt, objectsAt, textAt } from '../../../../../../src/kube/fields.ts';
import { oneOf } from '../checks.ts';

const PLAIN_RESOURCES = ['cpu', 'memory', 'ephemeral-storage'];
const QUANTITY_FORM =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

export function checkResources(container: JsonObject, field: string): readonly FieldError[] {
  const limits = textMapAt(container, 'resources', 'limits');
  const requests = textMapAt(container, 'resources', 'requests');
  const where = `${field}.resources`;
  return [
    ...Object.entries(limits).flatMap((entry) => checkAmount(entry, `${where}.limits`)),
    ...Object.entries(requests).flatMap(([name, request]) => [
      ...checkAmount([name, request], `${where}.requests`),
      ...againstLimit({ name, request, limit: limits[name] }, where),
    ]),
  ];
}

/** The size of a volume; must be positive. */
export function checkSize(text: string, field: string): readonly FieldError[] {
  const quantity = parseQuantity(text);
  if (quantity === undefined) return [invalid(field, text, QUANTITY_FORM)];
  return quantity.nanos <= 0n ? [invalid(field, text, 'must be greater than zero')] : [];
}

/** A single quantity. */
function checkQuantity(text: string, field: string): readonly FieldError[] {
  const quantity = parseQuantity(text);
  if (quantity === undefined) return [invalid(field, text, QUANTITY_FORM)];
  return quantity.nanos < 0n ? [invalid(field, text, NOT_NEGATIVE)] : [];
}

function checkAmount([name, amount]: readonly [string, string], field: string): FieldError[] {
  return [...checkName(name, `${field}[${name}]`), ...checkQuantity(amount, `${field}[${name}]`)];
}

function checkName(name: string, field: string): readonly FieldError[] {
  const faults = qualifiedName(name);
  if (faults.length > 0) return invalidEach(field, name, faults);
  if (name.includes('/') || PLAIN_RESOURCES.includes(name) || name.startsWith('hugepages-'))
    return [];
  return [
    invalid(field, name, 'must be a standard resource type or fully qualified'),
    invalid(field, name, 'must be a standard resource for containers'),
  ];
}

interface Requested {
  readonly name: string;
  readonly request: string;
  readonly limit: string | undefined;
}

/** For resources that cannot be overcommitted the request equals the limit; for others it is at most the limit. */
function againstLimit({ name, request, limit }: Requested, field: string): readonly FieldError[] {
  const isShared = !name.startsWith('hugepages-') && !name.includes('/');
  if (limit === undefined) {
    return isShared
      ? []
      : [required(`${field}.limits`, 'Limit must be set for non overcommitable resources')];
  }
  const requested = parseQuantity(request);
  const limited = parseQuantity(limit);
  if (requested === undefined || limited === undefined) return [];
  const order = compareQuantities(requested, limited);
  if (!isShared && order !== 0) {
    return [invalid(`${field}.requests`, request, `must be equal to ${name} limit`)];
  }
  return order > 0
    ? [
        invalid(
          `${field}.requests`,
          request,
          `must be less than or equal to ${name} limit of ${limit}`,
        ),
      ]
    : [];
}

/** Checks the restart policy for changes of a container's resources. */
const RESOURCES = ['cpu', 'memory'];
const POLICIES = ['NotRequired', 'RestartContainer'];

interface ResizePolicyToCheck {
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

/** An init container that runs to completion cannot restart for a resize. */
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
