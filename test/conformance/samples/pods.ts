/** Pods and the Services in front of them. The pods name a scheduler that does not exist, so no node runs them. */
import type { Sample } from '../sample.ts';
import type { JsonObject } from '../../../src/kube/object.ts';

const core = { group: '', version: 'v1', namespaced: true } as const;

export const podSpec: JsonObject = {
  schedulerName: 'nobody',
  automountServiceAccountToken: false,
  containers: [{ name: 'main', image: 'docker.io/local/busybox:1', command: ['sleep', '60'] }],
};

const containers = (over: JsonObject): JsonObject => ({
  spec: { containers: [{ name: 'main', image: 'docker.io/local/busybox:1', ...over }] },
});

export const brokenContainers: Readonly<Record<string, JsonObject>> = {
  'no containers': { spec: { containers: [] } },
  'a container without a name': { spec: { containers: [{ image: 'a' }] } },
  'a container without an image': { spec: { containers: [{ name: 'main' }] } },
  'two containers of a name': {
    spec: {
      containers: [
        { name: 'main', image: 'a' },
        { name: 'main', image: 'b' },
      ],
    },
  },
  'a mount without its volume': containers({ volumeMounts: [{ name: 'none', mountPath: '/a' }] }),
  'two handlers': containers({
    lifecycle: { preStop: { exec: { command: ['a'] }, httpGet: { port: 80 } } },
  }),
  'no handler': containers({ lifecycle: { preStop: {} } }),
  'a probe that is never tried': containers({
    livenessProbe: { exec: { command: ['a'] }, periodSeconds: -1 },
  }),
  'a port beyond all': containers({ ports: [{ containerPort: 70_000 }] }),
  'a limit below the request': containers({
    resources: { requests: { cpu: '2' }, limits: { cpu: '1' } },
  }),
  'a quantity that is none': containers({ resources: { requests: { cpu: 'much' } } }),
  'a name of a variable': containers({ env: [{ name: '1=2', value: 'x' }] }),
  'an unknown pull policy': containers({ imagePullPolicy: 'Sometimes' }),
};

const pod: Sample = {
  ...core,
  plural: 'pods',
  kind: 'Pod',
  body: { spec: podSpec },
  change: { spec: { activeDeadlineSeconds: 600 } },
  wrongType: { spec: { containers: 'one' } },
  invalid: {
    ...brokenContainers,
    'an unknown restart policy': { spec: { restartPolicy: 'Sometimes' } },
    'an unknown DNS policy': { spec: { dnsPolicy: 'None' } },
    'a negative grace': { spec: { terminationGracePeriodSeconds: -1 } },
  },
  immutable: {
    'another restart policy': { spec: { restartPolicy: 'Never' } },
    'another command': containers({ command: ['true'] }),
    'another host name': { spec: { hostname: 'other' } },
  },
  status: {
    phase: 'Running',
    podIP: '192.0.2.7',
    podIPs: [{ ip: '192.0.2.7' }],
    conditions: [{ type: 'Ready', status: 'True' }],
  },
  fieldSelectors: [
    'status.phase=Pending,spec.schedulerName=nobody',
    'spec.nodeName=elsewhere',
    'spec.restartPolicy!=Always',
  ],
  strategic: {
    'another image': { spec: { containers: [{ name: 'main', image: 'docker.io/local/other:1' }] } },
    toleration: { spec: { tolerations: [{ key: 'a', operator: 'Exists' }] } },
    'a container more': { spec: { containers: [{ name: 'more', image: 'a' }] } },
  },
};

const service: Sample = {
  ...core,
  plural: 'services',
  kind: 'Service',
  body: {
    spec: { selector: { app: 'a' }, ports: [{ port: 80, targetPort: 8080, protocol: 'TCP' }] },
  },
  change: { spec: { selector: { app: 'b' }, sessionAffinity: 'ClientIP' } },
  wrongType: { spec: { ports: 'all' } },
  invalid: {
    'no ports': { spec: { ports: null } },
    'a port that is none': { spec: { ports: [{ port: 0 }] } },
    'ports without names': { spec: { ports: [{ port: 80 }, { port: 81 }] } },
    'an unknown type': { spec: { type: 'Somewhere' } },
    'an address outside': { spec: { clusterIP: '192.0.2.1' } },
    'an address that is none': { spec: { clusterIP: 'here' } },
    'an external name without one': { spec: { type: 'ExternalName' } },
    'an unknown protocol': { spec: { ports: [{ port: 80, protocol: 'PIGEON' }] } },
    'an unknown affinity': { spec: { sessionAffinity: 'Always' } },
    'a selector that is none': { spec: { selector: { 'not a key': 'a' } } },
  },
  immutable: { headless: { spec: { clusterIP: 'None' } } },
  status: { loadBalancer: { ingress: [{ ip: '192.0.2.9' }] } },
  strategic: {
    'a port more': { spec: { ports: [{ name: 'more', port: 90 }] } },
    'that port, changed': {
      spec: {
        ports: [
          { port: 80, name: 'web' },
          { name: 'more', port: 90 },
        ],
      },
    },
    'without it': { spec: { ports: [{ port: 90, $patch: 'delete' }] } },
    'as a node port': { spec: { type: 'NodePort' } },
    'and back': { spec: { type: 'ClusterIP', ports: [{ port: 80, nodePort: null }] } },
  },
  cases: [
    'create',
    'read',
    'watch',
    'update',
    'patch',
    'apply',
    'status',
    'delete',
    'routes',
    'collection',
  ],
};

const lease: Sample = {
  group: 'coordination.k8s.io',
  version: 'v1',
  namespaced: true,
  plural: 'leases',
  kind: 'Lease',
  body: { spec: { holderIdentity: 'a', leaseDurationSeconds: 15 } },
  change: { spec: { holderIdentity: 'b', renewTime: '2020-01-01T00:00:00.000000Z' } },
  wrongType: { spec: { leaseDurationSeconds: 'long' } },
  invalid: {
    'no time': { spec: { leaseDurationSeconds: 0 } },
    'fewer transitions than none': { spec: { leaseTransitions: -1 } },
    'a time that is none': { spec: { renewTime: 'now' } },
  },
  immutable: {},
};

const podTemplate: Sample = {
  ...core,
  plural: 'podtemplates',
  kind: 'PodTemplate',
  body: { template: { metadata: { labels: { app: 'a' } }, spec: podSpec } },
  change: { template: { metadata: { labels: { more: 'b' } } } },
  wrongType: { template: 'one' },
  invalid: { 'no containers': { template: { spec: { containers: [] } } } },
  immutable: {},
};

const node: Sample = {
  ...core,
  namespaced: false,
  plural: 'nodes',
  kind: 'Node',
  body: { spec: { unschedulable: true } },
  change: { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } },
  wrongType: { spec: { unschedulable: 'yes' } },
  invalid: {
    'an unknown effect': { spec: { taints: [{ key: 'a', effect: 'Nothing' }] } },
    'a taint twice': {
      spec: {
        taints: [
          { key: 'a', effect: 'NoSchedule' },
          { key: 'a', effect: 'NoSchedule' },
        ],
      },
    },
  },
  immutable: {},
  status: { capacity: { cpu: '4' }, conditions: [{ type: 'Ready', status: 'Unknown' }] },
  fieldSelectors: ['spec.unschedulable=true', 'spec.unschedulable=false'],
};

export const podSamples: readonly Sample[] = [pod, service, lease, podTemplate, node];
