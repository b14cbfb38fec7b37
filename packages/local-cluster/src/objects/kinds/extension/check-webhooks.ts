/** Checks webhook configurations. */
import { fieldsAt, textAt, textsAt } from '../../../../../../src/kube/fields.ts';
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { duplicate, type FieldError, invalid, required } from '../../field-error.ts';
import { dnsSubdomain, qualifiedName } from '../../metadata-names.ts';
import { validateSelector } from '../../selector-object.ts';
import {
  among,
  atMost,
  form,
  ifSet,
  invalidIf,
  needed,
  oneOf,
  port,
  unique,
} from '../field-checks.ts';
import { type Check, checkObject, each, fields } from '../field-rules.ts';

const TIMEOUT_SECONDS_MAX = 30;
const CONDITIONS_MAX = 64;
const REVIEW_VERSIONS = ['v1', 'v1beta1'];
const REVIEWS = REVIEW_VERSIONS.join(', ');
const SIDE_EFFECTS = ['None', 'NoneOnDryRun'];

/** Error for a name that is not like "hook.example.com". */
const THREE = 'should be a domain with at least three segments separated by dots';

const reviewVersions: Check = (value, field) => {
  const versions = textsAt(value);
  return [
    ...versions.flatMap((version, index) =>
      versions.indexOf(version) < index ? [duplicate(`${field}[${index}]`, version)] : [],
    ),
    ...(versions.some((version) => REVIEW_VERSIONS.includes(version))
      ? []
      : [invalid(field, [...versions], `must include at least one of ${REVIEWS}`)]),
  ];
};

function starAlone(others: string): Check {
  return invalidIf((items) => {
    const texts = textsAt(items);
    return texts.length > 1 && texts.includes('*');
  }, `if '*' is present, must not specify other ${others}`);
}

const RULE = fields(
  ['{operations,apiGroups,apiVersions,resources}', needed()],
  ['operations[]', among('*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE')],
  ['operations', starAlone('operations')],
  ['apiGroups', starAlone('API groups')],
  ['apiVersions', starAlone('API versions')],
  ['resources', starAlone('resources')],
  ['scope', oneOf('*', 'Cluster', 'Namespaced')],
);

const servicePort: Check = (value, field, place) =>
  port(value, field, place).map(({ detail }) =>
    invalid(field, value ?? 0, `port is not valid: ${detail}`),
  );

const SERVICE = fields(
  ['name', needed('service name is required')],
  ['namespace', needed('service namespace is required')],
  ['port', servicePort],
  ['path', ifSet(invalidIf((path) => !textAt(path).startsWith('/'), "must start with a '/'"))],
);

const URL_FORM = '; desired format: https://host[/path]';

const webhookUrl: Check = (value, field) => {
  const text = textAt(value);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) {
    return [required(field, `url must be a valid URL: ${JSON.stringify(text)}${URL_FORM}`)];
  }
  const user = url.password === '' ? url.username : `${url.username}:${url.password}`;
  const unwanted: readonly (readonly [string, string])[] = [
    [user, 'user information is not permitted in the URL'],
    [url.hash.slice(1), 'fragments are not permitted in the URL'],
    [url.search.slice(1), 'query parameters are not permitted in the URL'],
  ];
  return [
    ...(url.protocol === 'https:'
      ? []
      : [
          invalid(
            field,
            url.protocol.slice(0, -1),
            `'https' is the only allowed URL scheme${URL_FORM}`,
          ),
        ]),
    ...(url.host === '' ? [invalid(field, '', `host must be specified${URL_FORM}`)] : []),
    ...unwanted.filter(([part]) => part !== '').map(([part, fault]) => invalid(field, part, fault)),
  ];
};

/** A webhook must have either a URL or a service. */
const clientConfig: Check = (value, field, place) => {
  const { url, service } = fieldsAt(value);
  if ((url === undefined) === (service === undefined)) {
    return [required(field, 'exactly one of url or service is required')];
  }
  return service === undefined
    ? webhookUrl(url, `${field}.url`, place)
    : SERVICE(service, `${field}.service`, place);
};

const selector: Check = (value, field) => validateSelector(fieldsAt(value), field);

const timeout: Check = (value, field) => {
  const seconds = Number(value ?? 0);
  if (seconds >= 1 && seconds <= TIMEOUT_SECONDS_MAX) return [];
  return [invalid(field, seconds, 'the timeout value must be between 1 and 30 seconds')];
};

const expression: Check = (value, field) =>
  textAt(value).trim() === '' ? [required(field, '')] : [];

const CONDITION = fields(
  ['expression', expression],
  ['name', needed(), ifSet(form(qualifiedName))],
);

const WEBHOOK = fields(
  [
    'name',
    needed(),
    form(dnsSubdomain),
    invalidIf((name) => textAt(name).split('.').length < 3, THREE),
  ],
  ['admissionReviewVersions', needed(`must specify one of ${REVIEWS}`), reviewVersions],
  ['rules[]', RULE],
  ['failurePolicy', oneOf('Fail', 'Ignore')],
  ['matchPolicy', oneOf('Equivalent', 'Exact')],
  ['sideEffects', needed(`must specify one of ${SIDE_EFFECTS.join(', ')}`), among(...SIDE_EFFECTS)],
  ['timeoutSeconds', timeout],
  ['{namespaceSelector,objectSelector}', selector],
  // Only mutating webhooks have this field: in validating ones it is unknown, and was dropped before.
  ['reinvocationPolicy', ifSet(among('IfNeeded', 'Never'))],
  ['clientConfig', clientConfig],
  ['matchConditions', atMost(CONDITIONS_MAX)],
  ['matchConditions', each(CONDITION)],
  ['matchConditions', unique('name')],
);

const CONFIGURATION = fields(['webhooks', each(WEBHOOK)], ['webhooks', unique('name')]);

export function checkWebhooks(object: JsonObject): readonly FieldError[] {
  return checkObject(CONFIGURATION, object, { scope: {} });
}
