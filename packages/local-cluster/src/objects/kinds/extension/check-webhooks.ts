/** Checks webhook configurations. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { FieldError } from '../../field-error.ts';
import { duplicate, invalid, invalidEach, required } from '../../field-errors.ts';
import { dnsSubdomain } from '../../metadata-names.ts';
import { validateSelector } from '../../selector-object.ts';
import { duplicates, notSupportedUnless, oneOf, oneOfIfSet, portNumber } from '../checks.ts';
import {
  fieldsAt,
  listAt,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
  textsAt,
  at,
} from '../../../../../../src/kube/fields.ts';

const TIMEOUT_SECONDS_MAX = 30;
const REVIEW_VERSIONS = ['v1', 'v1beta1'];
const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];

export function checkWebhooks(object: JsonObject): readonly FieldError[] {
  const webhooks = objectsAt(object, 'webhooks');
  return [
    ...webhooks.flatMap((webhook, index) => checkWebhook(webhook, `webhooks[${index}]`)),
    ...duplicates(
      webhooks,
      (webhook) => textAt(webhook, 'name'),
      (index) => `webhooks[${index}].name`,
    ),
  ];
}

function checkWebhook(webhook: JsonObject, field: string): readonly FieldError[] {
  const timeout = numberAt(webhook, 'timeoutSeconds') ?? 0;
  return [
    ...checkName(textAt(webhook, 'name'), `${field}.name`),
    ...checkReviewVersions(webhook, `${field}.admissionReviewVersions`),
    ...objectsAt(webhook, 'rules').flatMap((rule, index) =>
      checkRule(rule, `${field}.rules[${index}]`),
    ),
    ...oneOf(`${field}.failurePolicy`, textAt(webhook, 'failurePolicy'), ['Fail', 'Ignore']),
    ...oneOf(`${field}.matchPolicy`, textAt(webhook, 'matchPolicy'), ['Equivalent', 'Exact']),
    ...checkSideEffects(textAt(webhook, 'sideEffects'), `${field}.sideEffects`),
    ...(timeout < 1 || timeout > TIMEOUT_SECONDS_MAX
      ? [
          invalid(
            `${field}.timeoutSeconds`,
            timeout,
            'the timeout value must be between 1 and 30 seconds',
          ),
        ]
      : []),
    ...['namespaceSelector', 'objectSelector'].flatMap((name) =>
      validateSelector(fieldsAt(webhook, name), `${field}.${name}`),
    ),
    // Validating webhooks have no such field: it was dropped before.
    ...oneOfIfSet(`${field}.reinvocationPolicy`, textAt(webhook, 'reinvocationPolicy'), [
      'IfNeeded',
      'Never',
    ]),
    ...checkClientConfig(objectAt(webhook, 'clientConfig') ?? {}, `${field}.clientConfig`),
  ];
}

/** A domain name with at least three labels: "hook.example.com". */
function checkName(name: string, field: string): readonly FieldError[] {
  const faults = dnsSubdomain(name);
  if (name === '') return [required(field)];
  if (faults.length > 0) return invalidEach(field, name, faults);
  return name.split('.').length < 3
    ? [invalid(field, name, 'should be a domain with at least three segments separated by dots')]
    : [];
}

function checkReviewVersions(webhook: JsonObject, field: string): readonly FieldError[] {
  const versions = textsAt(webhook, 'admissionReviewVersions');
  if (versions.length === 0) {
    return [required(field, `must specify one of ${REVIEW_VERSIONS.join(', ')}`)];
  }
  return [
    ...versions.flatMap((version, index) =>
      versions.indexOf(version) < index ? [duplicate(`${field}[${index}]`, version)] : [],
    ),
    ...(versions.some((version) => REVIEW_VERSIONS.includes(version))
      ? []
      : [
          invalid(
            field,
            [...versions],
            `must include at least one of ${REVIEW_VERSIONS.join(', ')}`,
          ),
        ]),
  ];
}

function checkSideEffects(value: string, field: string): readonly FieldError[] {
  const allowed = ['None', 'NoneOnDryRun'];
  return value === ''
    ? [required(field, `must specify one of ${allowed.join(', ')}`)]
    : notSupportedUnless(field, value, allowed);
}

function checkRule(rule: JsonObject, field: string): readonly FieldError[] {
  const empty = ['operations', 'apiGroups', 'apiVersions', 'resources'].filter(
    (name) => listAt(rule, name).length === 0,
  );
  return [
    ...empty.map((name) => required(`${field}.${name}`)),
    ...textsAt(rule, 'operations').flatMap((operation, index) =>
      notSupportedUnless(`${field}.operations[${index}]`, operation, OPERATIONS),
    ),
    ...['operations', 'apiGroups', 'apiVersions', 'resources'].flatMap((name) =>
      starAlone(textsAt(rule, name), `${field}.${name}`),
    ),
    ...oneOf(`${field}.scope`, textAt(rule, 'scope'), ['*', 'Cluster', 'Namespaced']),
  ];
}

function starAlone(items: readonly string[], field: string): readonly FieldError[] {
  return items.length > 1 && items.includes('*')
    ? [invalid(field, [...items], "if '*' is present, must not specify other " + nameOf(field))]
    : [];
}

function nameOf(field: string): string {
  const words: Readonly<Record<string, string>> = {
    apiGroups: 'API groups',
    apiVersions: 'API versions',
  };
  const last = field.slice(field.lastIndexOf('.') + 1);
  return words[last] ?? last;
}

/** Checks the address of a webhook: a URL or a service, never both. */
const URL_FORM = '; desired format: https://host[/path]';

function checkClientConfig(config: JsonObject, field: string): readonly FieldError[] {
  const url = at(config, 'url');
  const service = objectAt(config, 'service');
  if ((url === undefined) === (service === undefined)) {
    return [required(field, 'exactly one of url or service is required')];
  }
  if (service === undefined) return checkUrl(textAt(config, 'url'), `${field}.url`);
  return checkService(service, `${field}.service`);
}

function checkService(service: JsonObject, field: string): readonly FieldError[] {
  const path = textAt(service, 'path');
  const port = numberAt(service, 'port') ?? 0;
  return [
    ...['name', 'namespace']
      .filter((name) => textAt(service, name) === '')
      .map((name) => required(`${field}.${name}`, `service ${name} is required`)),
    ...portNumber(`${field}.port`, port).map(({ detail }) =>
      invalid(`${field}.port`, port, `port is not valid: ${detail}`),
    ),
    ...(path === '' || path.startsWith('/')
      ? []
      : [invalid(`${field}.path`, path, "must start with a '/'")]),
  ];
}

function checkUrl(text: string, field: string): readonly FieldError[] {
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
}
