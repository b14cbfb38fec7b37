import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../kube/object.ts';
import { fieldErrorMessage } from '../field-error-message.ts';
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

/** Of an update of what `object` was stored as. */
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

describe('what is wrong with a new object', () => {
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
      'a rollout that cannot move (E16)',
      'Deployment',
      set({ strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }),
      [
        'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0',
      ],
    ],
    [
      'a strategy of two minds',
      'Deployment',
      set({ strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } }),
      [
        "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
      ],
    ],
    [
      'an unknown reinvocation',
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
      'a deadline within the time to get ready',
      'Deployment',
      set({ progressDeadlineSeconds: 3, minReadySeconds: 5 }),
      ['spec.progressDeadlineSeconds: Invalid value: 3: must be greater than minReadySeconds'],
    ],
    [
      'pods that end, under a deployment',
      'Deployment',
      set({ template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } }),
      ['spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"'],
    ],
    ['nothing', 'Job', job(), []],
    [
      'pods that do not end, under a job',
      'Job',
      { spec: { template: { spec: template.spec } } },
      ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
    ],
    ['no ports', 'Service', { spec: {} }, ['spec.ports: Required value']],
    ['nothing, without an address', 'Service', { spec: { clusterIP: 'None' } }, []],
    [
      'ports without names',
      'Service',
      { spec: { ports: [{ port: 80 }, { port: 81 }] } },
      ['spec.ports[0].name: Required value', 'spec.ports[1].name: Required value'],
    ],
    [
      'a key twice',
      'ConfigMap',
      { data: { a: 'b' }, binaryData: { a: 'YQ==' } },
      ['data[a]: Invalid value: "a": duplicate of key present in binaryData'],
    ],
    [
      'too much',
      'Secret',
      { stringData: { a: 'x'.repeat(1_048_577) } },
      ['data: Too long: must have at most 1048576 bytes'],
    ],
    [
      'what its type needs',
      'Secret',
      { type: 'kubernetes.io/tls' },
      ['data[tls.crt]: Required value', 'data[tls.key]: Required value'],
    ],
    [
      'a text of the secret in no message',
      'Secret',
      { type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': 'geheim' } },
      ['data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": must be JSON'],
    ],
    [
      'no size',
      'PersistentVolumeClaim',
      { spec: { accessModes: ['ReadWriteOnce'] } },
      ['spec.resources[storage]: Required value'],
    ],
    [
      'no source',
      'PersistentVolume',
      { spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } } },
      ['spec: Required value: must specify a volume type'],
    ],
    ['nothing', 'ValidatingWebhookConfiguration', { webhooks: [webhook] }, []],
    [
      'a place that cannot be called',
      'MutatingWebhookConfiguration',
      { webhooks: [{ ...webhook, clientConfig: { url: 'http://x' } }] },
      [
        'webhooks[0].clientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
      ],
    ],
    ['nothing', 'CustomResourceDefinition', crd(), []],
    [
      'another name than its own',
      'CustomResourceDefinition',
      { ...crd(), metadata: { name: 'x.y.z' } },
      ['metadata.name: Invalid value: "x.y.z": must be spec.names.plural+"."+spec.group'],
    ],
    [
      'two versions to store',
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

describe('what may not change', () => {
  it.each<[string, string, JsonObject, JsonObject, string]>([
    [
      'whose pods they are',
      'Deployment',
      set(),
      set({
        selector: { matchLabels: { a: 'c' } },
        template: { ...template, metadata: { labels: { a: 'c' } } },
      }),
      'spec.selector: Invalid value: {"matchLabels":{"a":"c"}}: field is immutable',
    ],
    [
      'what is immutable',
      'ConfigMap',
      { data: { a: 'b' }, immutable: true },
      { data: {} },
      'data: Forbidden: field is immutable when `immutable` is set',
    ],
    [
      'that it is immutable',
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
      'an address once given',
      'Service',
      { spec: { clusterIP: '10.0.0.1', ports: [{ port: 80 }] } },
      { spec: { clusterIP: '10.0.0.2', ports: [{ port: 80 }] } },
      'spec.clusterIPs[0]: Invalid value: ["10.0.0.2"]: may not change once set',
    ],
    [
      'where volumes come from',
      'StorageClass',
      { provisioner: 'a/b' },
      { provisioner: 'c/d' },
      'provisioner: Forbidden: updates to provisioner are forbidden.',
    ],
    [
      'what a claim asks for',
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

  it('is the type of a secret, which is told before what the new one needs', () => {
    expect(updateFaults('Secret', {}, { type: 'kubernetes.io/ssh-auth' })).toEqual([
      'type: Invalid value: "kubernetes.io/ssh-auth": field is immutable',
      'data[ssh-privatekey]: Required value',
    ]);
  });

  it('is how many pods a job needs, but not how many at once', () => {
    const stored = ready('Job', job());
    const changed = (change: JsonObject): string[] =>
      updateFaults('Job', job(), { spec: { ...(stored['spec'] as JsonObject), ...change } });
    expect(changed({ parallelism: 4, suspend: true })).toEqual([]);
    expect(changed({ completions: 4 })).toEqual([
      'spec.completions: Invalid value: 4: field is immutable',
    ]);
  });

  it('is the address of a service whose update is silent about it', () => {
    const services = find('Service');
    const stored = ready('Service', { spec: { clusterIP: '10.0.0.1', ports: [{ port: 80 }] } });
    const silent = services.defaults({ metadata: {}, spec: { ports: [{ port: 81 }] } });
    const next = services.prepareForUpdate(silent, stored, context);
    expect(next).toHaveProperty('spec.clusterIP', '10.0.0.1');
  });
});
