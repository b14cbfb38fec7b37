/**
 * Compares the output of the real Helm for deploy/chart with that of `lifehook install`.
 *
 * @module-tag helm
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

import { pathOf } from '../needs.ts';
import { run } from './cluster-stand.ts';

const PROGRAM = resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js');
const SYSTEM = 'lifehook-system';
const KEPT = { 'helm.sh/resource-policy': 'keep' };

interface Found {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

function objectsIn(text: string): Found[] {
  return parseAllDocuments(text).flatMap((one) => (one.toJS() as Found | null) ?? []);
}

function byName(objects: readonly Found[]): Record<string, Found> {
  return Object.fromEntries(objects.map((one) => [`${one.kind}/${one.metadata.name}`, one]));
}

const helm = (...args: readonly string[]): ReturnType<typeof run> =>
  run(pathOf('helm') ?? 'helm', args);

async function rendered(...args: readonly string[]): Promise<Found[]> {
  const given = ['template', 'lifehook', 'deploy/chart', '--namespace', SYSTEM, ...args];
  const { code, stdout, stderr } = await helm(...given);
  expect(code, stderr).toBe(0);
  return objectsIn(stdout);
}

/** Objects that `helm install` creates, without those of `helm test`. */
async function installed(...args: readonly string[]): Promise<Record<string, Found>> {
  const objects = await rendered(...args);
  return byName(
    objects.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] === undefined),
  );
}

/**
 * Objects of `lifehook install`, adapted to the chart: `helm install` creates the Namespace, and the kinds outlive
 * `helm uninstall`.
 */
async function printed(...args: readonly string[]): Promise<Record<string, Found>> {
  const { code, stdout, stderr } = await run(process.execPath, [PROGRAM, 'install', ...args]);
  expect(code, stderr).toBe(0);
  const objects = objectsIn(stdout).filter(({ kind }) => kind !== 'Namespace');
  expect(objects.length).toBeGreaterThan(10);
  return byName(
    objects.map((one) => {
      if (one.kind !== 'CustomResourceDefinition') return one;
      return { ...one, metadata: { ...one.metadata, annotations: KEPT } };
    }),
  );
}

const HOSTS = ['*.example.com', '10.1.2.3', '10.0.0.0/8', 'fd00::/8', '::1'];

describe('the chart renders the same objects as lifehook install', () => {
  it.each([
    [[], []],
    [['namespaced=true'], ['--namespaced']],
    [
      ['timeline=false', 'replicas=3'],
      ['--no-timeline', '--replicas', '3'],
    ],
    [
      ['namespaced=true', 'timeline=false'],
      ['--namespaced', '--no-timeline'],
    ],
    [['image=registry.example/lifehook:1'], ['--image', 'registry.example/lifehook:1']],
    [['apiPorts={6443,8443}'], ['--api-port', '6443', '8443']],
    [[`allowHookHosts={${HOSTS.join(',')}}`], HOSTS.flatMap((host) => ['--allow-hook-host', host])],
    // A name alone gives no address, and an empty `to: []` would allow every address.
    [['allowHookHosts={db.example.com}'], ['--allow-hook-host', 'db.example.com']],
    [
      ['namespaced=true', 'timeline=false', 'allowHookHosts={10.1.2.3}'],
      ['--namespaced', '--no-timeline', '--allow-hook-host', '10.1.2.3'],
    ],
    [
      [
        'notifications.secretName=receiver',
        'notifications.verdicts=all',
        'notifications.source=https://berlin.example.com/a?b=c#d',
      ],
      [
        '--notify-secret=receiver',
        '--notify-verdicts=all',
        '--notify-source=https://berlin.example.com/a?b=c#d',
      ],
    ],
  ])('%j as %j', async (values, options) => {
    const set = values.flatMap((value) => ['--set', value]);
    expect(await installed(...set)).toEqual(await printed(...options));
  });

  it('in another namespace', async () => {
    const options = ['--namespace', 'hooks'];
    expect(await installed(...options)).toEqual(await printed(...options));
  });
});

it('kinds=false leaves the kinds to another release', async () => {
  const kinds = Object.values(await installed('--set', 'kinds=false')).map(({ kind }) => kind);
  expect(kinds).toContain('Deployment');
  expect(kinds).not.toContain('CustomResourceDefinition');
});

it('resources, nodeSelector and tolerations are those of the pods', async () => {
  const values = [
    'resources.limits.memory=1Gi',
    'nodeSelector.pool=infra',
    'tolerations[0].operator=Exists',
  ];
  const objects = await installed('--set', values.join(','));
  expect(objects['Deployment/lifehook-controller']).toMatchObject({
    spec: {
      template: {
        spec: {
          nodeSelector: { pool: 'infra' },
          tolerations: [{ operator: 'Exists' }],
          containers: [{ resources: { requests: { cpu: '50m' }, limits: { memory: '1Gi' } } }],
        },
      },
    },
  });
});

it.each([
  ['podDisruptionBudget', ['PodDisruptionBudget/lifehook-controller']],
  ['prometheusRule', ['PrometheusRule/lifehook']],
  ['dashboard', ['ConfigMap/lifehook-dashboard']],
  ['serviceMonitor', ['Service/lifehook-metrics', 'ServiceMonitor/lifehook-controller']],
])('%s.enabled adds %j', async (value, names) => {
  const before = Object.keys(await installed());
  const after = Object.keys(await installed('--set', `${value}.enabled=true`));
  expect(after.filter((name) => !before.includes(name)).toSorted()).toEqual(names);
});

it('the PrometheusRule and the ConfigMap have the files of the chart', async () => {
  const set = 'prometheusRule.enabled=true,prometheusRule.labels.release=p,dashboard.enabled=true';
  const objects = await installed('--set', set);
  const rules: unknown = parse(readFileSync('deploy/chart/files/rules.yaml', 'utf8'));
  expect(objects['PrometheusRule/lifehook']).toMatchObject({
    metadata: { labels: { release: 'p' } },
    spec: rules,
  });
  const { data } = objects['ConfigMap/lifehook-dashboard'] as unknown as {
    readonly data: Readonly<Record<string, string>>;
  };
  const dashboard: unknown = JSON.parse(readFileSync('deploy/chart/files/dashboard.json', 'utf8'));
  expect(JSON.parse(data['lifehook.json'] ?? '')).toEqual(dashboard);
});

it.each([
  ['replica=3', 'replica'],
  ['replicas=0', 'replicas'],
  ["image=x'y", 'image'],
  ['image=a b', 'image'],
  ['namespaced=yes', 'namespaced'],
  ['apiPorts={http}', 'apiPorts'],
  ['allowHookHosts={http://db}', 'allowHookHosts'],
  ['serviceMonitor.enable=true', 'enable'],
])('refuses the value %s by name', async (value, name) => {
  const { code, stderr } = await helm('template', 'deploy/chart', '--set', value);
  expect(code).not.toBe(0);
  expect(stderr).toContain(name);
});

it('helm lint finds no problem', async () => {
  const { code, stdout } = await helm('lint', '--strict', 'deploy/chart');
  expect(code, stdout).toBe(0);
});
