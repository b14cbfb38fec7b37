import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { fieldErrorMessage } from '../../field-error.ts';
import { defineKind } from '../define-kind.ts';
import { pod as spec } from './pod.ts';

const pods = defineKind(spec);
const context = {
  gates: { PodLifecycleSleepAction: true, PodLifecycleSleepActionAllowZero: true },
  now: '2026-01-01T00:00:00Z',
};
const C = 'spec.containers[0]';

const pod = (container: JsonObject, more: JsonObject = {}): JsonObject =>
  pods.defaults({
    metadata: { name: 'a' },
    spec: { containers: [{ name: 'c', image: 'x:1', ...container }], ...more },
  });

const faults = (object: JsonObject, old?: JsonObject): string[] =>
  pods.validate(object, old, context).map(fieldErrorMessage);

const onExit = (operator: string): JsonObject => ({
  action: 'Restart',
  exitCodes: { operator, values: [1] },
});

describe('a pod', () => {
  it.each<[string, JsonObject, JsonObject, string[]]>([
    ['without containers', {}, { containers: [] }, ['spec.containers: Required value']],
    ['without an image', { image: '' }, {}, [`${C}.image: Required value`]],
    [
      'with a duplicate container name',
      {},
      { initContainers: [{ name: 'c', image: 'y' }] },
      ['spec.initContainers[0].name: Duplicate value: "c"'],
    ],
    [
      'with invalid ports',
      { ports: [{ containerPort: 0 }, { containerPort: 70_000, name: '1234' }] },
      {},
      [
        `${C}.ports[0].containerPort: Required value`,
        `${C}.ports[1].name: Invalid value: "1234": must contain at least one letter or number (a-z, 0-9)`,
        `${C}.ports[1].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive`,
      ],
    ],
    [
      'with a variable without a source, and one with two sources',
      {
        env: [
          { name: 'A', valueFrom: {} },
          { name: 'B', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        ],
      },
      {},
      [
        `${C}.env[0].valueFrom: Invalid value: "": must specify one of: \`fieldRef\`, \`resourceFieldRef\`, \`configMapKeyRef\` or \`secretKeyRef\``,
        `${C}.env[1].valueFrom: Invalid value: "": may not be specified when \`value\` is not empty`,
      ],
    ],
    [
      'with a mount of a missing volume',
      { volumeMounts: [{ name: 'v', mountPath: '/a' }] },
      {},
      [`${C}.volumeMounts[0].name: Not found: "v"`],
    ],
    [
      'with a volume of two types',
      {},
      { volumes: [{ name: 'v', emptyDir: {}, hostPath: { path: '/x' } }] },
      ['spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type'],
    ],
    [
      'with a request above its limit',
      { resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } },
      {},
      [`${C}.resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1`],
    ],
    [
      'with an unknown restart policy',
      {},
      { restartPolicy: 'x' },
      [
        'spec.restartPolicy: Unsupported value: "x": supported values: "Always", "OnFailure", "Never"',
      ],
    ],
    [
      'with invalid probes',
      { livenessProbe: { successThreshold: 2 }, readinessProbe: { exec: {}, periodSeconds: -1 } },
      {},
      [
        `${C}.livenessProbe: Required value: must specify a handler type`,
        `${C}.livenessProbe.successThreshold: Invalid value: 2: must be 1`,
        `${C}.readinessProbe.exec.command: Required value`,
        `${C}.readinessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0`,
      ],
    ],
    [
      'without any DNS configuration',
      {},
      { dnsPolicy: 'None' },
      ['spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None'],
    ],
    [
      'without a nameserver',
      {},
      { dnsPolicy: 'None', dnsConfig: { searches: ['example.com'] } },
      [
        'spec.dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None',
      ],
    ],
    [
      'with a restart policy that there is not',
      { restartPolicy: 'Sometimes' },
      {},
      [
        `${C}.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "Never", "OnFailure"`,
      ],
    ],
    [
      'with a restart rule and no restart policy',
      { restartPolicyRules: [onExit('In')] },
      {},
      [
        `${C}.restartPolicy: Required value: must specify restartPolicy when restart rules are used`,
      ],
    ],
    [
      'with a restart rule without exit codes',
      { restartPolicy: 'Never', restartPolicyRules: [{ action: 'Restart' }] },
      {},
      [`${C}.restartPolicyRules[0].exitCodes: Required value: must be specified`],
    ],
    [
      'with a restart rule of an action that the node cannot do',
      {
        restartPolicy: 'Never',
        restartPolicyRules: [{ ...onExit('In'), action: 'RestartAllContainers' }],
      },
      {},
      [
        `${C}.restartPolicyRules[0].action: Unsupported value: "RestartAllContainers": supported values: "Restart"`,
      ],
    ],
    [
      'with a restart rule of an unknown operator',
      { restartPolicy: 'Never', restartPolicyRules: [onExit('X')] },
      {},
      [
        `${C}.restartPolicyRules[0].exitCodes.operator: Unsupported value: "X": supported values: "In", "NotIn"`,
      ],
    ],
    [
      'with resources of the pod above its limits',
      {},
      { resources: { requests: { cpu: '1' }, limits: { cpu: '500m' } } },
      [
        'spec.resources.requests: Invalid value: "1": must be less than or equal to cpu limit of 500m',
      ],
    ],
    [
      'with a restart rule and no restart policy of its init container',
      {},
      { initContainers: [{ name: 'i', image: 'x', restartPolicyRules: [onExit('In')] }] },
      [
        'spec.initContainers[0].restartPolicy: Required value: must specify restartPolicy when restart rules are used',
      ],
    ],
    [
      'with an unknown restart policy of its init container',
      {},
      { initContainers: [{ name: 'i', image: 'x', restartPolicy: 'X' }] },
      [
        'spec.initContainers[0].restartPolicy: Unsupported value: "X": supported values: "Always", "Never", "OnFailure"',
      ],
    ],
  ])('%s is refused', (...row) => {
    const [, container, more, expected] = row;
    expect(faults(pod(container, more))).toEqual(expected);
  });

  it('repeats no name of a volume, not even an invalid one', () => {
    const volumes = ['A', 'A'].map((name) => ({ name, emptyDir: {} }));
    expect(faults(pod({}, { volumes })).map((fault) => fault.split(': ', 2).join(': '))).toEqual([
      'spec.volumes[0].name: Invalid value',
      'spec.volumes[1].name: Invalid value',
      'spec.volumes[1].name: Duplicate value',
    ]);
  });

  it('may have restart rules for its exit codes', () => {
    const more = { restartPolicy: 'Never', restartPolicyRules: [onExit('In')] };
    expect(faults(pod(more, {}))).toEqual([]);
  });

  it.each(['Never', 'OnFailure'])('may have an init container whose own policy is %s', (policy) => {
    const init = { name: 'i', image: 'x', restartPolicy: policy };
    const initContainers = [{ ...init, restartPolicyRules: [onExit('In')] }];
    expect(faults(pod({}, { initContainers }))).toEqual([]);
  });

  it('has hooks only on init containers that restart', () => {
    const lifecycle = { preStop: { sleep: { seconds: 3 } } };
    const init = { name: 'i', image: 'x', lifecycle };
    expect(faults(pod({}, { initContainers: [{ ...init, restartPolicy: 'Always' }] }))).toEqual([]);
    expect(faults(pod({}, { initContainers: [init] }))).toEqual([
      'spec.initContainers[0].lifecycle: Forbidden: may not be set for init containers without restartPolicy=Always',
    ]);
  });

  it('with valid fields of all kinds is accepted', () => {
    const full = pod(
      {
        ports: [{ name: 'web', containerPort: 80 }],
        env: [{ name: 'A.b-9', valueFrom: { fieldRef: { fieldPath: "metadata.labels['x/y']" } } }],
        envFrom: [{ configMapRef: { name: 'x' } }],
        volumeMounts: [{ name: 'v', mountPath: '/a', subPath: 'b/c' }],
        livenessProbe: { grpc: { port: 80 } },
        lifecycle: { postStart: { tcpSocket: { port: 'web' } } },
        resources: { requests: { cpu: '1', 'x.y/z': '2' }, limits: { 'x.y/z': '2' } },
      },
      {
        volumes: [{ name: 'v' }],
        activeDeadlineSeconds: 5,
        hostname: 'h',
        dnsPolicy: 'None',
        dnsConfig: { nameservers: ['192.0.2.1'] },
      },
    );
    expect(faults(full)).toEqual([]);
  });
});

describe('the update of a pod', () => {
  const old = pod({}, { tolerations: [{ key: 'a', operator: 'Exists' }] });
  const changed = (change: (spec: JsonObject) => JsonObject): string[] => {
    const before = old['spec'] as JsonObject;
    return faults({ ...old, spec: { ...before, ...change(structuredClone(before)) } }, old);
  };
  const tolerations = [{ key: 'a', operator: 'Exists' }];

  it('may change an image, set a deadline and add tolerations', () => {
    expect(
      changed((before) => ({
        containers: [{ ...(before['containers'] as JsonObject[])[0], image: 'z:2' }],
        activeDeadlineSeconds: 5,
        tolerations: [...tolerations, { key: 'b', operator: 'Exists' }],
      })),
    ).toEqual([]);
  });

  it('may change no other field', () => {
    const message = expect.stringContaining(
      'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`',
    ) as string;
    expect(changed(() => ({ nodeName: 'other' }))).toEqual([message]);
    expect(changed(() => ({ terminationGracePeriodSeconds: 1 }))).toEqual([message]);
    expect(changed(() => ({ tolerations: [] }))).toEqual([
      'spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds',
    ]);
    expect(
      changed((before) => ({
        containers: [...(before['containers'] as JsonObject[]), { ...pod({}), name: 'd' }],
      })),
    ).toContain('spec.containers: Forbidden: pod updates may not add or remove containers');
  });

  it('may shorten a deadline, but not lengthen or remove it', () => {
    const timed = pod({}, { activeDeadlineSeconds: 10 });
    expect(faults(pod({}, { activeDeadlineSeconds: 5 }), timed)).toEqual([]);
    expect(faults(pod({}, { activeDeadlineSeconds: 11 }), timed)).toEqual([
      'spec.activeDeadlineSeconds: Invalid value: 11: must be less than or equal to previous value',
    ]);
    expect(faults(pod({}), timed)).toEqual([
      'spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value',
    ]);
  });

  it('may remove scheduling gates, but not add any', () => {
    const gated = pod({}, { schedulingGates: [{ name: 'a' }, { name: 'b' }] });
    expect(faults(pod({}, { schedulingGates: [{ name: 'b' }] }), gated)).toEqual([]);
    expect(faults(gated, pod({}))).toHaveLength(1);
  });
});

describe('the deletion of a pod', () => {
  it('has the grace period of the pod, and is immediate when no container runs', () => {
    const { graceful } = pods;
    expect(graceful?.defaultSeconds(pod({}))).toBe(30);
    expect(graceful?.defaultSeconds(pod({}, { terminationGracePeriodSeconds: 0 }))).toBe(0);
    expect(graceful?.defaultSeconds(pod({}, { terminationGracePeriodSeconds: -5 }))).toBe(1);
    expect(graceful?.immediate(pod({}))).toBe(true);
    const bound = pod({}, { nodeName: 'n' });
    expect(graceful?.immediate(bound)).toBe(false);
    expect(graceful?.immediate({ ...bound, status: { phase: 'Failed' } })).toBe(true);
  });
});
