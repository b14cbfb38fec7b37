/** The values of the Helm chart: one table, from which values.yaml and its schema are generated. */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { API_PORTS } from '../../src/cli/install/install-options.ts';
import { installObjects } from '../../src/cli/install/install-objects.ts';
import {
  NOTIFY_SOURCE,
  NOTIFY_SOURCE_PATTERN,
  NOTIFY_VERDICTS,
} from '../../src/cli/shared-options.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { yamlText } from '../../src/model/yaml-text.ts';
import { clusterWide } from '../install-options.ts';

interface Value {
  readonly name: string;
  /** The effect of the value, in one sentence. */
  readonly about: string;
  readonly standard: unknown;
  /** JSON schema of the value. */
  readonly schema: object;
}

const FREE = { type: 'object' };
const STRINGS = { type: 'object', additionalProperties: { type: 'string' } };
const PORT = { type: 'integer', minimum: 1, maximum: 65_535 };
/** Syntax of `--allow-hook-host`; the controllers refuse other mistakes with LHK107. */
const HOST = { type: 'string', pattern: '^[A-Za-z0-9*._:-]+(/[0-9]{1,3})?$' };

function chartValues(): readonly Value[] {
  return [...ofInstall(), ...ofPods(), ...monitoring()];
}

/** Values for the options of `lifehook install`. */
function ofInstall(): readonly Value[] {
  const { namespaced, replicas, timeline } = clusterWide;
  return [
    {
      name: 'image',
      about: "Image of the controllers; empty: the published one of the chart's appVersion.",
      standard: '',
      schema: { type: 'string', pattern: String.raw`^[^\s'"]*$` },
    },
    {
      name: 'namespaced',
      about: "Serve only the objects of the release's namespace, without a webhook.",
      standard: namespaced,
      schema: { type: 'boolean' },
    },
    {
      name: 'replicas',
      about: 'Replicas of the controllers; one of them leads.',
      standard: replicas,
      schema: { type: 'integer', minimum: 1, maximum: 9 },
    },
    {
      name: 'timeline',
      about: 'Serve the timeline on the loopback address of each pod, and read Events for it.',
      standard: timeline,
      schema: { type: 'boolean' },
    },
    {
      name: 'allowHookHosts',
      about:
        'Hosts besides the hooked pod to which hooks may send requests: names, *.name, addresses, ranges.',
      standard: [],
      schema: { type: 'array', items: HOST },
    },
    {
      name: 'notifications',
      about:
        'Send notifications to the receiver of this Secret (docs/notifications.md); no name: none.',
      standard: { secretName: '', verdicts: 'below-required', source: NOTIFY_SOURCE },
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: {
          secretName: { type: 'string', pattern: '^[a-z0-9.-]*$' },
          verdicts: { type: 'string', pattern: `^(${NOTIFY_VERDICTS.join('|')})$` },
          source: { type: 'string', pattern: NOTIFY_SOURCE_PATTERN },
        },
      },
    },
    {
      name: 'apiPorts',
      about: 'Ports of the API server, for the NetworkPolicy.',
      standard: API_PORTS,
      schema: { type: 'array', minItems: 1, items: PORT },
    },
  ];
}

function ofPods(): readonly Value[] {
  return [
    {
      name: 'kinds',
      about:
        'Install and upgrade the CustomResourceDefinitions; false where another release has them.',
      standard: true,
      schema: { type: 'boolean' },
    },
    {
      name: 'resources',
      about: 'Resources of the container.',
      standard: resourcesOf(installObjects(clusterWide)),
      schema: FREE,
    },
    {
      name: 'nodeSelector',
      about: 'Labels of the nodes that may run the controllers.',
      standard: {},
      schema: STRINGS,
    },
    {
      name: 'tolerations',
      about: 'Tolerations of the controllers.',
      standard: [],
      schema: { type: 'array', items: FREE },
    },
  ];
}

/** Off by default: a cluster without the Prometheus operator has no such kinds. */
function monitoring(): readonly Value[] {
  return [
    {
      name: 'podDisruptionBudget',
      about: 'Let a drain evict one replica at a time.',
      standard: { enabled: false },
      schema: switched({}),
    },
    {
      name: 'serviceMonitor',
      about: 'Scrape the metrics; labels are those that your Prometheus selects.',
      standard: { enabled: false, labels: {} },
      schema: switched({ labels: STRINGS }),
    },
    {
      name: 'prometheusRule',
      about: 'Alert rules; labels are those that your Prometheus selects.',
      standard: { enabled: false, labels: {} },
      schema: switched({ labels: STRINGS }),
    },
    {
      name: 'dashboard',
      about:
        'Grafana dashboard in a ConfigMap; labels are those that the sidecar of Grafana selects.',
      standard: { enabled: false, labels: { grafana_dashboard: '1' } },
      schema: switched({ labels: STRINGS }),
    },
  ];
}

function switched(others: object): object {
  const properties = { enabled: { type: 'boolean' }, ...others };
  return { type: 'object', additionalProperties: false, properties };
}

function resourcesOf(objects: readonly KubeObject[]): unknown {
  const found = objects.find(({ kind }) => kind === 'Deployment') as Deployment;
  return found.spec?.template.spec?.containers[0]?.resources;
}

export function valuesText(): string {
  const texts = chartValues().map(
    ({ name, about, standard }) =>
      `# ${about}\n${yamlText({ [name]: standard }, { singleQuote: true })}`,
  );
  return texts.join('\n');
}

export function valuesSchema(): object {
  const properties = Object.fromEntries(
    chartValues().map(({ name, about, schema }) => [name, { description: about, ...schema }]),
  );
  // Helm adds this value if the chart is a dependency of another chart.
  const global = { type: 'object' };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the Lifehook chart',
    type: 'object',
    additionalProperties: false,
    properties: { ...properties, global },
  };
}
