/** Checks the spec of a pod, in pods and in templates. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { FieldError } from '../../field-error.ts';
import {
  duplicate,
  forbidden,
  invalidEach,
  notFound,
  required,
  invalid,
} from '../../field-errors.ts';
import { dnsLabel, dnsSubdomain, qualifiedName, labelText } from '../../metadata-names.ts';
import { duplicates, oneOf, within, oneOfIfSet } from '../checks.ts';
import {
  fieldsAt,
  listAt,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
} from '../../../../../../src/kube/fields.ts';
import {
  checkContainer,
  checkHostPorts,
  checkNoLifecycle,
  checkSecurityContext,
  checkOwnRestarts,
} from './check-container.ts';
import { checkLifecycle, checkProbes, type HandlerRules } from './check-handler.ts';
import { checkNoResizeRestart, checkResizePolicy, checkResources } from './check-resources.ts';
import { checkVolumes, volumesByName } from './check-volumes.ts';
import { GRACE_SECONDS } from './fill-pod-spec.ts';

const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'];
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const DEADLINE_SECONDS_MAX = 2_147_483_647;

export interface PodSpecToCheck {
  readonly spec: JsonObject;
  /** Example: "spec", "spec.template.spec" */
  readonly field: string;
  readonly zeroSleep: boolean;
}

export function checkPodSpec({ spec, field, zeroSleep }: PodSpecToCheck): readonly FieldError[] {
  const rules: HandlerRules = {
    graceSeconds: numberAt(spec, 'terminationGracePeriodSeconds') ?? GRACE_SECONDS,
    zeroSleep,
  };
  const volumes = volumesByName(spec);
  return [
    ...checkVolumes(spec, field),
    ...checkContainers({ spec, field, rules, volumes }),
    ...checkInitContainers({ spec, field, rules, volumes }),
    ...checkEphemeralContainers(spec, field),
    ...oneOf(`${field}.restartPolicy`, textAt(spec, 'restartPolicy'), RESTART_POLICIES),
    ...oneOf(`${field}.dnsPolicy`, textAt(spec, 'dnsPolicy'), DNS_POLICIES),
    ...checkOwnDns(spec, `${field}.dnsConfig`),
    ...checkNames(spec, field),
    ...checkResources(spec, field),
    ...checkSecurityContext(objectAt(spec, 'securityContext'), `${field}.securityContext`),
    ...within(`${field}.activeDeadlineSeconds`, numberAt(spec, 'activeDeadlineSeconds'), [
      1,
      DEADLINE_SECONDS_MAX,
    ]),
    ...checkTolerations(objectsAt(spec, 'tolerations'), `${field}.tolerations`),
  ];
}

/** The DNS policy None requires a nameserver. */
function checkOwnDns(spec: JsonObject, field: string): readonly FieldError[] {
  if (textAt(spec, 'dnsPolicy') !== 'None') return [];
  const config = objectAt(spec, 'dnsConfig');
  const when = 'when `dnsPolicy` is None';
  if (config === undefined) return [required(field, `must provide \`dnsConfig\` ${when}`)];
  if (listAt(config, 'nameservers').length > 0) return [];
  return [required(`${field}.nameservers`, `must provide at least one DNS nameserver ${when}`)];
}

interface Part {
  readonly spec: JsonObject;
  readonly field: string;
  readonly rules: HandlerRules;
  readonly volumes: ReadonlyMap<string, JsonObject>;
}

function checkContainers({ spec, field: parent, rules, volumes }: Part): readonly FieldError[] {
  const field = `${parent}.containers`;
  const containers = objectsAt(spec, 'containers');
  if (containers.length === 0) return [required(field)];
  return [
    ...containers.flatMap((container, index) => {
      const where = `${field}[${index}]`;
      return [
        ...checkContainer(container, where, volumes),
        ...checkLifecycle(container, where, rules),
        ...checkProbes(container, where, rules),
        ...checkOwnRestarts(container, where),
        ...checkResizePolicy({ container, field: where, podPolicy: textAt(spec, 'restartPolicy') }),
      ];
    }),
    ...uniqueNames(containers, field),
    ...checkHostPorts(containers, field),
  ];
}

/** Init containers that restart run alongside the containers, and so may have the same fields. */
function checkInitContainers({ spec, field: parent, rules, volumes }: Part): readonly FieldError[] {
  const field = `${parent}.initContainers`;
  const init = objectsAt(spec, 'initContainers');
  const taken = objectsAt(spec, 'containers').map((container) => textAt(container, 'name'));
  return [
    ...init.flatMap((container, index) => {
      const where = `${field}[${index}]`;
      const restarts = textAt(container, 'restartPolicy');
      return [
        ...checkContainer(container, where, volumes),
        ...checkOwnRestarts(container, where),
        ...checkResizePolicy({ container, field: where, podPolicy: textAt(spec, 'restartPolicy') }),
        ...(taken.includes(textAt(container, 'name'))
          ? [duplicate(`${where}.name`, textAt(container, 'name'))]
          : []),
        ...checkHostPorts([container], field),
        ...(restarts === 'Always'
          ? [...checkLifecycle(container, where, rules), ...checkProbes(container, where, rules)]
          : [...checkNoLifecycle(container, where), ...checkNoResizeRestart(container, where)]),
      ];
    }),
    ...uniqueNames(init, field),
  ];
}

function checkEphemeralContainers(spec: JsonObject, parent: string): readonly FieldError[] {
  const field = `${parent}.ephemeralContainers`;
  const others = ['containers', 'initContainers'].flatMap((list) =>
    objectsAt(spec, list).map((container) => textAt(container, 'name')),
  );
  return objectsAt(spec, 'ephemeralContainers').flatMap((container, index) => {
    const where = `${field}[${index}]`;
    const target = textAt(container, 'targetContainerName');
    return [
      ...checkContainer(container, where, volumesByName(spec)),
      ...['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe', 'ports']
        .filter((name) => container[name] !== undefined)
        .map((name) => forbidden(`${where}.${name}`, 'cannot be set for an Ephemeral Container')),
      ...(target === '' || others.includes(target)
        ? []
        : [notFound(`${where}.targetContainerName`, target)]),
    ];
  });
}

function uniqueNames(containers: readonly JsonObject[], field: string): readonly FieldError[] {
  return duplicates(
    containers,
    (container) => textAt(container, 'name'),
    (index) => `${field}[${index}].name`,
  );
}

function checkNames(spec: JsonObject, field: string): readonly FieldError[] {
  const rules = {
    nodeName: dnsSubdomain,
    serviceAccountName: dnsSubdomain,
    hostname: dnsLabel,
    subdomain: dnsLabel,
  };
  return [
    ...Object.keys(fieldsAt(spec, 'nodeSelector')).flatMap((key) =>
      invalidEach(`${field}.nodeSelector`, key, qualifiedName(key)),
    ),
    ...Object.entries(rules).flatMap(([name, rule]) => {
      const value = textAt(spec, name);
      return invalidEach(`${field}.${name}`, value, value === '' ? [] : rule(value));
    }),
    ...listAt(spec, 'readinessGates').flatMap((gate, index) => {
      const type = textAt(gate, 'conditionType');
      return invalidEach(
        `${field}.readinessGates[${index}].conditionType`,
        type,
        qualifiedName(type),
      );
    }),
  ];
}

/** Checks tolerations: they are stored and shown; the one node of the local cluster has no taints. */
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function checkTolerations(
  tolerations: readonly JsonObject[],
  field: string,
): readonly FieldError[] {
  return tolerations.flatMap((toleration, index) => checkOne(toleration, `${field}[${index}]`));
}

function checkOne(toleration: JsonObject, field: string): readonly FieldError[] {
  const key = textAt(toleration, 'key');
  const operator = textAt(toleration, 'operator') || 'Equal';
  const effect = textAt(toleration, 'effect');
  const hasTime = numberAt(toleration, 'tolerationSeconds') !== undefined;
  return [
    ...invalidEach(`${field}.key`, key, key === '' ? [] : qualifiedName(key)),
    ...(key === '' && operator !== 'Exists'
      ? [
          invalid(
            `${field}.operator`,
            operator,
            'operator must be Exists when `key` is empty, which means "match all values and all keys"',
          ),
        ]
      : []),
    ...(hasTime && effect !== 'NoExecute'
      ? [
          invalid(
            `${field}.effect`,
            effect,
            "effect must be 'NoExecute' when `tolerationSeconds` is set",
          ),
        ]
      : []),
    ...checkValue(toleration, operator, field),
    ...oneOfIfSet(`${field}.effect`, effect, EFFECTS),
  ];
}

function checkValue(
  toleration: JsonObject,
  operator: string,
  field: string,
): readonly FieldError[] {
  const value = textAt(toleration, 'value');
  switch (operator) {
    case 'Equal':
      return invalidEach(`${field}.operator`, value, labelText(value));
    case 'Exists':
      return value === ''
        ? []
        : [
            invalid(
              `${field}.operator`,
              toleration,
              "value must be empty when `operator` is 'Exists'",
            ),
          ];
    default:
      return oneOfIfSet(`${field}.operator`, operator, ['Equal', 'Exists']);
  }
}
