/** Kinds that hold data and do nothing. */
import type { Sample } from '../sample.ts';

const core = { group: '', version: 'v1', namespaced: true } as const;

const configMap: Sample = {
  ...core,
  plural: 'configmaps',
  kind: 'ConfigMap',
  body: { data: { key: 'value' } },
  change: { data: { more: 'text' } },
  wrongType: { data: 'text' },
  invalid: {
    'a key that is no file name': { data: { 'a/b': 'x' } },
    'a key twice': { binaryData: { key: 'eA==' } },
    'no base64': { binaryData: { bytes: '!!' } },
    'a number for a text': { data: { key: 1 } },
  },
  immutable: {},
  strategic: { immutable: { immutable: true }, 'changed after that': { data: { key: 'other' } } },
};

const secret: Sample = {
  ...core,
  plural: 'secrets',
  kind: 'Secret',
  body: { data: { key: 'dmFsdWU=' } },
  change: { stringData: { more: 'text' } },
  wrongType: { data: ['text'] },
  invalid: {
    'a key that is no file name': { data: { 'a/b': 'eA==' } },
    'no base64': { data: { key: '?' } },
    'TLS without its keys': { type: 'kubernetes.io/tls' },
    'a docker config that is none': {
      type: 'kubernetes.io/dockerconfigjson',
      data: { '.dockerconfigjson': 'e' },
    },
  },
  immutable: { 'another type': { type: 'example.com/other' } },
  fieldSelectors: ['type=Opaque', 'type=example.com/other'],
};

const serviceAccount: Sample = {
  ...core,
  plural: 'serviceaccounts',
  kind: 'ServiceAccount',
  body: { automountServiceAccountToken: false },
  change: { imagePullSecrets: [{ name: 'pull' }] },
  wrongType: { secrets: 'many' },
  invalid: {},
  immutable: {},
  strategic: {
    'a secret': { secrets: [{ name: 'a' }] },
    'another secret': { secrets: [{ name: 'b' }] },
    'without the first': { secrets: [{ name: 'a', $patch: 'delete' }] },
  },
};

const endpoints: Sample = {
  ...core,
  plural: 'endpoints',
  kind: 'Endpoints',
  body: { subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80 }] }] },
  change: { subsets: [{ addresses: [{ ip: '192.0.2.2' }], ports: [{ name: 'a', port: 81 }] }] },
  wrongType: { subsets: [{ addresses: 'all' }] },
  invalid: {
    'no address': { subsets: [{ ports: [{ port: 80 }] }] },
    'no IP': { subsets: [{ addresses: [{ ip: 'here' }] }] },
    'a loopback address': { subsets: [{ addresses: [{ ip: '127.0.0.1' }] }] },
    'no port': { subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 0 }] }] },
    'ports without names': {
      subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 1 }, { port: 2 }] }],
    },
  },
  immutable: {},
};

const endpointSlice: Sample = {
  group: 'discovery.k8s.io',
  version: 'v1',
  namespaced: true,
  plural: 'endpointslices',
  kind: 'EndpointSlice',
  body: {
    addressType: 'IPv4',
    endpoints: [{ addresses: ['192.0.2.1'], conditions: { ready: true } }],
    ports: [{ name: 'a', port: 80 }],
  },
  change: { endpoints: [{ addresses: ['192.0.2.2'] }], ports: [{ name: 'b', port: 81 }] },
  wrongType: { endpoints: 'all' },
  invalid: {
    'no address type': { addressType: null },
    'an unknown address type': { addressType: 'IPv9' },
    'an address of another type': { endpoints: [{ addresses: ['2001:db8::1'] }] },
    'no IP': { endpoints: [{ addresses: ['here'] }] },
    'a loopback address': { endpoints: [{ addresses: ['127.0.0.1'] }] },
    'no address': { endpoints: [{ addresses: [] }] },
    'many addresses': {
      endpoints: [{ addresses: Array.from({ length: 101 }, (_, at) => `192.0.2.${at}`) }],
    },
    'a hostname that is none': { endpoints: [{ addresses: ['192.0.2.1'], hostname: 'Not_A' }] },
    'a node that is none': { endpoints: [{ addresses: ['192.0.2.1'], nodeName: 'Not_A' }] },
    'two ports of a name': {
      ports: [
        { name: 'a', port: 1 },
        { name: 'a', port: 2 },
      ],
    },
    'a port name that is none': { ports: [{ name: 'Not_A', port: 1 }] },
    'an unknown protocol': { ports: [{ name: 'a', port: 1, protocol: 'ICMP' }] },
    'an application protocol that is none': { ports: [{ port: 1, appProtocol: 'not one' }] },
  },
  immutable: { 'another address type': { addressType: 'IPv6', endpoints: [] } },
};

const event: Sample = {
  ...core,
  plural: 'events',
  kind: 'Event',
  body: (name, namespace) => ({
    involvedObject: { kind: 'Pod', name, namespace, apiVersion: 'v1' },
    reason: 'Tried',
    message: 'it was tried',
    type: 'Normal',
    source: { component: 'conformance' },
    firstTimestamp: '2020-01-01T00:00:00Z',
    count: 1,
  }),
  change: { count: 2, message: 'it was tried again' },
  wrongType: { count: 'twice' },
  invalid: { 'of an object elsewhere': { involvedObject: { namespace: 'elsewhere' } } },
  immutable: {},
  fieldSelectors: ['reason=Tried,type=Normal', 'involvedObject.kind=Node', 'source=conformance'],
};

const namespaceKind: Sample = {
  ...core,
  namespaced: false,
  plural: 'namespaces',
  kind: 'Namespace',
  body: {},
  change: { metadata: { annotations: { 'example.com/changed': 'yes' } } },
  wrongType: { spec: { finalizers: 'none' } },
  invalid: { 'a finalizer that is no name': { spec: { finalizers: ['not a name'] } } },
  immutable: {},
  status: { phase: 'Active', conditions: [{ type: 'Tried', status: 'True' }] },
  fieldSelectors: ['status.phase=Active', 'status.phase=Terminating'],
  cases: ['create', 'read', 'watch', 'update', 'patch', 'apply', 'status', 'delete', 'routes'],
};

/** The newer group of the kind, which shows the same objects as the core group. */
const newerEvent: Sample = {
  ...event,
  group: 'events.k8s.io',
  body: (name, namespace) => ({
    eventTime: '2020-01-01T00:00:00.000000Z',
    reportingController: 'example.com/conformance',
    reportingInstance: 'one',
    action: 'Try',
    regarding: { kind: 'Pod', name, namespace, apiVersion: 'v1' },
    reason: 'Tried',
    note: 'it was tried',
    type: 'Normal',
  }),
  change: { series: { count: 2, lastObservedTime: '2020-01-01T00:00:01.000000Z' } },
  wrongType: { series: 'long' },
  invalid: {
    'no action': { action: null },
    'no reason': { reason: null },
    'no reporter': { reportingController: null },
    'an unknown type': { type: 'Strange' },
    'of an object elsewhere': { regarding: { namespace: 'elsewhere' } },
  },
  immutable: { 'another reason': { reason: 'Again' } },
  fieldSelectors: ['reason=Tried,type=Normal', 'regarding.kind=Node'],
};

export const plainSamples: readonly Sample[] = [
  configMap,
  secret,
  serviceAccount,
  endpoints,
  event,
  newerEvent,
  namespaceKind,
  endpointSlice,
];
