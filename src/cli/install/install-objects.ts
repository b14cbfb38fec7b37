/** The output of `lifehook install`: every object that a cluster needs to run the controllers. Pure. */
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { Container, Service } from 'kubernetes-types/core/v1.js';
import type {
  NetworkPolicy,
  NetworkPolicyEgressRule,
  NetworkPolicyPeer,
  NetworkPolicyPort,
} from 'kubernetes-types/networking/v1.js';

import { groupDefinitions, singleDefinitions } from '../../../packages/local-cluster/src/index.ts';
import { addressBytes } from '../../handlers/refused-address.ts';
import type { KubeObject } from '../../kube/object.ts';
import { allowedHosts } from '../../handlers/allowed-hosts.ts';
import { lifehookDefinitions } from './all-definitions.ts';
import {
  API_PORTS,
  type InstallOptions,
  LABELS,
  METRICS_PORT,
  NAME,
  type NotificationOptions,
  WEBHOOK,
  WEBHOOK_PORT,
} from './install-options.ts';
import { roles, userRoles } from './roles.ts';

/**
 * The objects in the order in which they can be created. Throws LHK107 for an invalid entry of `hookHosts`.
 */
export function installObjects(options: InstallOptions): readonly KubeObject[] {
  const { namespace, snapshotKinds, namespaced, hookHosts = [] } = options;
  allowedHosts(hookHosts);
  const shared: KubeObject[] = namespaced
    ? []
    : [
        {
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name: namespace, labels: { ...LABELS, ...RESTRICTED } },
        },
      ];
  return [
    ...shared,
    ...lifehookDefinitions(),
    ...(snapshotKinds ? [...singleDefinitions, ...groupDefinitions].map(withKind) : []),
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: NAME, namespace, labels: { ...LABELS } },
    },
    ...roles(options),
    ...(namespaced ? [] : userRoles()),
    networkPolicy(options),
    ...(namespaced ? [] : [webhookService(options)]),
    controllerDeployment(options),
  ];
}

/** With this label the API server rejects pods that need more than the restricted profile. */
const RESTRICTED = { 'pod-security.kubernetes.io/enforce': 'restricted' };

function withKind(definition: KubeObject): KubeObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    ...definition,
  };
}

const DNS_PORT = 53;

/**
 * The connections that the controllers may have. Pure. Ingress: the API server to the webhook, and a scraper to the
 * metrics. The API server is not a pod, so no selector matches it. Egress: the API server, which only its ports can
 * select for the same reason; name servers; the pods of hooks; the addresses that the administrator allowed
 * (`docs/security.md`).
 */
export function networkPolicy(options: InstallOptions): NetworkPolicy {
  const { namespace, namespaced } = options;
  const ports = namespaced ? [METRICS_PORT] : [METRICS_PORT, WEBHOOK_PORT];
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: NAME, namespace, labels: { ...LABELS } },
    spec: {
      podSelector: { matchLabels: { ...LABELS } },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ ports: ports.map(tcp) }],
      egress: egressOf(options),
    },
  };
}

function egressOf({
  namespaced,
  apiPorts = API_PORTS,
  hookHosts = [],
}: InstallOptions): NetworkPolicyEgressRule[] {
  const hooked: NetworkPolicyPeer = namespaced ? { podSelector: {} } : { namespaceSelector: {} };
  const allowed = hookHosts.flatMap(blockOf);
  return [
    { to: ANYWHERE, ports: apiPorts.map(tcp) },
    // No peer is given: some clusters have a name server at a link-local address of each node.
    { ports: [{ port: DNS_PORT, protocol: 'UDP' }, tcp(DNS_PORT)] },
    { to: [hooked] },
    ...(allowed.length === 0 ? [] : [{ to: allowed }]),
  ];
}

/** All addresses except the link-local ones, at which clouds serve credentials. */
const ANYWHERE: NetworkPolicyPeer[] = [
  { ipBlock: { cidr: '0.0.0.0/0', except: ['169.254.0.0/16'] } },
  { ipBlock: { cidr: '::/0', except: ['fe80::/10'] } },
];

/** The IP block of an entry; empty for a host name, because a NetworkPolicy cannot name hosts. */
function blockOf(entry: string): NetworkPolicyPeer[] {
  const [address = '', bits] = entry.split('/');
  const bytes = addressBytes(address);
  if (bytes === null) return [];
  return [{ ipBlock: { cidr: `${address}/${bits ?? bytes.length * 8}` } }];
}

function tcp(port: number): NetworkPolicyPort {
  return { port, protocol: 'TCP' };
}

/** A loopback address in the pod: only a user who may forward a port of the pod can connect. */
const TIMELINE = '127.0.0.1:9091';
const NOBODY = 65_532;
/**
 * A terminating pod listens for some more seconds. The API server sends it requests until every node knows of the
 * termination. It would report an unanswered request as an error.
 */
const LINGER = { sleep: { seconds: 5 } };

export function webhookService({ namespace }: InstallOptions): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: WEBHOOK, namespace, labels: { ...LABELS } },
    spec: { selector: { ...LABELS }, ports: [{ port: 443, targetPort: WEBHOOK_PORT }] },
  };
}

/** The Deployment of the controllers, in the restricted pod security profile. Pure. */
export function controllerDeployment(options: InstallOptions): Deployment {
  const { namespace, replicas } = options;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: NAME, namespace, labels: { ...LABELS } },
    spec: {
      replicas,
      selector: { matchLabels: { ...LABELS } },
      template: {
        metadata: { labels: { ...LABELS } },
        spec: {
          serviceAccountName: NAME,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: NOBODY,
            seccompProfile: { type: 'RuntimeDefault' },
          },
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'kubernetes.io/hostname',
              whenUnsatisfiable: 'ScheduleAnyway',
              labelSelector: { matchLabels: { ...LABELS } },
            },
          ],
          containers: [controller(options)],
        },
      },
    },
  };
}

function notifyArgs({ secret, verdicts, source }: NotificationOptions): string[] {
  return [
    `--notify-secret=${secret}`,
    `--notify-verdicts=${verdicts}`,
    `--notify-source=${source}`,
  ];
}

/**
 * The container of the controllers. It has no `--namespace` option: the controller takes the namespace of its service
 * account.
 */
function controller(options: InstallOptions): Container {
  const { image, namespaced, timeline, hookHosts = [], notifications } = options;
  const webhook = [`--webhook-address=0.0.0.0:${WEBHOOK_PORT}`, `--webhook-service=${WEBHOOK}`];
  const args = ['controller', `--metrics-address=0.0.0.0:${METRICS_PORT}`];
  const shown = timeline ? [`--timeline-address=${TIMELINE}`] : [];
  const allowed = hookHosts.map((host) => `--allow-hook-host=${host}`);
  const notified = notifications === undefined ? [] : notifyArgs(notifications);
  const probe = (path: string): { httpGet: { path: string; port: number } } => ({
    httpGet: { path, port: METRICS_PORT },
  });
  return {
    name: 'controller',
    image,
    imagePullPolicy: 'IfNotPresent',
    args: [
      ...args,
      ...(namespaced ? ['--namespaced'] : webhook),
      ...shown,
      ...allowed,
      ...notified,
    ],
    ports: [
      { name: 'metrics', containerPort: METRICS_PORT },
      ...(namespaced ? [] : [{ name: 'webhook', containerPort: WEBHOOK_PORT }]),
    ],
    livenessProbe: probe('/healthz'),
    readinessProbe: { ...probe('/readyz'), periodSeconds: 2 },
    ...(namespaced ? {} : { lifecycle: { preStop: LINGER } }),
    resources: { requests: { cpu: '50m', memory: '96Mi' }, limits: { memory: '512Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
  };
}
