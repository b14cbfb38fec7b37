/** The controllers as a Deployment, in the restricted pod security profile, and who may reach them. Pure. */
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { Container, Service } from 'kubernetes-types/core/v1.js';
import type { NetworkPolicy } from 'kubernetes-types/networking/v1.js';

import { type InstallOptions, LABELS, NAME, WEBHOOK } from './install-options.ts';

const WEBHOOK_PORT = 8443;
const METRICS_PORT = 9464;
/** On the loopback address of the pod: only who may forward a port of it comes there. */
const TIMELINE = '127.0.0.1:9091';
const NOBODY = 65_532;
/** The API server goes on asking the webhook of a pod that ends until every node knows; a refusal would be ours. */
const LINGER_MS = 5_000;

export function webhookService({ namespace }: InstallOptions): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: WEBHOOK, namespace, labels: { ...LABELS } },
    spec: { selector: { ...LABELS }, ports: [{ port: 443, targetPort: WEBHOOK_PORT }] },
  };
}

/**
 * In: the API server at the webhook (it is no pod, so no selector names it), a scraper at the metrics. Out:
 * all, since hooks of the kind httpGet and tcpSocket name hosts of their own (`docs/security.md`).
 */
export function networkPolicy({ namespace, namespaced }: InstallOptions): NetworkPolicy {
  const ports = namespaced ? [METRICS_PORT] : [METRICS_PORT, WEBHOOK_PORT];
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: NAME, namespace, labels: { ...LABELS } },
    spec: {
      podSelector: { matchLabels: { ...LABELS } },
      policyTypes: ['Ingress'],
      ingress: [{ ports: ports.map((port) => ({ port, protocol: 'TCP' })) }],
    },
  };
}

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

/** The image has no shell, and servers before 1.30 know no sleep. */
const LINGER = { exec: { command: ['node', '-e', `setTimeout(() => {}, ${LINGER_MS})`] } };

/** Its namespace is that of its service account. */
function controller({ image, namespaced, timeline }: InstallOptions): Container {
  const webhook = [`--webhook-address=0.0.0.0:${WEBHOOK_PORT}`, `--webhook-service=${WEBHOOK}`];
  const args = ['controller', `--metrics-address=0.0.0.0:${METRICS_PORT}`];
  const shown = timeline ? [`--timeline-address=${TIMELINE}`] : [];
  const probe = (path: string): { httpGet: { path: string; port: number } } => ({
    httpGet: { path, port: METRICS_PORT },
  });
  return {
    name: 'controller',
    image,
    imagePullPolicy: 'IfNotPresent',
    args: [...args, ...(namespaced ? ['--namespaced'] : webhook), ...shown],
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
