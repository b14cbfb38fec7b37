/** The kinds of the group networking.k8s.io. They are stored, but no controller acts on them. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { formatSelector } from '../../selector-object.ts';
import { AGE, NAME, NONE, text, textField } from '../columns.ts';
import {
  fillObject,
  listAt,
  objectAt,
  objectsAt,
  textAt,
  textsAt,
} from '../../../../../../src/kube/fields.ts';
import { inCluster, inNamespace, type KindSpec } from '../kind-spec.ts';

const NETWORKING = 'networking.k8s.io/v1';

export const ingress: KindSpec = {
  ...inNamespace(NETWORKING, 'Ingress', 'ing'),
  status: true,
  generationOf: ['spec'],
  columns: [
    NAME,
    text('Class', ingressClassName),
    text('Hosts', hosts),
    text('Address', (object) =>
      objectsAt(object, 'status', 'loadBalancer', 'ingress')
        .map((entry) => textAt(entry, 'ip') || textAt(entry, 'hostname'))
        .join(','),
    ),
    text('Ports', (object) => (listAt(object, 'spec', 'tls').length > 0 ? '80, 443' : '80')),
    AGE,
  ],
};

export const ingressClass: KindSpec = {
  ...inCluster(NETWORKING, 'IngressClass'),
  generationOf: ['spec'],
  columns: [
    NAME,
    textField('Controller', 'spec', 'controller'),
    text('Parameters', parameters),
    AGE,
  ],
  defaults: [['spec.parameters?.scope', 'Cluster']],
};

export const networkPolicy: KindSpec = {
  ...inNamespace(NETWORKING, 'NetworkPolicy', 'netpol'),
  generationOf: ['spec'],
  columns: [
    NAME,
    text('Pod-Selector', (object) => formatSelector(object, 'spec', 'podSelector')),
    AGE,
  ],
  fill(draft) {
    const spec = fillObject(draft, 'spec');
    fillObject(spec, 'podSelector');
    const egress = spec['egress'] !== undefined;
    if (textsAt(spec, 'policyTypes').length === 0) {
      spec['policyTypes'] = egress ? ['Ingress', 'Egress'] : ['Ingress'];
    }
  },
};

function ingressClassName(object: JsonObject): string {
  return (
    textAt(object, 'spec', 'ingressClassName') ||
    textAt(object, 'metadata', 'annotations', 'kubernetes.io/ingress.class') ||
    NONE
  );
}

function hosts(object: JsonObject): string {
  const names = objectsAt(object, 'spec', 'rules').map((rule) => textAt(rule, 'host'));
  return names.filter((name) => name !== '').join(',') || '*';
}

function parameters(object: JsonObject): string {
  const found = objectAt(object, 'spec', 'parameters');
  if (found === undefined) return NONE;
  const group = textAt(found, 'apiGroup');
  const kind = textAt(found, 'kind');
  return `${group === '' ? kind : `${kind}.${group}`}/${textAt(found, 'name')}`;
}
