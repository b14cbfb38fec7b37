import type { JsonObject } from '../../../../src/kube/object.ts';
import { apply, create, force, json, labels, merge, strategic, type Story } from './apply-steps.ts';

const container = (more: JsonObject = {}): JsonObject => ({ name: 'web', image: 'web:1', ...more });

/** A Deployment without replicas, so that controllers write it as little as possible. */
const deployment = (podSpec: JsonObject, spec: JsonObject = {}): JsonObject => ({
  spec: {
    replicas: 0,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: podSpec },
    ...spec,
  },
});

const containers = (...list: JsonObject[]): JsonObject => deployment({ containers: list });
const port = (containerPort: number, protocol: string, more: JsonObject = {}): JsonObject => ({
  containerPort,
  protocol,
  ...more,
});
const podPatch = (spec: JsonObject): JsonObject => ({ spec: { template: { spec } } });

export const deploymentStories: readonly Story[] = [
  [
    'a Deployment that is created, then applied',
    create('a', containers(container())),
    apply('b', containers(container({ image: 'web:2' }))),
    force('b', containers(container({ image: 'web:2' }))),
  ],
  [
    'the same apply twice',
    apply('a', containers(container({ ports: [port(80, 'TCP')] }))),
    apply('a', containers(container({ ports: [port(80, 'TCP')] }))),
  ],
  [
    'replicas set by another manager',
    apply('a', containers(container())),
    merge('scaler', { spec: { replicas: 1 } }),
    apply('a', containers(container({ image: 'web:2' }))),
    merge('scaler', { spec: { replicas: 0 } }),
  ],
  [
    'a sidecar of another manager',
    apply('a', containers(container())),
    apply('b', podPatch({ containers: [{ name: 'side', image: 'side:1' }] })),
    apply('a', containers(container(), { name: 'last', image: 'last:1' })),
    apply('b', {}),
  ],
  [
    'fields of one container by two managers',
    apply('a', containers(container())),
    apply(
      'b',
      podPatch({
        containers: [{ name: 'web', resources: { limits: { cpu: '1', memory: '1Gi' } } }],
      }),
    ),
    apply('b', podPatch({ containers: [{ name: 'web', resources: { limits: { cpu: '2' } } }] })),
    apply('b', {}),
  ],
  [
    'env, volumes and mounts',
    apply(
      'a',
      deployment({
        containers: [
          container({
            env: [
              { name: 'A', value: '1' },
              { name: 'B', value: '2' },
            ],
            volumeMounts: [{ name: 'v', mountPath: '/v' }],
          }),
        ],
        volumes: [{ name: 'v', hostPath: { path: '/x' } }],
      }),
    ),
    apply(
      'a',
      deployment({
        containers: [
          container({
            env: [{ name: 'A', value: '2' }],
            volumeMounts: [{ name: 'v', mountPath: '/w' }],
          }),
        ],
        volumes: [{ name: 'v', hostPath: { path: '/y', type: '' } }],
      }),
    ),
    strategic('b', podPatch({ containers: [{ name: 'web', env: [{ name: 'C', value: '3' }] }] })),
    apply('a', containers(container())),
  ],
  [
    'ports with the same number',
    apply(
      'a',
      containers(
        container({ ports: [port(53, 'TCP', { name: 't' }), port(53, 'UDP', { name: 'u' })] }),
      ),
    ),
    apply('a', containers(container({ ports: [port(53, 'UDP', { name: 'u' })] }))),
    strategic(
      'b',
      podPatch({
        containers: [{ name: 'web', ports: [port(53, 'TCP', { name: 'x' }), port(80, 'TCP')] }],
      }),
    ),
  ],
  [
    'a strategy with parameters',
    create('a', containers(container())),
    strategic('b', { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } }),
    merge('c', { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } } }),
    apply('d', { spec: { strategy: { rollingUpdate: { maxSurge: 1 } } } }),
  ],
  [
    'a list with one owner',
    apply('a', containers(container({ args: ['x'] }))),
    apply('b', podPatch({ containers: [{ name: 'web', args: ['x', 'y'] }] })),
    force('b', podPatch({ containers: [{ name: 'web', args: ['x', 'y'] }] })),
    apply('b', {}),
  ],
  [
    'template metadata',
    apply('a', containers(container())),
    apply('b', { spec: { template: { metadata: { annotations: { restartedAt: 'x' } } } } }),
    json('c', { op: 'add', path: '/spec/template/metadata/labels/tier', value: 'front' }),
    apply('b', {}),
  ],
  [
    'null in applied fields',
    apply('a', {
      spec: {
        ...(deployment({ containers: [container()] })['spec'] as JsonObject),
        template: {
          metadata: { creationTimestamp: null, labels: { app: 'web' } },
          spec: { containers: [container({ command: null })] },
        },
      },
    }),
    apply('a', containers(container({ command: ['x'] }))),
    apply('a', containers(container({ command: null }))),
  ],
  [
    'strategic patches of containers',
    create('a', containers(container(), { name: 'b', image: 'b:1' })),
    strategic('b', {
      spec: {
        template: {
          spec: {
            '$setElementOrder/containers': [{ name: 'c' }, { name: 'b' }, { name: 'web' }],
            containers: [
              { name: 'c', image: 'c:1' },
              { name: 'b', args: ['x'] },
            ],
          },
        },
      },
    }),
    strategic('c', podPatch({ containers: [{ name: 'b', $patch: 'delete' }] })),
    strategic('c', podPatch({ containers: [{ image: 'none' }] })),
  ],
  [
    'invalid applies',
    apply('a', containers(container())),
    apply('a', { spec: { replcas: 1 } }),
    apply('a', containers(container(), container())),
    apply('a', {
      spec: { paused: 'yes', template: { spec: { containers: [{ name: 'web', imgae: 'x' }] } } },
    }),
  ],
];

const service = (ports: JsonObject[], more: JsonObject = {}): JsonObject => ({
  spec: { ports, ...more },
});

export const serviceStories: readonly Story[] = [
  [
    'ports by number and protocol',
    apply('a', service([{ name: 'http', port: 80, protocol: 'TCP' }])),
    apply('b', { spec: { ports: [{ name: 'dns', port: 53, protocol: 'UDP' }] } }),
    apply('a', service([{ name: 'web', port: 80, protocol: 'TCP', targetPort: 'http' }])),
    apply('b', {}),
  ],
  [
    'created, then patched',
    create('a', service([{ name: 'http', port: 80 }])),
    strategic('b', {
      spec: { ports: [{ name: 'https', port: 443 }], externalIPs: ['10.0.0.1'] },
    }),
    strategic('c', {
      spec: { ports: [{ port: 80, $patch: 'delete' }], externalIPs: ['10.0.0.2'] },
    }),
    json('d', { op: 'replace', path: '/spec/ports/0/port', value: 8443 }),
  ],
  [
    'affinity',
    apply('a', service([{ port: 80, protocol: 'TCP' }], { sessionAffinity: 'ClientIP' })),
    apply(
      'a',
      service([{ port: 80, protocol: 'TCP' }], {
        sessionAffinity: 'ClientIP',
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } },
      }),
    ),
  ],
];

/** A pod for a scheduler that does not exist, so that only the test writes it. */
const pod = (spec: JsonObject): JsonObject => ({ spec: { schedulerName: 'nobody', ...spec } });

export const podStories: readonly Story[] = [
  [
    'an image applied by two managers',
    apply('a', pod({ containers: [container()] })),
    apply('b', { spec: { containers: [{ name: 'web', image: 'web:2' }] } }),
    force('b', { spec: { containers: [{ name: 'web', image: 'web:2' }] } }),
    apply('a', pod({ containers: [{ name: 'web' }] })),
  ],
  [
    'created with probes and hooks',
    create(
      'a',
      pod({
        containers: [
          container({
            livenessProbe: { httpGet: { path: '/', port: 80 } },
            lifecycle: { preStop: { exec: { command: ['x'] } } },
            securityContext: {},
          }),
        ],
        volumes: [
          { name: 'e', emptyDir: {} },
          { name: 'c', configMap: { name: 'c' } },
        ],
        securityContext: { runAsUser: 1 },
      }),
    ),
    merge('b', labels({ x: '1' })),
  ],
  [
    'tolerations that the server completes',
    apply('a', pod({ containers: [container()], tolerations: [{ key: 'k', operator: 'Exists' }] })),
    merge('b', { spec: { activeDeadlineSeconds: 100 } }),
  ],
];
