/** Checks a service: its ports, its type, and its address, which may not change. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { FieldError } from '../../field-error.ts';
import { duplicate, forbidden, invalid, invalidEach, required } from '../../field-errors.ts';
import { validateLabels } from '../../metadata-maps.ts';
import { dnsLabel, dnsSubdomain } from '../../metadata-names.ts';
import { oneOf, portNumber, portNumberOrName } from '../checks.ts';
import { at, fieldsAt, numberAt, objectsAt, textAt } from '../../../../../../src/kube/fields.ts';
import { isAddress } from './service-address.ts';

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const HEADLESS = 'None';

export function checkService(
  object: JsonObject,
  old: JsonObject | undefined,
): readonly FieldError[] {
  const spec = fieldsAt(object, 'spec');
  const type = textAt(spec, 'type');
  return [
    ...(old === undefined ? [] : checkUpdate(spec, fieldsAt(old, 'spec'))),
    ...checkPorts(spec, type),
    ...checkAddress(spec, type),
    ...validateLabels(fieldsAt(spec, 'selector'), 'spec.selector'),
    ...oneOf('spec.sessionAffinity', textAt(spec, 'sessionAffinity'), ['ClientIP', 'None']),
    ...oneOf('spec.type', type, TYPES),
  ];
}

export function checkServiceStatus(object: JsonObject): readonly FieldError[] {
  const ingress = objectsAt(object, 'status', 'loadBalancer', 'ingress');
  if (ingress.length === 0 || textAt(object, 'spec', 'type') === 'LoadBalancer') return [];
  const why = "may only be used when `spec.type` is 'LoadBalancer'";
  return [forbidden('status.loadBalancer.ingress', why)];
}

function checkPorts(spec: JsonObject, type: string): readonly FieldError[] {
  const field = 'spec.ports';
  const ports = objectsAt(spec, 'ports');
  const needsPorts = type !== 'ExternalName' && textAt(spec, 'clusterIP') !== HEADLESS;
  if (ports.length === 0 && needsPorts) return [required(field)];
  return ports.flatMap((port, index) => {
    const where = `${field}[${index}]`;
    const earlier = ports.slice(0, index);
    return [
      ...checkPort(port, where, ports.length > 1),
      ...(isIn(earlier, port, ['name']) && textAt(port, 'name') !== ''
        ? [duplicate(`${where}.name`, textAt(port, 'name'))]
        : []),
      ...(isIn(earlier, port, ['protocol', 'port'])
        ? [duplicate(where, { port: at(port, 'port') ?? 0, protocol: textAt(port, 'protocol') })]
        : []),
    ];
  });
}

function isIn(ports: readonly JsonObject[], port: JsonObject, names: readonly string[]): boolean {
  return ports.some((other) => names.every((name) => other[name] === port[name]));
}

function checkPort(port: JsonObject, field: string, needsName: boolean): readonly FieldError[] {
  const name = textAt(port, 'name');
  return [
    ...(name === ''
      ? [required(`${field}.name`)].filter(() => needsName)
      : invalidEach(`${field}.name`, name, dnsLabel(name))),
    ...portNumber(`${field}.port`, numberAt(port, 'port') ?? 0),
    ...oneOf(`${field}.protocol`, textAt(port, 'protocol'), PROTOCOLS),
    ...portNumberOrName(`${field}.targetPort`, at(port, 'targetPort')),
  ];
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

/** An assigned address stays, unless the type changes to ExternalName. */
function checkUpdate(spec: JsonObject, before: JsonObject): readonly FieldError[] {
  const address = textAt(before, 'clusterIP');
  const named = [spec, before].some((side) => textAt(side, 'type') === 'ExternalName');
  const now = textAt(spec, 'clusterIP');
  if (named || address === '' || now === address) return [];
  // Another check refuses invalid addresses.
  if (now !== '' && now !== HEADLESS && !isAddress(now)) return [];
  return [invalid('spec.clusterIPs[0]', [now], 'may not change once set')];
}
