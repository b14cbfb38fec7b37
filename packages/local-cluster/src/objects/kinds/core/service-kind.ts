/** The kind Service: one stable address for several pods. The API server allocates the address (`api/allocate.ts`). */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { dnsLabel } from '../../metadata-names.ts';
import { keepField } from '../define-kind.ts';
import { AGE, NAME, NONE, pairsField, text, textField, textOrNone, wide } from '../columns.ts';
import {
  at,
  fieldsAt,
  fill,
  fillObject,
  listAt,
  numberAt,
  objectsAt,
  textAt,
  textsAt,
} from '../../../../../../src/kube/fields.ts';
import { inNamespace, type KindSpec } from '../kind-spec.ts';
import { checkService, checkServiceStatus } from './check-service.ts';
import { hasNodePorts } from './service-address.ts';

/** Default timeout of session affinity: three hours. */
const AFFINITY_SECONDS = 10_800;

export const service: KindSpec = {
  ...inNamespace('v1', 'Service', 'svc'),
  categories: ['all'],
  status: true,
  nameRule: dnsLabel,
  columns: [
    NAME,
    textField('Type', 'spec', 'type'),
    textOrNone('Cluster-IP', 'spec', 'clusterIP'),
    text('External-IP', externalAddress),
    text('Port(s)', ports),
    AGE,
    wide(pairsField('Selector', 'spec', 'selector')),
  ],
  fieldSelectors: {
    'spec.clusterIP': (object) => textAt(object, 'spec', 'clusterIP'),
    'spec.type': (object) => textAt(object, 'spec', 'type'),
  },
  fill: fillService,
  onCreate(draft) {
    draft['status'] = { loadBalancer: {} };
    giveFamilies(fillObject(draft, 'spec'));
  },
  /** An update that names no cluster IP keeps it. A change of the type to ExternalName releases it. */
  onUpdate(draft, old) {
    const spec = fillObject(draft, 'spec');
    const before = fieldsAt(old, 'spec');
    if (textAt(spec, 'type') === 'ExternalName') dropAddress(spec, before);
    else if (textAt(spec, 'clusterIP') === '') keepAddress(spec, before);
    giveFamilies(spec);
    if (hasNodePorts(before)) {
      if (hasNodePorts(spec)) keepNodePorts(spec, before);
      else dropNodePorts(spec, before);
    }
    dropOutsideTraffic(spec, before);
  },
  check: checkService,
  checkStatus: checkServiceStatus,
};

/** Sets the IP families. They are not defaults, so that no field manager owns them. */
function giveFamilies(spec: JsonObject): void {
  if (textAt(spec, 'type') === 'ExternalName') return;
  fill(spec, 'ipFamilyPolicy', 'SingleStack');
  if (listAt(spec, 'ipFamilies').length === 0) spec['ipFamilies'] = ['IPv4'];
}

/**
 * Copies node ports from the old ports to the new ports of the same names. A port that requests a node port keeps its
 * own, and a node port that another port requests is not copied.
 */
function keepNodePorts(spec: JsonObject, before: JsonObject): void {
  const used = new Set(nodePortsOf(spec));
  for (const port of objectsAt(spec, 'ports')) {
    const old = objectsAt(before, 'ports').find(
      (one) => textAt(one, 'name') === textAt(port, 'name'),
    );
    const nodePort = numberAt(old, 'nodePort') ?? 0;
    if ((numberAt(port, 'nodePort') ?? 0) !== 0 || nodePort === 0 || used.has(nodePort)) continue;
    port['nodePort'] = nodePort;
    used.add(nodePort);
  }
}

/** Removes the node ports when the new type has none, unless the update changes them. */
function dropNodePorts(spec: JsonObject, before: JsonObject): void {
  const [now, then] = [nodePortsOf(spec), nodePortsOf(before)];
  const isSame =
    now.every((port) => then.includes(port)) && then.every((port) => now.includes(port));
  if (!isSame) return;
  for (const port of objectsAt(spec, 'ports')) delete port['nodePort'];
}

function nodePortsOf(spec: JsonObject): readonly number[] {
  return objectsAt(spec, 'ports')
    .map((port) => numberAt(port, 'nodePort') ?? 0)
    .filter((nodePort) => nodePort !== 0);
}

/** Removes externalTrafficPolicy when a service can no longer be reached from outside, unless the update changes it. */
function dropOutsideTraffic(spec: JsonObject, before: JsonObject): void {
  if (isOutside(spec) || !isOutside(before)) return;
  const name = 'externalTrafficPolicy';
  if (textAt(spec, name) === textAt(before, name)) delete spec[name];
}

function isOutside(spec: JsonObject): boolean {
  const type = textAt(spec, 'type');
  if (type === 'ClusterIP') return listAt(spec, 'externalIPs').length > 0;
  return type === 'NodePort' || type === 'LoadBalancer';
}

const ADDRESS = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'];

function keepAddress(spec: JsonObject, before: JsonObject): void {
  for (const name of ADDRESS) {
    if (at(spec, name) === undefined) keepField(spec, before, name);
  }
  if (textAt(spec, 'clusterIP') === '') keepField(spec, before, 'clusterIP');
}

/** Removes the cluster IP, unless the update sets another one. Validation refuses such an update. */
function dropAddress(spec: JsonObject, before: JsonObject): void {
  if (textAt(before, 'type') === 'ExternalName') return;
  if (textAt(spec, 'clusterIP') !== textAt(before, 'clusterIP')) return;
  for (const name of ADDRESS) delete spec[name];
}

function fillService(draft: JsonObject): void {
  const spec = fillObject(draft, 'spec');
  fill(spec, 'sessionAffinity', 'None');
  if (spec['sessionAffinity'] === 'ClientIP') {
    const affinity = fillObject(fillObject(spec, 'sessionAffinityConfig'), 'clientIP');
    affinity['timeoutSeconds'] ??= AFFINITY_SECONDS;
  }
  if (spec['sessionAffinity'] === 'None') delete spec['sessionAffinityConfig'];
  fill(spec, 'type', 'ClusterIP');
  for (const port of objectsAt(spec, 'ports')) {
    fill(port, 'protocol', 'TCP');
    if (at(port, 'targetPort') === 0) delete port['targetPort'];
    fill(port, 'targetPort', port['port'] ?? 0);
  }
  fillTraffic(spec);
  fillObject(fillObject(draft, 'status'), 'loadBalancer');
}

function fillTraffic(spec: JsonObject): void {
  const type = textAt(spec, 'type');
  if (type !== 'ExternalName') {
    fill(spec, 'internalTrafficPolicy', 'Cluster');
    const isHeadless = textAt(spec, 'clusterIP') === 'None';
    if (isHeadless) spec['clusterIPs'] = ['None'];
  }
  if (isOutside(spec)) fill(spec, 'externalTrafficPolicy', 'Cluster');
  if (type === 'LoadBalancer') spec['allocateLoadBalancerNodePorts'] ??= true;
}

function externalAddress(object: JsonObject): string {
  const given = textsAt(object, 'spec', 'externalIPs');
  switch (textAt(object, 'spec', 'type')) {
    case 'ExternalName':
      return textAt(object, 'spec', 'externalName');
    case 'LoadBalancer': {
      const balanced = objectsAt(object, 'status', 'loadBalancer', 'ingress').map(
        (entry) => textAt(entry, 'ip') || textAt(entry, 'hostname'),
      );
      return [...balanced, ...given].join(',') || '<pending>';
    }
    default:
      return given.join(',') || NONE;
  }
}

function ports(object: JsonObject): string {
  const shown = objectsAt(object, 'spec', 'ports').map((port) => {
    const nodePort = numberAt(port, 'nodePort') ?? 0;
    const number = numberAt(port, 'port') ?? 0;
    return `${number}${nodePort > 0 ? `:${nodePort}` : ''}/${textAt(port, 'protocol')}`;
  });
  return shown.join(',') || NONE;
}
