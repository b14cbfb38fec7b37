import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { fieldErrorMessage } from '../field-error.ts';
import type { ResourceDefinition } from '../resource-definition.ts';
import { builtinDefinitions } from './definitions.ts';

const context = {
  gates: { PodLifecycleSleepAction: true, PodLifecycleSleepActionAllowZero: true },
  now: '2026-01-01T00:00:00Z',
};

const find = (kind: string): ResourceDefinition => {
  const found = builtinDefinitions().find((definition) => definition.kind === kind);
  if (found === undefined) throw new Error(`no ${kind}`);
  return found;
};

const ready = (kind: string, object: JsonObject): JsonObject => {
  const definition = find(kind);
  const named = { metadata: { name: 'a', uid: 'u' }, ...object };
  return definition.prepareForCreate(definition.defaults(named), context);
};

const faults = (kind: string, object: JsonObject): string[] =>
  find(kind).validate(ready(kind, object), undefined, context).map(fieldErrorMessage);

/** The errors of an update that applies `change` to the stored `object`. */
const updateFaults = (kind: string, object: JsonObject, change: JsonObject): string[] => {
  const definition = find(kind);
  const stored = ready(kind, object);
  const next = definition.prepareForUpdate(
    definition.defaults({ ...stored, ...change }),
    stored,
    context,
  );
  return definition.validate(next, stored, context).map(fieldErrorMessage);
};

const template = {
  metadata: { labels: { a: 'b' } },
  spec: { containers: [{ name: 'c', image: 'x' }] },
};
const selector = { matchLabels: { a: 'b' } };
const set = (more: JsonObject = {}): JsonObject => ({ spec: { selector, template, ...more } });
const job = (more: JsonObject = {}): JsonObject => ({
  spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } }, ...more },
});
const webhook = {
  name: 'a.b.c',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: { url: 'https://x/y' },
};
const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: {} } };
const crd = (more: JsonObject = {}): JsonObject => ({
  metadata: { name: 'foos.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'foos', kind: 'Foo' },
    versions: [version],
    ...more,
  },
});

describe('the validation of a new object reports', () => {
  it.each<[string, string, JsonObject, string[]]>([
    ['nothing', 'Deployment', set(), []],
    [
      'a missing selector',
      'Deployment',
      { spec: { template } },
      [
        'spec.selector: Required value',
        'spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`',
      ],
    ],
    [
      'an empty selector',
      'StatefulSet',
      set({ selector: {} }),
      ['spec.selector: Invalid value: {}: empty selector is invalid for statefulset'],
    ],
    [
      'a rollout that cannot progress (ROLL-E16)',
      'Deployment',
      set({ strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }),
      [
        'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0',
      ],
    ],
    [
      'a strategy with the fields of another type',
      'Deployment',
      set({ strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } }),
      [
        "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
      ],
    ],
    [
      'an unknown reinvocation policy',
      'MutatingWebhookConfiguration',
      { webhooks: [{ ...webhook, reinvocationPolicy: 'Often' }] },
      [
        'webhooks[0].reinvocationPolicy: Unsupported value: "Often": supported values: "IfNeeded", "Never"',
      ],
    ],
    [
      'a negative number',
      'ReplicaSet',
      set({ replicas: -1 }),
      ['spec.replicas: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [
      'a progress deadline below minReadySeconds',
      'Deployment',
      set({ progressDeadlineSeconds: 3, minReadySeconds: 5 }),
      ['spec.progressDeadlineSeconds: Invalid value: 3: must be greater than minReadySeconds'],
    ],
    [
      'restartPolicy Never, under a deployment',
      'Deployment',
      set({ template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } }),
      ['spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"'],
    ],
    ['nothing', 'Job', job(), []],
    [
      'restartPolicy Always, under a job',
      'Job',
      { spec: { template: { spec: template.spec } } },
      ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
    ],
    ['missing ports', 'Service', { spec: {} }, ['spec.ports: Required value']],
    [
      'nothing, for a headless service without ports',
      'Service',
      { spec: { clusterIP: 'None' } },
      [],
    ],
    [
      'ports without names',
      'Service',
      { spec: { ports: [{ port: 80 }, { port: 81 }] } },
      ['spec.ports[0].name: Required value', 'spec.ports[1].name: Required value'],
    ],
    [
      'a duplicate key',
      'ConfigMap',
      { data: { a: 'b' }, binaryData: { a: 'YQ==' } },
      ['data[a]: Invalid value: "a": duplicate of key present in binaryData'],
    ],
    [
      'too many bytes',
      'Secret',
      { stringData: { a: 'x'.repeat(1_048_577) } },
      ['data: Too long: must have at most 1048576 bytes'],
    ],
    [
      'the missing keys of its type',
      'Secret',
      { type: 'kubernetes.io/tls' },
      ['data[tls.crt]: Required value', 'data[tls.key]: Required value'],
    ],
    [
      'an error that redacts the secret',
      'Secret',
      { type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': 'geheim' } },
      ['data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": must be JSON'],
    ],
    [
      'a missing size',
      'PersistentVolumeClaim',
      { spec: { accessModes: ['ReadWriteOnce'] } },
      ['spec.resources[storage]: Required value'],
    ],
    [
      'a missing source',
      'PersistentVolume',
      { spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } } },
      ['spec: Required value: must specify a volume type'],
    ],
    ['nothing', 'ValidatingWebhookConfiguration', { webhooks: [webhook] }, []],
    [
      'a URL that is not https',
      'MutatingWebhookConfiguration',
      { webhooks: [{ ...webhook, clientConfig: { url: 'http://x' } }] },
      [
        'webhooks[0].clientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
      ],
    ],
    ['nothing', 'CustomResourceDefinition', crd(), []],
    [
      'a name that does not match its spec',
      'CustomResourceDefinition',
      { ...crd(), metadata: { name: 'x.y.z' } },
      ['metadata.name: Invalid value: "x.y.z": must be spec.names.plural+"."+spec.group'],
    ],
    [
      'two storage versions',
      'CustomResourceDefinition',
      crd({ versions: [version, { ...version, name: 'v2' }] }),
      [
        expect.stringContaining(
          'must have exactly one version marked as storage version',
        ) as string,
      ],
    ],
  ])('%s (%s)', (...row) => {
    const [, kind, object, expected] = row;
    expect(faults(kind, object)).toEqual(expected);
  });
});

describe('an update cannot change', () => {
  it.each<[string, string, JsonObject, JsonObject, string]>([
    [
      'the selector',
      'Deployment',
      set(),
      set({
        selector: { matchLabels: { a: 'c' } },
        template: { ...template, metadata: { labels: { a: 'c' } } },
      }),
      'spec.selector: Invalid value: {"matchLabels":{"a":"c"}}: field is immutable',
    ],
    [
      'the data of an immutable object',
      'ConfigMap',
      { data: { a: 'b' }, immutable: true },
      { data: {} },
      'data: Forbidden: field is immutable when `immutable` is set',
    ],
    [
      'the immutable flag',
      'Secret',
      { immutable: true },
      { immutable: false },
      'immutable: Forbidden: field is immutable when `immutable` is set',
    ],
    [
      'the type of a secret',
      'Secret',
      {},
      { type: 'x/y' },
      'type: Invalid value: "x/y": field is immutable',
    ],
    [
      'the cluster IP',
      'Service',
      { spec: { clusterIP: '10.0.0.1', ports: [{ port: 80 }] } },
      { spec: { clusterIP: '10.0.0.2', ports: [{ port: 80 }] } },
      'spec.clusterIPs[0]: Invalid value: ["10.0.0.2"]: may not change once set',
    ],
    [
      'the provisioner',
      'StorageClass',
      { provisioner: 'a/b' },
      { provisioner: 'c/d' },
      'provisioner: Invalid value: null: field is immutable',
    ],
    [
      'the size to a smaller one',
      'PersistentVolumeClaim',
      { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } } } },
      { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
      'spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
    ],
  ])('%s (%s)', (...row) => {
    const [, kind, object, change, message] = row;
    expect(updateFaults(kind, object, {})).toEqual([]);
    expect(updateFaults(kind, object, change)).toContain(message);
  });

  it('the type of a secret, which is reported before keys that the new type requires', () => {
    expect(updateFaults('Secret', {}, { type: 'kubernetes.io/ssh-auth' })).toEqual([
      'type: Invalid value: "kubernetes.io/ssh-auth": field is immutable',
      'data[ssh-privatekey]: Required value',
    ]);
  });

  it('the completions of a job, but not its parallelism', () => {
    const stored = ready('Job', job());
    const changed = (change: JsonObject): string[] =>
      updateFaults('Job', job(), { spec: { ...(stored['spec'] as JsonObject), ...change } });
    expect(changed({ parallelism: 4, suspend: true })).toEqual([]);
    expect(changed({ completions: 4 })).toEqual([
      'spec.completions: Invalid value: 4: field is immutable',
    ]);
  });

  it('the cluster IP of a service by omitting it', () => {
    const services = find('Service');
    const stored = ready('Service', { spec: { clusterIP: '10.0.0.1', ports: [{ port: 80 }] } });
    const silent = services.defaults({ metadata: {}, spec: { ports: [{ port: 81 }] } });
    const next = services.prepareForUpdate(silent, stored, context);
    expect(next).toHaveProperty('spec.clusterIP', '10.0.0.1');
  });
});
