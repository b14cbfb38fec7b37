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
  it('fail closed only for Deployments that carry the label, and for what no controller could judge later', () => {
    const strict = all.filter(({ failurePolicy }) => failurePolicy === 'Fail');
    expect(strict.map(({ name, objectSelector }) => [name, objectSelector])).toEqual([
      ['gate.rollout.lifehook.dev', labelled],
      ['gate.rollout.lifehook.dev', labelled],
      ['author.rollout.lifehook.dev', undefined],
    ]);
    expect(strict.at(-1)?.rules).toEqual([
      expect.objectContaining({
        operations: ['CREATE'],
        resources: ['deploymentlifecycles', 'hookruns'],
      }),
    ]);
    expect(all.filter(({ failurePolicy }) => failurePolicy === 'Ignore')).toHaveLength(5);
  });

  it('leave every ReplicaSet alone while no webhook answers', () => {
    const own = all.filter(({ rules = [] }) =>
      (rules as { resources?: string[] }[]).some(({ resources = [] }) =>
        resources.some((one) => one.startsWith('replicasets')),
      ),
    );
    expect(own.map(({ failurePolicy, timeoutSeconds }) => [failurePolicy, timeoutSeconds])).toEqual(
      [['Ignore', 2]],
    );
  });

  it('match no deletion of a Deployment, no status and no other kind', () => {
    const rules = all.flatMap((one) => one.rules ?? []) as {
      resources?: string[];
      operations?: string[];
    }[];
    const resources = rules.flatMap((rule) => rule.resources ?? []);
    expect([...new Set(resources)]).toEqual([
      'deployments',
      'deploymentlifecycles',
      'deployments/scale',
      'replicasets',
      'replicasets/scale',
      'hookruns',
    ]);
    const ofDeployments = rules.filter((rule) => rule.resources?.[0] !== 'deploymentlifecycles');
    const operations = ofDeployments.flatMap((rule) => rule.operations ?? []);
    expect(new Set(operations)).toEqual(new Set(['CREATE', 'UPDATE']));
  });

  it('never block a deletion: one with a warning is admitted when no webhook answers', () => {
    const deletions = all.filter(({ rules = [] }) =>
      (rules as { operations?: string[] }[]).some(({ operations = [] }) =>
        operations.includes('DELETE'),
      ),
    );
    expect(deletions.map(({ name, failurePolicy }) => [name, failurePolicy])).toEqual([
      ['kinds.rollout.lifehook.dev', 'Ignore'],
    ]);
  });

  it('allow reinvocation after other webhooks and declare no side effects', () => {
    expect(mutating.webhooks?.map((one) => one.reinvocationPolicy)).toEqual([
      'IfNeeded',
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
