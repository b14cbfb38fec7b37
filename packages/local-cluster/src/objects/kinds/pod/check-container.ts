/** Checks one container of any type. */
import {
  isTrue,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
} from '../../../../../../src/kube/fields.ts';
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { duplicate, invalid, invalidEach, notFound, required } from '../../field-error.ts';
import { dnsLabel, httpHeaderName, portName } from '../../metadata-names.ts';
import {
  among,
  between,
  forbiddenIf,
  form,
  ifSet,
  invalidIf,
  isRepeated,
  namingList,
  needed,
  notNegative,
  oneOf,
  port,
  portOrName,
  unique,
} from '../field-checks.ts';
import { type Check, fields, onePart } from '../field-rules.ts';
import { ENVIRONMENT } from './check-environment.ts';
import { RESOURCES } from './check-resources.ts';
import { descendingPath } from './check-volumes.ts';

/** Handlers, of which each hook and each probe has exactly one. */
const EXEC = fields(['command', needed()]);

const HTTP_GET = fields(
  ['path', needed()],
  ['port', portOrName],
  ['scheme', oneOf('HTTP', 'HTTPS')],
  [
    'httpHeaders',
    (headers, field) =>
      objectsAt(headers).flatMap((header) => {
        const name = textAt(header, 'name');
        return invalidEach(field, name, httpHeaderName(name));
      }),
  ],
);

/** Duration of a sleep. It may equal the grace period, although the server's message says "less than". */
const sleep: Check<PodScope> = (handler, field, { scope: { graceSeconds, zeroSleep } }) => {
  const seconds = numberAt(handler, 'seconds') ?? 0;
  if (seconds >= (zeroSleep ? 0 : 1) && seconds <= graceSeconds) return [];
  const range = `less than terminationGracePeriodSeconds (${graceSeconds})`;
  const detail = zeroSleep
    ? `must be non-negative and ${range}`
    : `must be greater than 0 and ${range}. Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.`;
  return [invalid(field, seconds, detail)];
};

const WORDS = {
  none: 'must specify a handler type',
  more: 'may not specify more than 1 handler type',
};
/** Handlers that hooks and probes share, in the order of the server's checks. */
const SHARED = { exec: EXEC, httpGet: HTTP_GET, tcpSocket: fields(['port', portOrName]) };

const hook = onePart<PodScope>({ ...SHARED, sleep }, WORDS);
const probe = onePart<PodScope>({ ...SHARED, grpc: fields(['port', port]) }, WORDS);

const LIFECYCLE: Check<PodScope> = fields<PodScope>([
  'lifecycle.{postStart,preStop}',
  fields<PodScope>(['', hook]),
]);

const GRACE = 'terminationGracePeriodSeconds';

const ANY_PROBE = fields<PodScope>(
  ['', probe],
  ['{initialDelaySeconds,timeoutSeconds,periodSeconds}', notNegative],
  ['{successThreshold,failureThreshold}', notNegative],
  [
    GRACE,
    invalidIf((seconds) => seconds !== undefined && Number(seconds) <= 0, 'must be greater than 0'),
  ],
);
const READINESS = fields<PodScope>(
  ['', ANY_PROBE],
  [GRACE, invalidIf((seconds) => seconds !== undefined, 'must not be set for readinessProbes')],
);
const OTHER_PROBE = fields<PodScope>(
  ['', ANY_PROBE],
  ['successThreshold', invalidIf((times) => times !== undefined && times !== 1, 'must be 1')],
);

const PROBES: Check<PodScope> = fields<PodScope>(
  ['livenessProbe', OTHER_PROBE],
  ['readinessProbe', READINESS],
  ['startupProbe', OTHER_PROBE],
);

/** The data of the pod that the rules of a container need. */
export interface PodScope {
  readonly spec: JsonObject;
  readonly graceSeconds: number;
  readonly zeroSleep: boolean;
}

const USER_MAX = 2_147_483_647;
/** Action of a restart rule that a real server accepts, but this node does not support. */
const NOT_HERE = 'RestartAllContainers';

export const SECURITY_CONTEXT: Check = fields(
  ['{runAsUser,runAsGroup}', between(0, USER_MAX)],
  [
    '',
    invalidIf(
      (context) =>
        isTrue(context, 'privileged') && objectAt(context)?.['allowPrivilegeEscalation'] === false,
      'cannot set `allowPrivilegeEscalation` to false and `privileged` to true',
    ),
  ],
);

const PORT = fields(
  ['name', ifSet(form(portName))],
  ['containerPort', needed(), port],
  ['hostPort', ifSet(port)],
  ['protocol', oneOf('SCTP', 'TCP', 'UDP')],
);

const volumeName: Check<PodScope> = (value, field, { scope }) => {
  const name = textAt(value);
  if (name === '') return [required(field), notFound(field, name)];
  const volumes = objectsAt(scope.spec, 'volumes');
  return volumes.some((volume) => textAt(volume, 'name') === name) ? [] : [notFound(field, name)];
};

const MOUNT = fields<PodScope>(
  ['name', volumeName],
  ['mountPath', needed()],
  ['mountPath', invalidIf(isRepeated('mountPath'), 'must be unique')],
  ['{subPath,subPathExpr}', namingList(descendingPath)],
  [
    'subPathExpr',
    invalidIf(
      (path, { holder }) => textAt(path) !== '' && textAt(holder, 'subPath') !== '',
      'subPathExpr and subPath are mutually exclusive',
    ),
  ],
  ['mountPropagation', ifSet(namingList(among('Bidirectional', 'HostToContainer', 'None')))],
  [
    'mountPropagation',
    namingList(
      forbiddenIf(
        (value, { owner }) =>
          value === 'Bidirectional' && !isTrue(owner, 'securityContext', 'privileged'),
        'Bidirectional mount propagation is available only to privileged containers',
      ),
    ),
  ],
);

export const CONTAINER: Check<PodScope> = fields<PodScope>(
  ['name', needed(), form(dnsLabel)],
  [
    'image',
    needed(),
    invalidIf(
      (image) => textAt(image) !== textAt(image).trim(),
      'must not have leading or trailing whitespace',
    ),
  ],
  ['terminationMessagePolicy', oneOf('File', 'FallbackToLogsOnError')],
  ['ports[]', PORT],
  ['ports', unique('name')],
  ['', ENVIRONMENT],
  ['volumeMounts[]', MOUNT],
  ['imagePullPolicy', oneOf('Always', 'IfNotPresent', 'Never')],
  ['resources', RESOURCES],
  ['securityContext', SECURITY_CONTEXT],
);

/** Hooks and probes of a container that runs as long as the pod. */
export const HANDLERS: Check<PodScope> = fields<PodScope>(['', LIFECYCLE], ['', PROBES]);

const RESTART_RULE = fields(
  [
    'action',
    (action, ...where) =>
      oneOf('Restart')(action, ...where).map((error) =>
        action === NOT_HERE ? { ...error, isOnlyHere: true as const } : error,
      ),
  ],
  ['exitCodes', needed('must be specified'), fields(['operator', oneOf('In', 'NotIn')])],
);

/** The restart policy of one container, and its restart rules by exit code. */
export const OWN_RESTARTS: Check = fields(
  ['restartPolicy', ifSet(among('Always', 'Never', 'OnFailure'))],
  [
    'restartPolicy',
    (policy, field, { holder }) =>
      textAt(policy) === '' && objectsAt(holder, 'restartPolicyRules').length > 0
        ? [required(field, 'must specify restartPolicy when restart rules are used')]
        : [],
  ],
  ['restartPolicyRules[]', RESTART_RULE],
);

/** A host port may be used by only one container. */
export const hostPorts: Check = (containers, field) => {
  const taken = new Set<string>();
  return objectsAt(containers).flatMap((container, at) =>
    objectsAt(container, 'ports').flatMap((one, index) => {
      const host = Number(one['hostPort'] ?? 0);
      if (host === 0) return [];
      const key = `${textAt(one, 'protocol')}/${textAt(one, 'hostIP')}/${host}`;
      const isTaken = taken.has(key);
      taken.add(key);
      return isTaken ? [duplicate(`${field}[${at}].ports[${index}].hostPort`, key)] : [];
    }),
  );
};
