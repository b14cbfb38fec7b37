/** Checks the spec of a pod, in pods and in templates. */
import {
  type Field,
  listAt,
  numberAt,
  objectsAt,
  textAt,
} from '../../../../../../src/kube/fields.ts';
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import {
  type FieldError,
  invalid,
  invalidEach,
  notFound,
  notSupported,
  required,
} from '../../field-error.ts';
import { dnsLabel, dnsSubdomain, labelText, qualifiedName } from '../../metadata-names.ts';
import {
  among,
  between,
  duplicateIf,
  form,
  forbiddenIf,
  ifSet,
  keysOf,
  needed,
  oneOf,
  unique,
} from '../field-checks.ts';
import { type Check, checkObject, fields } from '../field-rules.ts';
import {
  CONTAINER,
  HANDLERS,
  hostPorts,
  OWN_RESTARTS,
  type PodScope,
  SECURITY_CONTEXT,
} from './check-container.ts';
import { RESOURCES, RESIZE_POLICY, RUN_ONCE } from './check-resources.ts';
import { VOLUMES } from './check-volumes.ts';
import { GRACE_SECONDS } from './fill-pod-spec.ts';

const DEADLINE_SECONDS_MAX = 2_147_483_647;

/** The DNS policy None requires a nameserver. */
const ownDns: Check = (config, field, { holder }) => {
  if (textAt(holder, 'dnsPolicy') !== 'None') return [];
  const when = 'when `dnsPolicy` is None';
  if (config === undefined) return [required(field, `must provide \`dnsConfig\` ${when}`)];
  if (listAt(config, 'nameservers').length > 0) return [];
  return [required(`${field}.nameservers`, `must provide at least one DNS nameserver ${when}`)];
};

function namesIn(spec: JsonObject, ...lists: readonly string[]): readonly Field[] {
  return lists.flatMap((list) => objectsAt(spec, list).map((one) => one['name']));
}

/** Checks an init container as a sidecar or as one that runs once. A sidecar may have hooks and probes. */
const forLife: Check<PodScope> = (init, field, place) => {
  const check = textAt(init, 'restartPolicy') === 'Always' ? HANDLERS : RUN_ONCE;
  return check(init, field, place);
};

const APP_CONTAINER = fields<PodScope>(
  ['', CONTAINER],
  ['', HANDLERS],
  ['', OWN_RESTARTS],
  ['resizePolicy[]', RESIZE_POLICY],
);

const INIT_CONTAINER = fields<PodScope>(
  ['', CONTAINER],
  ['', OWN_RESTARTS],
  ['resizePolicy[]', RESIZE_POLICY],
  ['name', duplicateIf((name, { scope }) => namesIn(scope.spec, 'containers').includes(name))],
  ['', (init, field, place) => hostPorts([init ?? {}], field.replace(/\[\d+\]$/, ''), place)],
  ['', forLife],
);

const target: Check<PodScope> = (name, field, { scope }) =>
  namesIn(scope.spec, 'containers', 'initContainers').includes(name) ? [] : [notFound(field, name)];

const EPHEMERAL_CONTAINER = fields<PodScope>(
  ['', CONTAINER],
  [
    '{lifecycle,livenessProbe,readinessProbe,startupProbe,ports}',
    forbiddenIf((value) => value !== undefined, 'cannot be set for an Ephemeral Container'),
  ],
  ['targetContainerName', ifSet(target)],
);

const withTime: Check = (effect, field, { holder }) =>
  numberAt(holder, 'tolerationSeconds') !== undefined && effect !== 'NoExecute'
    ? [invalid(field, textAt(effect), "effect must be 'NoExecute' when `tolerationSeconds` is set")]
    : [];

/** Checks a toleration's value by its operator. As on a real server, the error has the path of the operator. */
const operator: Check = (value, field, { holder }) => {
  const text = textAt(holder, 'value');
  switch (textAt(value) || 'Equal') {
    case 'Equal':
      return invalidEach(field, text, labelText(text));
    case 'Exists':
      if (text === '') return [];
      return [invalid(field, holder, "value must be empty when `operator` is 'Exists'")];
    default:
      return [notSupported(field, value, ['Equal', 'Exists'])];
  }
};

const ALL_KEYS =
  'operator must be Exists when `key` is empty, which means "match all values and all keys"';

const TOLERATION = fields(
  ['key', ifSet(form(qualifiedName))],
  [
    'operator',
    (value, field, { holder }) =>
      textAt(holder, 'key') === '' && value !== 'Exists'
        ? [invalid(field, textAt(value) || 'Equal', ALL_KEYS)]
        : [],
  ],
  ['effect', withTime],
  ['operator', operator],
  ['effect', ifSet(among('NoSchedule', 'PreferNoSchedule', 'NoExecute'))],
);

const POD_SPEC = fields<PodScope>(
  ['', VOLUMES],
  ['containers', needed()],
  ['containers[]', APP_CONTAINER],
  ['containers', unique('name')],
  ['containers', hostPorts],
  ['initContainers[]', INIT_CONTAINER],
  ['initContainers', unique('name')],
  ['ephemeralContainers[]', EPHEMERAL_CONTAINER],
  ['restartPolicy', oneOf('Always', 'OnFailure', 'Never')],
  ['dnsPolicy', oneOf('ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None')],
  ['dnsConfig', ownDns],
  ['nodeSelector', keysOf(qualifiedName)],
  ['{nodeName,serviceAccountName}', ifSet(form(dnsSubdomain))],
  ['{hostname,subdomain}', ifSet(form(dnsLabel))],
  ['readinessGates[].conditionType', form(qualifiedName)],
  ['resources', RESOURCES],
  ['securityContext', SECURITY_CONTEXT],
  ['activeDeadlineSeconds', between(1, DEADLINE_SECONDS_MAX)],
  ['tolerations[]', TOLERATION],
);

export interface PodSpecToCheck {
  readonly spec: JsonObject;
  /** Path of the spec in errors, such as "spec" or "spec.template.spec". */
  readonly field: string;
  readonly zeroSleep: boolean;
}

export function checkPodSpec({ spec, field, zeroSleep }: PodSpecToCheck): readonly FieldError[] {
  const graceSeconds = numberAt(spec, 'terminationGracePeriodSeconds') ?? GRACE_SECONDS;
  return checkObject(POD_SPEC, spec, { field, scope: { spec, graceSeconds, zeroSleep } });
}
