/** Checks one container of any type: name, image, ports, environment, mounts, resources. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { FieldError } from '../../field-error.ts';
import { duplicate, forbidden, invalid, invalidEach, required } from '../../field-errors.ts';
import { dnsLabel, portName } from '../../metadata-names.ts';
import { duplicates, oneOf, portNumber, within } from '../checks.ts';
import {
  isTrue,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
} from '../../../../../../src/kube/fields.ts';
import { checkEnvironment } from './check-environment.ts';
import { checkMounts } from './check-volumes.ts';
import { checkResources } from './check-resources.ts';

const MESSAGE_POLICIES = ['File', 'FallbackToLogsOnError'];
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const USER_MAX = 2_147_483_647;

export function checkContainer(
  container: JsonObject,
  field: string,
  volumes: ReadonlyMap<string, JsonObject>,
): readonly FieldError[] {
  const name = textAt(container, 'name');
  return [
    ...(name === ''
      ? [required(`${field}.name`)]
      : invalidEach(`${field}.name`, name, dnsLabel(name))),
    ...checkImage(container, field),
    ...oneOf(
      `${field}.terminationMessagePolicy`,
      textAt(container, 'terminationMessagePolicy'),
      MESSAGE_POLICIES,
    ),
    ...checkPorts(objectsAt(container, 'ports'), `${field}.ports`),
    ...checkEnvironment(container, field),
    ...checkMounts(container, field, volumes),
    ...oneOf(`${field}.imagePullPolicy`, textAt(container, 'imagePullPolicy'), PULL_POLICIES),
    ...checkResources(container, field),
    ...checkSecurityContext(objectAt(container, 'securityContext'), `${field}.securityContext`),
  ];
}

export function checkSecurityContext(
  context: JsonObject | undefined,
  field: string,
): readonly FieldError[] {
  if (context === undefined) return [];
  const contradiction =
    isTrue(context, 'privileged') && context['allowPrivilegeEscalation'] === false;
  return [
    ...within(`${field}.runAsUser`, numberAt(context, 'runAsUser'), [0, USER_MAX]),
    ...within(`${field}.runAsGroup`, numberAt(context, 'runAsGroup'), [0, USER_MAX]),
    ...(contradiction
      ? [
          invalid(
            field,
            context,
            'cannot set `allowPrivilegeEscalation` to false and `privileged` to true',
          ),
        ]
      : []),
  ];
}

/** Each host port may be used by one of the containers only. */
export function checkHostPorts(
  containers: readonly JsonObject[],
  field: string,
): readonly FieldError[] {
  const taken = new Set<string>();
  return containers.flatMap((container, at) =>
    objectsAt(container, 'ports').flatMap((port, index) => {
      const host = numberAt(port, 'hostPort') ?? 0;
      if (host === 0) return [];
      const key = `${textAt(port, 'protocol')}/${textAt(port, 'hostIP')}/${host}`;
      const isTaken = taken.has(key);
      taken.add(key);
      return isTaken ? [duplicate(`${field}[${at}].ports[${index}].hostPort`, key)] : [];
    }),
  );
}

function checkImage(container: JsonObject, field: string): readonly FieldError[] {
  const image = textAt(container, 'image');
  if (image === '') return [required(`${field}.image`)];
  return image === image.trim()
    ? []
    : [invalid(`${field}.image`, image, 'must not have leading or trailing whitespace')];
}

function checkPorts(ports: readonly JsonObject[], field: string): readonly FieldError[] {
  return [
    ...ports.flatMap((port, index) => checkPort(port, `${field}[${index}]`)),
    ...duplicates(
      ports,
      (port) => textAt(port, 'name'),
      (index) => `${field}[${index}].name`,
    ),
  ];
}

function checkPort(port: JsonObject, field: string): readonly FieldError[] {
  const name = textAt(port, 'name');
  const number = numberAt(port, 'containerPort') ?? 0;
  const host = numberAt(port, 'hostPort') ?? 0;
  return [
    ...invalidEach(`${field}.name`, name, name === '' ? [] : portName(name)),
    ...(number === 0
      ? [required(`${field}.containerPort`)]
      : portNumber(`${field}.containerPort`, number)),
    ...(host === 0 ? [] : portNumber(`${field}.hostPort`, host)),
    ...oneOf(`${field}.protocol`, textAt(port, 'protocol'), PROTOCOLS),
  ];
}

/** Refuses fields that are only for containers that run as long as the pod. */
export function checkNoLifecycle(container: JsonObject, field: string): readonly FieldError[] {
  return ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe']
    .filter((name) => objectAt(container, name) !== undefined)
    .map((name) =>
      forbidden(
        `${field}.${name}`,
        'may not be set for init containers without restartPolicy=Always',
      ),
    );
}

/** Checks a container's own restart policy, and its rules for exit codes. */
const POLICIES = ['Always', 'Never', 'OnFailure'];
const ACTIONS = ['Restart'];
/** A real server accepts it; the node does not support it. */
const NOT_HERE = 'RestartAllContainers';
const OPERATORS = ['In', 'NotIn'];

export function checkOwnRestarts(container: JsonObject, field: string): readonly FieldError[] {
  const policy = textAt(container, 'restartPolicy');
  const rules = objectsAt(container, 'restartPolicyRules');
  const where = `${field}.restartPolicy`;
  const why = 'must specify restartPolicy when restart rules are used';
  return [
    ...(policy === '' ? [] : oneOf(where, policy, POLICIES)),
    ...(policy === '' && rules.length > 0 ? [required(where, why)] : []),
    ...rules.flatMap((rule, index) => checkRule(rule, `${where}Rules[${index}]`)),
  ];
}

function checkRule(rule: JsonObject, field: string): readonly FieldError[] {
  const action = checkAction(textAt(rule, 'action'), `${field}.action`);
  if (rule['exitCodes'] === undefined) {
    return [...action, required(`${field}.exitCodes`, 'must be specified')];
  }
  const operator = textAt(rule, 'exitCodes', 'operator');
  return [...action, ...oneOf(`${field}.exitCodes.operator`, operator, OPERATORS)];
}

function checkAction(action: string, field: string): readonly FieldError[] {
  const errors = oneOf(field, action, ACTIONS);
  return action === NOT_HERE ? errors.map((error) => ({ ...error, isOnlyHere: true })) : errors;
}
