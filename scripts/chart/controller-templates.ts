/**
 * Helm templates of the objects that `lifehook install` prints. Helm expressions replace the options, and each switch
 * is rendered on and off.
 */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { installObjects } from '../../src/cli/install/install-objects.ts';
import type { InstallOptions } from '../../src/cli/install/install-options.ts';
import { yamlDocuments } from '../../src/model/yaml-text.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { type Choice, type Condition, mergeRenderings } from './merge-renderings.ts';

export interface Template {
  readonly path: string;
  readonly text: string;
}

type Switch = 'namespaced' | 'timeline' | 'hosts' | 'addresses' | 'notifications';

/** Placeholders for values that are numbers, lists or objects; see `EXPRESSIONS`. */
const REPLICAS = 424_242;
const PORT = 42_424;
const ADDRESS = '192.0.2.1/32';
const NOTIFICATIONS = {
  secret: '{{ .Values.notifications.secretName }}',
  verdicts: '{{ .Values.notifications.verdicts }}',
  source: '{{ .Values.notifications.source }}',
};
const RESOURCES = '@resources';
const NODE_SELECTOR = '@nodeSelector';
const TOLERATIONS = '@tolerations';

const CONDITIONS: readonly Condition<Switch>[] = [
  { option: 'namespaced', when: '.Values.namespaced' },
  { option: 'timeline', when: '.Values.timeline' },
  { option: 'hosts', when: '.Values.allowHookHosts' },
  { option: 'addresses', when: 'include "lifehook.hookBlocks" .' },
  { option: 'notifications', when: '.Values.notifications.secretName' },
];

/** Kinds by file. Helm creates the Namespace; our kinds have their own file. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  'service-account.yaml': ['ServiceAccount'],
  'roles.yaml': ['ClusterRole', 'Role', 'ClusterRoleBinding', 'RoleBinding'],
  'network-policy.yaml': ['NetworkPolicy'],
  'service.yaml': ['Service'],
  'deployment.yaml': ['Deployment'],
};

export function controllerTemplates(): readonly Template[] {
  return Object.entries(FILES).map(([path, kinds]) => {
    const merged = mergeRenderings(CONDITIONS, (choice) =>
      yamlDocuments(
        objectsFor(choice).filter(({ kind = '' }) => kinds.includes(kind)),
        { singleQuote: true },
      ),
    );
    return { path, text: withExpressions(merged) };
  });
}

function objectsFor(choice: Choice<Switch>): KubeObject[] {
  const { namespaced, timeline, hosts, addresses } = choice;
  const options: InstallOptions = {
    namespace: '{{ .Release.Namespace }}',
    image: '{{ include "lifehook.image" . }}',
    replicas: REPLICAS,
    snapshotKinds: false,
    apiPorts: [PORT],
    namespaced,
    timeline,
    ...(choice.notifications ? { notifications: NOTIFICATIONS } : {}),
  };
  const plain = installObjects(options);
  const open = installObjects({ ...options, hookHosts: [ADDRESS] });
  const isOpen = (kind?: string): boolean => (kind === 'NetworkPolicy' ? addresses : hosts);
  return plain.map((object, index) => {
    const chosen = isOpen(object.kind) ? (open[index] ?? object) : object;
    return chosen.kind === 'Deployment' ? withPlaces(chosen as Deployment) : chosen;
  });
}

/** Puts a placeholder wherever a Helm value is a whole object. */
function withPlaces(deployment: Deployment): KubeObject {
  const { spec } = deployment;
  const pod = spec?.template.spec;
  const marks = { nodeSelector: NODE_SELECTOR, tolerations: TOLERATIONS };
  const containers = pod?.containers.map((one) => ({ ...one, resources: RESOURCES }));
  const template = { ...spec?.template, spec: { ...pod, ...marks, containers } };
  return { ...deployment, spec: { ...spec, template } } as KubeObject;
}

const EXPRESSIONS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`replicas: ${REPLICAS}`, 'g'), 'replicas: {{ .Values.replicas }}'],
  [
    new RegExp(`^( *)- port: ${PORT}\n( *protocol: TCP)`, 'gm'),
    '{{- range .Values.apiPorts }}\n$1- port: {{ . }}\n$2\n{{- end }}',
  ],
  [
    new RegExp(`^( *)- --allow-hook-host=${ADDRESS}`, 'gm'),
    '{{- range .Values.allowHookHosts }}\n$1- {{ printf "--allow-hook-host=%s" . | quote }}\n{{- end }}',
  ],
  [
    new RegExp(`^( *)- ipBlock:\n *cidr: ${ADDRESS}`, 'gm'),
    '{{- include "lifehook.hookBlocks" . | trim | nindent 8 }}',
  ],
  [
    new RegExp(`^( *)resources: '${RESOURCES}'`, 'gm'),
    '$1resources:\n{{- toYaml .Values.resources | nindent 12 }}',
  ],
  [new RegExp(`^( *)nodeSelector: '${NODE_SELECTOR}'`, 'gm'), optional('nodeSelector')],
  [new RegExp(`^( *)tolerations: '${TOLERATIONS}'`, 'gm'), optional('tolerations')],
];

function optional(name: string): string {
  return `{{- with .Values.${name} }}\n$1${name}:\n{{- toYaml . | nindent 8 }}\n{{- end }}`;
}

function withExpressions(text: string): string {
  return EXPRESSIONS.reduce((all, [pattern, by]) => all.replaceAll(pattern, by), text);
}
