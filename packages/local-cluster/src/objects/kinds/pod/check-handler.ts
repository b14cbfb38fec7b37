/** Checks hooks and probes: exactly one handler each, and the fields of each type of handler. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { FieldError } from '../../field-error.ts';
import { forbidden, invalid, invalidEach, required } from '../../field-errors.ts';
import { httpHeaderName } from '../../metadata-names.ts';
import { nonNegative, oneOf, portNumber, portNumberOrName } from '../checks.ts';
import {
  at,
  listAt,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
} from '../../../../../../src/kube/fields.ts';

/** The fields of the pod's spec that limit its handlers. */
export interface HandlerRules {
  readonly graceSeconds: number;
  readonly zeroSleep: boolean;
}

type Check = (handler: JsonObject, field: string, rules: HandlerRules) => readonly FieldError[];

const HTTP_SCHEMES = ['HTTP', 'HTTPS'];

/** In the order of the server's checks: all handlers after the first are refused. */
const HOOK_HANDLERS: Readonly<Record<string, Check>> = {
  exec: checkExec,
  httpGet: checkHttpGet,
  tcpSocket: (handler, field) => portNumberOrName(`${field}.port`, at(handler, 'port')),
  sleep: checkSleep,
};

const PROBE_HANDLERS: Readonly<Record<string, Check>> = {
  exec: checkExec,
  httpGet: checkHttpGet,
  tcpSocket: (handler, field) => portNumberOrName(`${field}.port`, at(handler, 'port')),
  grpc: (handler, field) => portNumber(`${field}.port`, numberAt(handler, 'port') ?? 0),
};

export function checkLifecycle(
  container: JsonObject,
  field: string,
  rules: HandlerRules,
): readonly FieldError[] {
  return ['postStart', 'preStop'].flatMap((name) => {
    const hook = objectAt(container, 'lifecycle', name);
    if (hook === undefined) return [];
    return exactlyOne(hook, `${field}.lifecycle.${name}`, { ...rules, handlers: HOOK_HANDLERS });
  });
}

export function checkProbes(
  container: JsonObject,
  field: string,
  rules: HandlerRules,
): readonly FieldError[] {
  return ['livenessProbe', 'readinessProbe', 'startupProbe'].flatMap((name) => {
    const probe = objectAt(container, name);
    if (probe === undefined) return [];
    const where = `${field}.${name}`;
    return [
      ...exactlyOne(probe, where, { ...rules, handlers: PROBE_HANDLERS }),
      ...probeNumbers(probe, where),
      ...(name === 'readinessProbe' ? readinessOnly(probe, where) : successOnce(probe, where)),
    ];
  });
}

function exactlyOne(
  holder: JsonObject,
  field: string,
  { handlers, ...rules }: HandlerRules & { readonly handlers: Readonly<Record<string, Check>> },
): readonly FieldError[] {
  const given = Object.entries(handlers).filter(([name]) => objectAt(holder, name) !== undefined);
  if (given.length === 0) return [required(field, 'must specify a handler type')];
  return given.flatMap(([name, check], index) =>
    index === 0
      ? check(objectAt(holder, name) ?? {}, `${field}.${name}`, rules)
      : [forbidden(`${field}.${name}`, 'may not specify more than 1 handler type')],
  );
}

function checkExec(handler: JsonObject, field: string): readonly FieldError[] {
  return listAt(handler, 'command').length > 0 ? [] : [required(`${field}.command`)];
}

function checkHttpGet(handler: JsonObject, field: string): readonly FieldError[] {
  return [
    ...(textAt(handler, 'path') === '' ? [required(`${field}.path`)] : []),
    ...portNumberOrName(`${field}.port`, at(handler, 'port')),
    ...oneOf(`${field}.scheme`, textAt(handler, 'scheme'), HTTP_SCHEMES),
    ...objectsAt(handler, 'httpHeaders').flatMap((header) => {
      const name = textAt(header, 'name');
      return invalidEach(`${field}.httpHeaders`, name, httpHeaderName(name));
    }),
  ];
}

/** A sleep as long as the grace period is valid, although the message says "less than". */
function checkSleep(
  handler: JsonObject,
  field: string,
  { graceSeconds, zeroSleep }: HandlerRules,
): readonly FieldError[] {
  const seconds = numberAt(handler, 'seconds') ?? 0;
  const least = zeroSleep ? 0 : 1;
  if (seconds >= least && seconds <= graceSeconds) return [];
  const range = `less than terminationGracePeriodSeconds (${graceSeconds})`;
  return [
    invalid(
      field,
      seconds,
      zeroSleep
        ? `must be non-negative and ${range}`
        : `must be greater than 0 and ${range}. Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.`,
    ),
  ];
}

function probeNumbers(probe: JsonObject, field: string): readonly FieldError[] {
  const grace = numberAt(probe, 'terminationGracePeriodSeconds');
  return [
    ...nonNegative(probe, field, [
      'initialDelaySeconds',
      'timeoutSeconds',
      'periodSeconds',
      'successThreshold',
      'failureThreshold',
    ]),
    ...(grace !== undefined && grace <= 0
      ? [invalid(`${field}.terminationGracePeriodSeconds`, grace, 'must be greater than 0')]
      : []),
  ];
}

function readinessOnly(probe: JsonObject, field: string): readonly FieldError[] {
  const grace = numberAt(probe, 'terminationGracePeriodSeconds');
  return grace === undefined
    ? []
    : [
        invalid(
          `${field}.terminationGracePeriodSeconds`,
          grace,
          'must not be set for readinessProbes',
        ),
      ];
}

function successOnce(probe: JsonObject, field: string): readonly FieldError[] {
  const successes = numberAt(probe, 'successThreshold');
  return successes === undefined || successes === 1
    ? []
    : [invalid(`${field}.successThreshold`, successes, 'must be 1')];
}
