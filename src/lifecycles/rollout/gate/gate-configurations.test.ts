import { describe, expect, it } from 'vitest';

import { gateConfigurations } from './gate-configurations.ts';

const service = { namespace: 'lifehook', name: 'webhook', port: 443 };
const { mutating, validating } = gateConfigurations({
  name: 'gate',
  client: { service },
  authority: 'PEM',
});
const all = [...(mutating.webhooks ?? []), ...(validating.webhooks ?? [])];

describe('the configurations of the gate', () => {
  it('refuse without us only what carries the label', () => {
    const strict = all.filter(({ failurePolicy }) => failurePolicy === 'Fail');
    expect(strict.map(({ name, objectSelector }) => [name, objectSelector])).toEqual([
      ['gate.rollout.lifehook.dev', labelled],
      ['gate.rollout.lifehook.dev', labelled],
    ]);
    expect(all.filter(({ failurePolicy }) => failurePolicy === 'Ignore')).toHaveLength(3);
  });

  it('never ask about a deletion, a status or another kind', () => {
    const rules = all.flatMap((one) => one.rules ?? []) as {
      resources?: string[];
      operations?: string[];
    }[];
    const resources = rules.flatMap((rule) => rule.resources ?? []);
    expect([...new Set(resources)]).toEqual([
      'deployments',
      'deployments/scale',
      'deploymentlifecycles',
    ]);
    const operations = rules.flatMap((rule) => rule.operations ?? []);
    expect(new Set(operations)).toEqual(new Set(['CREATE', 'UPDATE']));
  });

  it('can be asked again after other webhooks, and change nothing by being asked', () => {
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
