import { assert, constantFrom, integer, option, property, record, array } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { decodeObject } from '../decode.ts';
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

/** Generates an absent field or one of these values. */
const maybe = (...values: readonly JsonObject[string][]) =>
  option(constantFrom(...values), { nil: undefined });

const handler = constantFrom<JsonObject>(
  { httpGet: { port: 80 } },
  { exec: { command: ['a'] } },
  { tcpSocket: { port: 'web' } },
);

const container = record({
  name: constantFrom('a', 'b'),
  image: maybe('x', 'x:1', 'r.io:5000/x', 'x@sha256:00', ''),
  ports: maybe([{ containerPort: 80 }], []),
  readinessProbe: option(handler, { nil: undefined }),
  lifecycle: option(record({ preStop: handler }), { nil: undefined }),
  resources: maybe({ limits: { cpu: '0.5', memory: '1024Mi' } }, { requests: { cpu: '1e3' } }, {}),
  env: maybe([{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }]),
});

const podSpec = record({
  containers: array(container, { maxLength: 3 }),
  initContainers: option(array(container, { maxLength: 2 }), { nil: undefined }),
  hostNetwork: maybe(true, false),
  serviceAccount: maybe('robot'),
  restartPolicy: maybe('Never', ''),
  terminationGracePeriodSeconds: option(integer({ min: -1, max: 90 }), { nil: undefined }),
  volumes: maybe([{ name: 'v' }, { name: 'c', configMap: { name: 'x' } }], []),
});

/** The object as a server receives it: without undefined fields. */
const sent = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;

const objects: readonly [string, (spec: JsonObject) => JsonObject][] = [
  ['Pod', (spec) => ({ spec })],
  ['Deployment', (spec) => ({ spec: { template: { spec } } })],
  ['StatefulSet', (spec) => ({ spec: { template: { spec }, volumeClaimTemplates: [{}] } })],
  ['DaemonSet', (spec) => ({ spec: { template: { spec } } })],
  ['Job', (spec) => ({ spec: { template: { spec } } })],
  ['CronJob', (spec) => ({ spec: { jobTemplate: { spec: { template: { spec } } } } })],
  ['PodTemplate', (spec) => ({ template: { spec } })],
];

describe('the defaults', () => {
  it.each(objects)('of a %s change nothing when they are applied again', (kind, wrap) => {
    const definition = find(kind);
    assert(
      property(podSpec, (spec) => {
        const object = { metadata: { name: 'a' }, ...wrap(sent(spec)) };
        const before = structuredClone(object);
        const once = definition.defaults(object);
        expect(object).toEqual(before);
        expect(definition.defaults(once)).toEqual(once);
        const prepared = definition.prepareForCreate(once, context);
        const ready = definition.complete?.(prepared, object) ?? prepared;
        expect(definition.defaults(ready)).toEqual(ready);
        expect(definition.prepareForUpdate(ready, ready, context)).toEqual(ready);
      }),
      { numRuns: 40 },
    );
  });

  it.each(builtinDefinitions().map((definition) => [definition] as const))(
    'of $group/$version $kind match its type, and are unchanged when they are decoded and applied again',
    (definition) => {
      const { group, version, kind, type } = definition;
      const filled = definition.defaults({
        apiVersion: group === '' ? version : `${group}/${version}`,
        kind,
        metadata: { name: 'a' },
      });
      const read = decodeObject({
        body: filled,
        group,
        version,
        kind,
        type,
        fieldValidation: 'Strict',
      });
      expect(read).toEqual({ kind: 'decoded', object: filled, warnings: [] });
      expect(definition.defaults(filled)).toEqual(filled);
    },
  );

  it.each([
    ['x', 'Always'],
    ['r:5000/x', 'Always'],
    ['x:latest', 'Always'],
    ['x:1', 'IfNotPresent'],
    [`x@sha256:${'0'.repeat(64)}`, 'IfNotPresent'],
    [`x:1@sha256:${'0'.repeat(64)}`, 'IfNotPresent'],
    [`x:latest@sha256:${'0'.repeat(64)}`, 'Always'],
  ])('of the image %s are the pull policy %s', (image, imagePullPolicy) => {
    const object = { spec: { containers: [{ name: 'c', image }] } };
    expect(find('Pod').defaults(object)).toMatchObject({
      spec: { containers: [{ imagePullPolicy }] },
    });
  });

  it('of a pod are those of Kubernetes', () => {
    const pod = find('Pod');
    const object = { metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'x:1' }] } };
    expect(pod.prepareForCreate(pod.defaults(object), context)).toEqual({
      metadata: { name: 'a', generation: 1 },
      spec: {
        containers: [
          {
            name: 'c',
            image: 'x:1',
            imagePullPolicy: 'IfNotPresent',
            resources: {},
            terminationMessagePath: '/dev/termination-log',
            terminationMessagePolicy: 'File',
          },
        ],
        dnsPolicy: 'ClusterFirst',
        enableServiceLinks: true,
        preemptionPolicy: 'PreemptLowerPriority',
        priority: 0,
        restartPolicy: 'Always',
        schedulerName: 'default-scheduler',
        securityContext: {},
        serviceAccount: 'default',
        serviceAccountName: 'default',
        terminationGracePeriodSeconds: 30,
        tolerations: ['not-ready', 'unreachable'].map((taint) => ({
          key: `node.kubernetes.io/${taint}`,
          operator: 'Exists',
          effect: 'NoExecute',
          tolerationSeconds: 300,
        })),
      },
      status: { phase: 'Pending', qosClass: 'BestEffort' },
    });
  });

  it('of a job select its own pods by the uid of the job', () => {
    const job = find('Job');
    const object = { metadata: { name: 'a', uid: 'u-1' }, spec: { template: { spec: {} } } };
    const prepared = job.prepareForCreate(job.defaults(object), context);
    const labels = {
      'batch.kubernetes.io/controller-uid': 'u-1',
      'batch.kubernetes.io/job-name': 'a',
      'controller-uid': 'u-1',
      'job-name': 'a',
    };
    expect(prepared).not.toHaveProperty('metadata.labels');
    expect(job.complete?.(prepared, object)).toMatchObject({
      metadata: { labels },
      spec: {
        backoffLimit: 6,
        completions: 1,
        parallelism: 1,
        selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'u-1' } },
        template: { metadata: { labels } },
      },
    });
  });

  it('of a job with labels leave them as they are', () => {
    const job = find('Job');
    const template = { metadata: { labels: { app: 'a' } }, spec: {} };
    const object = { metadata: { name: 'a', uid: 'u-1', labels: { b: 'c' } }, spec: { template } };
    const prepared = job.prepareForCreate(job.defaults(object), context);
    expect(job.complete?.(prepared, object)).toHaveProperty('metadata.labels', { b: 'c' });
    const unlabelled = { ...object, metadata: { name: 'a', uid: 'u-1' } };
    expect(job.defaults(unlabelled)).toHaveProperty('metadata.labels', { app: 'a' });
  });

  it('of a secret move stringData into its data', () => {
    const secret = find('Secret').defaults({
      stringData: { a: 'bü' },
      data: { a: 'eA==', c: 'ZA==' },
    });
    expect(secret).toEqual({ type: 'Opaque', data: { a: 'YsO8', c: 'ZA==' } });
  });
});
