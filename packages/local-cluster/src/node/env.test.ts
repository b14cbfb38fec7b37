import type { Container, Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, test } from 'vitest';

import { StartError } from '../../../../src/platform/container-runtime.ts';
import { containerEnv, envReferences, expand } from './env.ts';
import { Sources } from './sources.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const sources = new Sources(
  new Map([
    [
      'configmap/app',
      new Map([
        ['LEVEL', bytes('info')],
        ['COLOUR', bytes('blue')],
      ]),
    ],
    ['secret/db', new Map([['password', bytes('s3cret')]])],
  ]),
);

const pod: Pod = {
  metadata: {
    name: 'web-1',
    namespace: 'shop',
    uid: 'u1',
    labels: { app: 'web' },
    annotations: { 'a/b': 'c' },
  },
  spec: {
    nodeName: 'lifehook',
    serviceAccountName: 'default',
    enableServiceLinks: false,
    containers: [],
  },
};

function env(
  container: Partial<Container>,
  more: Partial<Parameters<typeof containerEnv>[0]> = {},
): Record<string, string> {
  const facts = {
    pod,
    podIp: '127.10.0.7',
    hostIp: '127.0.0.1',
    node: { cpus: 4, memoryBytes: 1_024 },
    sources,
    services: [],
    imageEnv: {},
  };
  return { ...containerEnv({ ...facts, container: { name: 'app', ...container }, ...more }) };
}

describe('the environment of a container', () => {
  test('has the hostname and the own address of the pod', () => {
    expect(env({})).toEqual({ HOSTNAME: 'web-1', POD_IP: '127.10.0.7', HOST: '127.10.0.7' });
  });

  test('prefers later sources: image, then envFrom, then env', () => {
    const imageEnv = { LEVEL: 'image', PATH: '/bin' };
    const envFrom = [{ configMapRef: { name: 'app' } }];
    expect(env({ envFrom }, { imageEnv })).toMatchObject({
      LEVEL: 'info',
      COLOUR: 'blue',
      PATH: '/bin',
    });
    expect(env({ envFrom, env: [{ name: 'LEVEL', value: 'own' }] }, { imageEnv })).toMatchObject({
      LEVEL: 'own',
    });
  });

  test('puts a prefix before the names of envFrom', () => {
    expect(env({ envFrom: [{ prefix: 'DB_', secretRef: { name: 'db' } }] })).toMatchObject({
      DB_password: 's3cret',
    });
  });

  test('expands earlier variables in later values', () => {
    const variables = [
      { name: 'A', value: '1' },
      { name: 'B', value: '$(A)2' },
      { name: 'C', value: '$(D)' },
      { name: 'D', value: 'late' },
    ];
    expect(env({ env: variables })).toMatchObject({ B: '12', C: '$(D)' });
  });

  test.each([
    ['metadata.name', 'web-1'],
    ['metadata.namespace', 'shop'],
    ['metadata.uid', 'u1'],
    ["metadata.labels['app']", 'web'],
    ["metadata.annotations['a/b']", 'c'],
    ["metadata.labels['none']", ''],
    ["metadata.labels['constructor']", ''],
    ['spec.nodeName', 'lifehook'],
    ['status.podIP', '127.10.0.7'],
    ['status.hostIP', '127.0.0.1'],
  ])('reads the field %s', (fieldPath, expected) => {
    expect(env({ env: [{ name: 'X', valueFrom: { fieldRef: { fieldPath } } }] })['X']).toBe(
      expected,
    );
  });

  test.each([
    ['limits.cpu', undefined, '2'],
    ['limits.cpu', '1m', '1500'],
    ['requests.cpu', '1m', '250'],
    ['limits.memory', '1Mi', '64'],
    ['requests.memory', '1Mi', '64'],
  ])('reads the resource %s in units of %s', (resource, divisor, expected) => {
    const resources = { limits: { cpu: '1500m', memory: '64Mi' }, requests: { cpu: '250m' } };
    const resourceFieldRef = divisor === undefined ? { resource } : { resource, divisor };
    expect(env({ resources, env: [{ name: 'X', valueFrom: { resourceFieldRef } }] })['X']).toBe(
      expected,
    );
  });

  test.each([
    ['limits.cpu', '4'],
    ['limits.memory', '1024'],
    ['requests.cpu', '0'],
  ])(
    'reads the resource %s of a container without limits, or with limits of 0, as %s',
    (resource, expected) => {
      const resourceFieldRef = { resource };
      const read = { env: [{ name: 'X', valueFrom: { resourceFieldRef } }] };
      expect(env(read)['X']).toBe(expected);
      expect(env({ ...read, resources: { limits: { cpu: '0', memory: '0' } } })['X']).toBe(
        expected,
      );
    },
  );

  test('omits an optional reference to a missing object', () => {
    const configMapKeyRef = { name: 'none', key: 'k', optional: true };
    expect(env({ env: [{ name: 'X', valueFrom: { configMapKeyRef } }] })).not.toHaveProperty('X');
  });

  test.each([
    [{ configMapKeyRef: { name: 'none', key: 'k' } }, 'configmap "none" not found'],
    [{ secretKeyRef: { name: 'db', key: 'none' } }, "couldn't find key none in Secret shop/db"],
    [{ fieldRef: { fieldPath: 'spec.nope' } }, 'unsupported fieldPath: spec.nope'],
  ])('fails with the missing name: %j', (valueFrom, message) => {
    const call = (): unknown => env({ env: [{ name: 'X', valueFrom }] });
    expect(call).toThrow(StartError);
    expect(call).toThrow(message);
  });

  test('has the addresses of services, unless enableServiceLinks is false', () => {
    const service = {
      metadata: { name: 'my-db', namespace: 'shop' },
      spec: { clusterIP: '127.96.0.9', ports: [{ name: 'sql', port: 5432 }] },
    };
    const linked = { ...pod, spec: { containers: [] } };
    expect(env({}, { pod: linked, services: [service] })).toMatchObject({
      MY_DB_SERVICE_HOST: '127.96.0.9',
      MY_DB_SERVICE_PORT: '5432',
      MY_DB_SERVICE_PORT_SQL: '5432',
      MY_DB_PORT: 'tcp://127.96.0.9:5432',
      MY_DB_PORT_5432_TCP_ADDR: '127.96.0.9',
    });
    expect(env({}, { services: [service] })).not.toHaveProperty('MY_DB_SERVICE_HOST');
  });

  test('has the address of the API server in every namespace, whatever enableServiceLinks is', () => {
    const metadata = { name: 'kubernetes', namespace: 'default' };
    const api = { metadata, spec: { clusterIP: '127.96.0.1', ports: [{ port: 443 }] } };
    const address = { KUBERNETES_SERVICE_HOST: '127.96.0.1', KUBERNETES_SERVICE_PORT: '443' };
    const linked = { ...pod, spec: { containers: [] } };
    expect(env({}, { services: [api] })).toMatchObject(address);
    expect(env({}, { pod: linked, services: [api] })).toMatchObject(address);
    const named = {
      metadata: { ...metadata, namespace: 'shop' },
      spec: { ...api.spec, clusterIP: '127.96.0.7' },
    };
    expect(env({}, { pod: linked, services: [named, api] })).toMatchObject({
      KUBERNETES_SERVICE_HOST: '127.96.0.7',
    });
    const foreign = { ...named, metadata: { name: 'db', namespace: 'other' } };
    expect(env({}, { pod: linked, services: [foreign] })).not.toHaveProperty('DB_SERVICE_HOST');
  });
});

test('the objects that an environment refers to are listed by kind and name', () => {
  const container: Container = {
    name: 'app',
    envFrom: [{ configMapRef: { name: 'a' } }, { secretRef: { name: 'b' } }],
    env: [
      { name: 'X', valueFrom: { configMapKeyRef: { name: 'c', key: 'k' } } },
      { name: 'Y', valueFrom: { secretKeyRef: { name: 'd', key: 'k' } } },
      { name: 'Z', value: 'plain' },
    ],
  };
  expect(envReferences(container).map(({ kind, name }) => `${kind}/${name}`)).toEqual([
    'configmap/a',
    'secret/b',
    'configmap/c',
    'secret/d',
  ]);
});

test.each([
  ['plain', 'plain'],
  ['$(A)', 'one'],
  ['x-$(A)-$(B)', 'x-one-two'],
  ['$(MISSING)', '$(MISSING)'],
  ['$$(A)', '$(A)'],
  ['$$$(A)', '$one'],
  ['$A', '$A'],
  ['$(A', '$(A'],
  ['$', '$'],
  ['$(constructor)', '$(constructor)'],
])('%s becomes %s', (text, expected) => {
  expect(expand(text, { A: 'one', B: 'two' })).toBe(expected);
});
