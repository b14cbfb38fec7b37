/** The controllers as a Deployment, in the restricted pod security profile, and the Service of their webhook. Pure. */
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { Container, Service } from 'kubernetes-types/core/v1.js';

import {
  type InstallOptions,
  LABELS,
  METRICS_PORT,
  NAME,
  WEBHOOK,
  WEBHOOK_PORT,
} from './install-options.ts';

/** On the loopback address of the pod: only who may forward a port of it comes there. */
const TIMELINE = '127.0.0.1:9091';
const NOBODY = 65_532;
/** The API server goes on asking the webhook of a pod that ends until every node knows; a refusal would be ours. */
const LINGER = { sleep: { seconds: 5 } };

export function webhookService({ namespace }: InstallOptions): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: WEBHOOK, namespace, labels: { ...LABELS } },
    spec: { selector: { ...LABELS }, ports: [{ port: 443, targetPort: WEBHOOK_PORT }] },
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

/** Its namespace is that of its service account. */
function controller(options: InstallOptions): Container {
  const { image, namespaced, timeline, hookHosts = [] } = options;
  const webhook = [`--webhook-address=0.0.0.0:${WEBHOOK_PORT}`, `--webhook-service=${WEBHOOK}`];
  const args = ['controller', `--metrics-address=0.0.0.0:${METRICS_PORT}`];
  const shown = timeline ? [`--timeline-address=${TIMELINE}`] : [];
  const allowed = hookHosts.map((host) => `--allow-hook-host=${host}`);
  const probe = (path: string): { httpGet: { path: string; port: number } } => ({
    httpGet: { path, port: METRICS_PORT },
  });
  return {
    name: 'controller',
    image,
    imagePullPolicy: 'IfNotPresent',
    args: [...args, ...(namespaced ? ['--namespaced'] : webhook), ...shown, ...allowed],
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
