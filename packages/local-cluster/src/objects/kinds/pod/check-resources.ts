/** Checks requests and limits: quantities must not be negative, and requests must not exceed limits. */
import { objectAt, textAt, textMapAt } from '../../../../../../src/kube/fields.ts';
import {
  duplicate,
  type FieldError,
  invalid,
  invalidEach,
  NOT_NEGATIVE,
  required,
} from '../../field-error.ts';
import { qualifiedName } from '../../metadata-names.ts';
import { compareQuantities, parseQuantity } from '../../../../../../src/kube/quantity.ts';
import { atList, forbiddenIf, invalidIf, isRepeated, oneOf, type Test } from '../field-checks.ts';
import { type Check, fields } from '../field-rules.ts';
import type { PodScope } from './check-container.ts';

const PLAIN_RESOURCES = ['cpu', 'memory', 'ephemeral-storage'];
const QUANTITY_FORM =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** Checks the requests and limits of one container or of a whole pod. */
export const RESOURCES: Check = (resources, field) => {
  const [limits, requests] = [textMapAt(resources, 'limits'), textMapAt(resources, 'requests')];
  return [
    ...Object.entries(limits).flatMap((entry) => checkAmount(entry, `${field}.limits`)),
    ...Object.entries(requests).flatMap(([name, request]) => [
      ...checkAmount([name, request], `${field}.requests`),
      ...againstLimit({ name, request, limit: limits[name] }, field),
    ]),
  ];
};

/** The size of a volume, which must be positive. */
export function checkSize(text: string, field: string): readonly FieldError[] {
  const quantity = parseQuantity(text);
  if (quantity === undefined) return [invalid(field, text, QUANTITY_FORM)];
  return quantity.nanos <= 0n ? [invalid(field, text, 'must be greater than zero')] : [];
}

function checkAmount(
  [name, amount]: readonly [string, string],
  list: string,
): readonly FieldError[] {
  const field = `${list}[${name}]`;
  const quantity = parseQuantity(amount);
  if (quantity === undefined) {
    return [...checkName(name, field), invalid(field, amount, QUANTITY_FORM)];
  }
  const fault = quantity.nanos < 0n ? [invalid(field, amount, NOT_NEGATIVE)] : [];
  return [...checkName(name, field), ...fault];
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

/** A request must not exceed its limit. For a resource that cannot be overcommitted the two must be equal. */
function againstLimit({ name, request, limit }: Requested, field: string): readonly FieldError[] {
  const isShared = !name.startsWith('hugepages-') && !name.includes('/');
  if (limit === undefined) {
    if (isShared) return [];
    return [required(`${field}.limits`, 'Limit must be set for non overcommitable resources')];
  }
  const [requested, limited] = [parseQuantity(request), parseQuantity(limit)];
  if (requested === undefined || limited === undefined) return [];
  const order = compareQuantities(requested, limited);
  const equal = `must be equal to ${name} limit`;
  const less = `must be less than or equal to ${name} limit of ${limit}`;
  const wrong = isShared ? order > 0 : order !== 0;
  return wrong ? [invalid(`${field}.requests`, request, isShared ? less : equal)] : [];
}

const NO_RESTART = "must be 'NotRequired' when pod `restartPolicy` is 'Never'";
const isInPodThatNeverRestarts: Test<PodScope> = (policy, { scope }) =>
  policy !== 'NotRequired' && textAt(scope.spec, 'restartPolicy') === 'Never';

/** The resizePolicy of a container: whether a change of a resource restarts it. */
export const RESIZE_POLICY: Check<PodScope> = fields<PodScope>(
  [
    '',
    (policy, field, place) =>
      isRepeated('resourceName')(policy, place)
        ? [duplicate(field, textAt(policy, 'resourceName'))]
        : [],
  ],
  ['resourceName', atList(oneOf('cpu', 'memory'))],
  ['restartPolicy', atList(oneOf('NotRequired', 'RestartContainer'))],
  ['restartPolicy', atList(invalidIf(isInPodThatNeverRestarts, NO_RESTART))],
);

const NOT_ONCE = 'may not be set for init containers without restartPolicy=Always';
const NOT_RESIZED_ONCE = "must not be set to 'RestartContainer' for non-sidecar initContainers";

/** An init container that runs to completion has no hooks or probes, and must not restart for a resize. */
export const RUN_ONCE: Check = fields(
  [
    '{lifecycle,livenessProbe,readinessProbe,startupProbe}',
    forbiddenIf((value) => objectAt(value) !== undefined, NOT_ONCE),
  ],
  [
    'resizePolicy[].restartPolicy',
    invalidIf((policy) => policy === 'RestartContainer', NOT_RESIZED_ONCE),
  ],
);
