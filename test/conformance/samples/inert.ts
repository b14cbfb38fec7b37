/** Kinds that the local cluster stores without acting on them. */
import type { JsonObject } from '../../../src/kube/object.ts';
import type { Sample } from '../sample.ts';

const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1' } as const;
const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];

const brokenRules: Sample['invalid'] = {
  'no verbs': { rules: [{ apiGroups: [''], resources: ['pods'] }] },
  'no resources': { rules: [{ apiGroups: [''], verbs: ['get'] }] },
};

const role: Sample = {
  ...rbac,
  plural: 'roles',
  kind: 'Role',
  namespaced: true,
  body: { rules },
  change: { rules: [{ ...rules[0], verbs: ['list'] }] as never },
  wrongType: { rules: 'none' },
  invalid: { ...brokenRules, 'a path': { rules: [{ nonResourceURLs: ['/a'], verbs: ['get'] }] } },
  immutable: {},
};

const clusterRole: Sample = {
  ...role,
  plural: 'clusterroles',
  kind: 'ClusterRole',
  namespaced: false,
  invalid: brokenRules,
};

const binding: Sample = {
  ...rbac,
  plural: 'rolebindings',
  kind: 'RoleBinding',
  namespaced: true,
  body: {
    roleRef: {
      apiGroup: 'rbac.authorization.k8s.io',
      kind: 'ClusterRole',
      name: 'conformance-none',
    },
    subjects: [{ kind: 'ServiceAccount', name: 'a', namespace: 'elsewhere' }],
  },
  change: { subjects: [{ kind: 'User', name: 'b' }] },
  wrongType: { subjects: 'all' },
  invalid: {
    'no role': { roleRef: { name: '' } },
    'an unknown kind of role': { roleRef: { kind: 'Party' } },
    'a subject without a name': { subjects: [{ kind: 'User' }] },
    'an unknown kind of subject': { subjects: [{ kind: 'Dog', name: 'a' }] },
  },
  immutable: { 'another role': { roleRef: { name: 'other' } } },
};

const clusterBinding: Sample = {
  ...binding,
  plural: 'clusterrolebindings',
  kind: 'ClusterRoleBinding',
  namespaced: false,
};

const ingress: Sample = {
  group: 'networking.k8s.io',
  version: 'v1',
  plural: 'ingresses',
  kind: 'Ingress',
  namespaced: true,
  body: { spec: { defaultBackend: { service: { name: 'a', port: { number: 80 } } } } },
  change: { spec: { defaultBackend: { service: { name: 'b' } } } },
  wrongType: { spec: { rules: 'none' } },
  invalid: {
    'no backend': { spec: { defaultBackend: null } },
    'no port': { spec: { defaultBackend: { service: { port: null } } } },
    'a path without a type': {
      spec: {
        rules: [
          {
            http: {
              paths: [{ path: '/', backend: { service: { name: 'a', port: { number: 80 } } } }],
            },
          },
        ],
      },
    },
  },
  immutable: {},
  status: { loadBalancer: { ingress: [{ ip: '192.0.2.9' }] } },
};

const ingressClass: Sample = {
  group: 'networking.k8s.io',
  version: 'v1',
  plural: 'ingressclasses',
  kind: 'IngressClass',
  namespaced: false,
  body: { spec: { controller: 'example.com/conformance' } },
  change: { spec: { parameters: { kind: 'A', name: 'a' } } },
  wrongType: { spec: { controller: 7 } },
  invalid: { 'a controller that is none': { spec: { controller: 'none' } } },
  immutable: { 'another controller': { spec: { controller: 'example.com/other' } } },
};

const networkPolicy: Sample = {
  group: 'networking.k8s.io',
  version: 'v1',
  plural: 'networkpolicies',
  kind: 'NetworkPolicy',
  namespaced: true,
  body: { spec: { podSelector: { matchLabels: { app: 'a' } } } },
  change: { spec: { ingress: [{ from: [{ podSelector: {} }] }] } },
  wrongType: { spec: { ingress: 'all' } },
  invalid: {
    'an unknown type': { spec: { policyTypes: ['Sideways'] } },
    'a block that is none': { spec: { ingress: [{ from: [{ ipBlock: { cidr: 'here' } }] }] } },
  },
  immutable: {},
};

const quota: Sample = {
  group: '',
  version: 'v1',
  plural: 'resourcequotas',
  kind: 'ResourceQuota',
  namespaced: true,
  body: { spec: { hard: { 'count/widgets.example.com': '5' } } },
  change: { spec: { hard: { 'count/widgets.example.com': '6' } } },
  wrongType: { spec: { hard: 'none' } },
  invalid: {
    'less than nothing': { spec: { hard: { pods: '-1' } } },
    'a quantity that is none': { spec: { hard: { pods: 'many' } } },
  },
  immutable: { 'other scopes': { spec: { scopes: ['BestEffort'], hard: { pods: '9' } } } },
  status: { hard: { 'count/widgets.example.com': '5' } },
};

const limitRange: Sample = {
  group: '',
  version: 'v1',
  plural: 'limitranges',
  kind: 'LimitRange',
  namespaced: true,
  body: { spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '9Ti' } }] } },
  change: { spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '8Ti' } }] } },
  wrongType: { spec: { limits: 'none' } },
  invalid: {
    'a claim without bounds': { spec: { limits: [{ type: 'PersistentVolumeClaim' }] } },
    'less than the least': {
      spec: { limits: [{ type: 'Container', min: { cpu: '2' }, max: { cpu: '1' } }] },
    },
  },
  immutable: {},
};

const priorityClass: Sample = {
  group: 'scheduling.k8s.io',
  version: 'v1',
  plural: 'priorityclasses',
  kind: 'PriorityClass',
  namespaced: false,
  body: { value: 7 },
  change: { description: 'for the suite' },
  wrongType: { value: 'high' },
  invalid: {
    'beyond the system': { value: 2_000_000_000 },
    'an unknown preemption': { preemptionPolicy: 'Sometimes' },
  },
  immutable: { 'another value': { value: 8 } },
};

const scaling: JsonObject = {
  scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'none' },
  maxReplicas: 3,
};

const autoscaler: Sample = {
  group: 'autoscaling',
  version: 'v1',
  plural: 'horizontalpodautoscalers',
  kind: 'HorizontalPodAutoscaler',
  namespaced: true,
  body: { spec: scaling },
  change: { spec: { minReplicas: 2, targetCPUUtilizationPercentage: 50 } },
  wrongType: { spec: { maxReplicas: 'many' } },
  invalid: {
    'no most': { spec: { maxReplicas: 0 } },
    'a least above the most': { spec: { minReplicas: 5 } },
    'no target': { spec: { scaleTargetRef: { name: '' } } },
  },
  immutable: {},
  status: { currentReplicas: 1, desiredReplicas: 2 },
};

const spec = (over: JsonObject): JsonObject => ({ spec: over });

const cpu: JsonObject = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
};

/** The newer version of the kind, which shows the same objects as the older one. */
const newerAutoscaler: Sample = {
  ...autoscaler,
  version: 'v2',
  nameOf: (name) => `${name}-newer`,
  body: { spec: { ...scaling, metrics: [cpu] } },
  change: spec({ minReplicas: 2, behavior: { scaleDown: { stabilizationWindowSeconds: 60 } } }),
  invalid: {
    ...autoscaler.invalid,
    'a metric without its source': spec({ metrics: [{ type: 'Resource' }] }),
    'an unknown metric': spec({ metrics: [{ type: 'Weather' }] }),
    'a target without a value': spec({
      metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Value' } } }],
    }),
    'a long window': spec({ behavior: { scaleUp: { stabilizationWindowSeconds: 4000 } } }),
  },
  status: {
    currentReplicas: 1,
    desiredReplicas: 2,
    conditions: [{ type: 'AbleToScale', status: 'True' }],
  },
};

const budget: Sample = {
  group: 'policy',
  version: 'v1',
  plural: 'poddisruptionbudgets',
  kind: 'PodDisruptionBudget',
  namespaced: true,
  body: { spec: { minAvailable: 1, selector: { matchLabels: { app: 'a' } } } },
  change: { spec: { minAvailable: '50%', unhealthyPodEvictionPolicy: 'AlwaysAllow' } },
  wrongType: { spec: { minAvailable: [] } },
  invalid: {
    'both bounds': { spec: { maxUnavailable: 1 } },
    'fewer than none': { spec: { minAvailable: -1 } },
    'a share beyond all': { spec: { minAvailable: '120%' } },
    'an unknown policy': { spec: { unhealthyPodEvictionPolicy: 'Sometimes' } },
    'a selector that is none': { spec: { selector: { matchLabels: { 'not one': 'a' } } } },
  },
  immutable: {},
  status: { currentHealthy: 2, desiredHealthy: 1, disruptionsAllowed: 1, expectedPods: 2 },
};

export const inertSamples: readonly Sample[] = [
  role,
  clusterRole,
  binding,
  clusterBinding,
  ingress,
  ingressClass,
  networkPolicy,
  quota,
  limitRange,
  priorityClass,
  autoscaler,
  newerAutoscaler,
  budget,
];
