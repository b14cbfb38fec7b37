import { describe, expect, it } from 'vitest';

import { gateConfigurations } from './gate-configurations.ts';

const service = { namespace: 'lifehook', name: 'webhook', port: 443 };
const { mutating, validating } = gateConfigurations({
  name: 'gate',
  client: { service },
  authority: 'PEM',
});
const all = [...(mutating.webhooks ?? []), ...(validating.webhooks ?? [])];

describe('gateConfigurations', () => {
  it('fail closed only for Deployments that carry the label', () => {
    const strict = all.filter(({ failurePolicy }) => failurePolicy === 'Fail');
    expect(strict.map(({ name, objectSelector }) => [name, objectSelector])).toEqual([
      ['gate.rollout.lifehook.dev', labelled],
      ['gate.rollout.lifehook.dev', labelled],
    ]);
    expect(all.filter(({ failurePolicy }) => failurePolicy === 'Ignore')).toHaveLength(4);
  });

  it('leave every ReplicaSet alone while nobody answers', () => {
    const own = all.filter(({ rules = [] }) =>
      (rules as { resources?: string[] }[]).some(({ resources = [] }) =>
        resources.some((one) => one.startsWith('replicasets')),
      ),
    );
    expect(own.map(({ failurePolicy, timeoutSeconds }) => [failurePolicy, timeoutSeconds])).toEqual(
      [['Ignore', 2]],
    );
  });

  it('match no deletion, no status and no other kind', () => {
    const rules = all.flatMap((one) => one.rules ?? []) as {
      resources?: string[];
      operations?: string[];
    }[];
    const resources = rules.flatMap((rule) => rule.resources ?? []);
    expect([...new Set(resources)]).toEqual([
      'deployments',
      'deployments/scale',
      'replicasets',
      'replicasets/scale',
      'deploymentlifecycles',
    ]);
    const operations = rules.flatMap((rule) => rule.operations ?? []);
    expect(new Set(operations)).toEqual(new Set(['CREATE', 'UPDATE']));
  });

  it('allow reinvocation after other webhooks and declare no side effects', () => {
    expect(mutating.webhooks?.map((one) => one.reinvocationPolicy)).toEqual([
      'IfNeeded',
      'IfNeeded',
    ]);
    expect(new Set(all.map(({ sideEffects }) => sideEffects))).toEqual(new Set(['None']));
    expect(all.every(({ timeoutSeconds = 30 }) => timeoutSeconds <= 5)).toBe(true);
    expect(all[0]?.clientConfig).toEqual({
      service: { ...service, path: '/mutate-deployments' },
      caBundle: btoa('PEM'),
    });
  });
});

const labelled = { matchExpressions: [{ key: 'lifehook.dev/gated', operator: 'Exists' }] };
