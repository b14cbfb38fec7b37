/** Checks a service: its ports, its type, and its cluster IP, which an update may not change to another address. */
import { fieldsAt, listAt, textAt } from '../../../../../../src/kube/fields.ts';
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  invalidEach,
  required,
} from '../../field-error.ts';
import { validateLabels } from '../../metadata.ts';
import { dnsSubdomain } from '../../metadata-names.ts';
import {
  duplicateIf,
  forbiddenIf,
  ifSet,
  isRepeated,
  oneOf,
  port,
  portOrName,
  type Test,
} from '../field-checks.ts';
import { type Check, checkObject, each, fields } from '../field-rules.ts';
import { nameOfPort, PROTOCOL } from './endpoints.ts';
import { isAddress } from './service-address.ts';

const HEADLESS = 'None';

/** Two ports may have the same number only with different protocols. */
const pairOnce: Check = (value, field, place) => {
  const { port: number = 0, protocol = '' } = fieldsAt(value);
  const isTaken = place.list.slice(0, place.index).some((other) => {
    const earlier = fieldsAt(other);
    return (
      earlier['port'] === fieldsAt(value)['port'] &&
      earlier['protocol'] === fieldsAt(value)['protocol']
    );
  });
  return isTaken ? [duplicate(field, { port: number, protocol })] : [];
};

/** True for a port of a service that has an address inside of the cluster only. */
const isInside: Test<unknown> = (_, { owner }) => textAt(owner, 'type') === 'ClusterIP';

const PORT = fields(
  ['name', nameOfPort],
  ['port', port],
  ['protocol', PROTOCOL],
  ['targetPort', portOrName],
  ['name', ifSet(duplicateIf(isRepeated('name')))],
  ['', pairOnce],
  ['nodePort', ifSet(forbiddenIf(isInside, "may not be used when `type` is 'ClusterIP'"))],
);

const neededPorts: Check = (ports, field, { holder }) =>
  listAt(ports).length > 0 ||
  textAt(holder, 'type') === 'ExternalName' ||
  textAt(holder, 'clusterIP') === HEADLESS
    ? []
    : [required(field)];

const SPEC = fields(
  ['ports', neededPorts, each(PORT)],
  ['', (spec) => checkAddress(fieldsAt(spec), textAt(spec, 'type'))],
  ['selector', (labels, field) => validateLabels(fieldsAt(labels), field)],
  ['sessionAffinity', oneOf('ClientIP', 'None')],
  ['type', oneOf('ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort')],
);

export function checkService(
  object: JsonObject,
  old: JsonObject | undefined,
): readonly FieldError[] {
  const spec = fieldsAt(object, 'spec');
  return [
    ...(old === undefined ? [] : checkUpdate(spec, fieldsAt(old, 'spec'))),
    ...checkObject(SPEC, spec, { field: 'spec', scope: {} }),
  ];
}

export function checkServiceStatus(object: JsonObject): readonly FieldError[] {
  const ingress = listAt(object, 'status', 'loadBalancer', 'ingress');
  if (ingress.length === 0 || textAt(object, 'spec', 'type') === 'LoadBalancer') return [];
  const why = "may only be used when `spec.type` is 'LoadBalancer'";
  return [forbidden('status.loadBalancer.ingress', why)];
}

function checkAddress(spec: JsonObject, type: string): readonly FieldError[] {
  const address = textAt(spec, 'clusterIP');
  if (type !== 'ExternalName') {
    const field = 'spec.clusterIPs[0]';
    if (address === HEADLESS && type !== 'ClusterIP') {
      return [invalid(field, address, `may not be set to 'None' for ${type} services`)];
    }
    return address === '' || address === HEADLESS || isAddress(address)
      ? []
      : [invalid(field, address, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')];
  }
  const name = textAt(spec, 'externalName').replace(/\.$/, '');
  return [
    ...(address === '' || address === HEADLESS
      ? []
      : [forbidden('spec.clusterIPs', "may not be set when `type` is 'ExternalName'")]),
    ...(name === ''
      ? [required('spec.externalName')]
      : invalidEach('spec.externalName', name, dnsSubdomain(name))),
  ];
}

/** A cluster IP that is set must stay, unless the type is or was ExternalName. */
function checkUpdate(spec: JsonObject, before: JsonObject): readonly FieldError[] {
  const address = textAt(before, 'clusterIP');
  const named = [spec, before].some((side) => textAt(side, 'type') === 'ExternalName');
  const now = textAt(spec, 'clusterIP');
  if (named || address === '' || now === address) return [];
  // Invalid addresses are reported by `checkAddress`.
  if (now !== '' && now !== HEADLESS && !isAddress(now)) return [];
  return [invalid('spec.clusterIPs[0]', [now], 'may not change once set')];
}
