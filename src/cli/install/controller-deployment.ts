/** The controllers as a Deployment, in the restricted pod security profile. Pure. */
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { Container, Service } from 'kubernetes-types/core/v1.js';

import { type InstallOptions, LABELS, NAME, WEBHOOK } from './install-options.ts';

const WEBHOOK_PORT = 8443;
const METRICS_PORT = 9464;
const NOBODY = 65_532;

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
          containers: [controller(options)],
        },
      },
    },
  };
}

function controller({ image, namespace, namespaced }: InstallOptions): Container {
  const webhook = [`--webhook-address=0.0.0.0:${WEBHOOK_PORT}`, `--webhook-service=${WEBHOOK}`];
  const args = [
    'controller',
    `--namespace=${namespace}`,
    `--metrics-address=0.0.0.0:${METRICS_PORT}`,
  ];
  const probe = (path: string): { httpGet: { path: string; port: number } } => ({
    httpGet: { path, port: METRICS_PORT },
  });
  return {
    name: 'controller',
    image,
    imagePullPolicy: 'IfNotPresent',
    args: [...args, ...(namespaced ? ['--namespaced'] : webhook)],
    ports: [
      { name: 'metrics', containerPort: METRICS_PORT },
      { name: 'webhook', containerPort: WEBHOOK_PORT },
    ],
    livenessProbe: probe('/healthz'),
    readinessProbe: probe('/readyz'),
    resources: { requests: { cpu: '50m', memory: '96Mi' }, limits: { memory: '512Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
  };
}
