/** Checks hooks and probes: exactly one handler each, and the fields of each type of handler. */
import { numberAt, objectsAt, textAt } from '../../../../../../src/kube/fields.ts';
import { invalid, invalidEach } from '../../field-error.ts';
import { httpHeaderName } from '../../metadata-names.ts';
import { invalidIf, needed, notNegative, oneOf, port, portOrName } from '../field-checks.ts';
import { type Check, fields, onePart } from '../field-rules.ts';
import type { PodScope } from './check-container.ts';

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

/** A sleep as long as the grace period is valid, although the message says "less than". */
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
/** In the order of the server's checks. */
const SHARED = { exec: EXEC, httpGet: HTTP_GET, tcpSocket: fields(['port', portOrName]) };

const hook = onePart<PodScope>({ ...SHARED, sleep }, WORDS);
const probe = onePart<PodScope>({ ...SHARED, grpc: fields(['port', port]) }, WORDS);

export const LIFECYCLE: Check<PodScope> = fields<PodScope>([
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

export const PROBES: Check<PodScope> = fields<PodScope>(
  ['livenessProbe', OTHER_PROBE],
  ['readinessProbe', READINESS],
  ['startupProbe', OTHER_PROBE],
);
