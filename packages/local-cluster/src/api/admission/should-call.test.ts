import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../../../../src/kube/object.ts';
import { builtinDefinitions } from '../../objects/kinds/definitions.ts';
import type { ResourceDefinition } from '../../objects/resource-definition.ts';
import { type MatchedRequest, matchesObject, matchRules } from './should-call.ts';
import type { WebhookRule } from './webhook.ts';

const all = builtinDefinitions();

function defined(plural: string, group = '', version = 'v1'): ResourceDefinition {
  const found = all.find(
    (one) => one.plural === plural && one.group === group && one.version === version,
  );
  if (found === undefined) throw new Error(`no ${plural}`);
  return found;
}

const rule = (more: Partial<WebhookRule> = {}): WebhookRule => ({
  operations: ['*'],
  apiGroups: ['*'],
  apiVersions: ['*'],
  resources: ['*'],
  scope: '*',
  ...more,
});

const about = (more: Partial<MatchedRequest> = {}): MatchedRequest => ({
  operation: 'CREATE',
  definition: defined('pods'),
  namespace: 'default',
  subresource: '',
  object: null,
  oldObject: null,
  ...more,
});

const matches = (one: Partial<WebhookRule>, request: Partial<MatchedRequest> = {}): boolean =>
  matchRules({ rules: [rule(one)], equivalent: false }, about(request), all) !== undefined;

describe('a rule of a webhook', () => {
  it.each([
    ['pods', '', true],
    ['pods', 'status', false],
    ['pods/status', 'status', true],
    ['pods/status', '', false],
    ['pods/*', '', true],
    ['pods/*', 'exec', true],
    ['*', '', true],
    ['*', 'status', false],
    ['*/*', 'status', true],
    ['*/status', 'status', true],
    ['services', '', false],
  ])('with the resource %s matches the subresource "%s" of pods: %s', (resource, sub, expected) => {
    expect(matches({ resources: [resource] }, { subresource: sub })).toBe(expected);
  });

  it.each([
    { scope: 'Namespaced', plural: 'pods', namespace: 'default', expected: true },
    { scope: 'Cluster', plural: 'pods', namespace: 'default', expected: false },
    { scope: 'Namespaced', plural: 'namespaces', namespace: 'default', expected: false },
    { scope: 'Cluster', plural: 'namespaces', namespace: 'default', expected: true },
    { scope: 'Cluster', plural: 'nodes', namespace: '', expected: true },
    { scope: 'Namespaced', plural: 'nodes', namespace: '', expected: false },
    { scope: '*', plural: 'nodes', namespace: '', expected: true },
  ])('with the scope $scope matches $plural in "$namespace": $expected', (row) => {
    const { scope, plural, namespace, expected } = row;
    expect(matches({ scope }, { definition: defined(plural), namespace })).toBe(expected);
  });

  it('matches only its operations, groups and versions', () => {
    expect(matches({ operations: ['UPDATE', 'CREATE'] })).toBe(true);
    expect(matches({ operations: ['UPDATE'] })).toBe(false);
    expect(matches({ apiGroups: [''] })).toBe(true);
    expect(matches({ apiGroups: ['apps'] })).toBe(false);
    expect(matches({ apiVersions: ['v2'] })).toBe(false);
  });

  it('matches the same object in another group only with matchPolicy Equivalent', () => {
    const rules = [rule({ apiGroups: ['events.k8s.io'] })];
    const request = about({ definition: defined('events') });
    expect(matchRules({ rules, equivalent: true }, request, all)?.group).toBe('events.k8s.io');
    expect(matchRules({ rules, equivalent: false }, request, all)).toBeUndefined();
    const exact = [...rules, rule({ apiGroups: [''] })];
    expect(matchRules({ rules: exact, equivalent: true }, request, all)?.group).toBe('');
  });
});

describe('an object selector', () => {
  const on = { metadata: { labels: { gate: 'on' } } };
  const off = { metadata: {} };
  const requirements = [{ key: 'gate', operator: '=', values: ['on'] }] as const;

  it.each<[JsonObject | null, JsonObject | null, boolean]>([
    [on, null, true],
    [off, null, false],
    [off, on, true],
    [on, off, true],
    [off, off, false],
    [null, on, true],
    [null, null, false],
  ])('matches if the new or the old object matches (%#)', (object, oldObject, expected) => {
    expect(matchesObject(requirements, { object, oldObject })).toBe(expected);
  });

  it('matches everything when it is empty', () => {
    expect(matchesObject([], { object: null, oldObject: null })).toBe(true);
  });
});
