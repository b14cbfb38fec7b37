/** How a webhook is reached: at a URL or through a service, never both. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { FieldError } from '../../field-error.ts';
import { invalid, required } from '../../field-errors.ts';
import { portNumber } from '../checks.ts';
import { at, numberAt, objectAt, textAt } from '../../../../../../src/kube/fields.ts';

const URL_FORM = '; desired format: https://host[/path]';

export function checkClientConfig(config: JsonObject, field: string): readonly FieldError[] {
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
