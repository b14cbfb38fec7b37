import type { CustomResourceDefinition } from 'kubernetes-types/apiextensions/v1.js';
import { describe, expect, it } from 'vitest';

import { factsWith, kindFacts } from '../../../../test/fixtures/doctor-facts.ts';
import { ownKinds } from './kinds.ts';

const REFUSED = {
  kind: 'refused',
  right: { verb: 'get', group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' },
} as const;

describe('the check of our kinds', () => {
  it('names the kinds that are not served', () => {
    const missing = kindFacts('HookRun', { isServed: false, definition: { kind: 'absent' } });
    const found = ownKinds(factsWith({ kinds: [kindFacts('ExecutionHook'), missing] }));
    expect(found).toMatchObject([
      { result: 'error', found: 'not served: HookRun (lifehook.dev/v1alpha1)' },
    ]);
    const [none] = ownKinds(factsWith({ kinds: [missing] }));
    expect(none?.found).toBe('the kinds of Lifehook are not installed');
  });

  it('warns with the right where a definition may not be read', () => {
    const kinds = [kindFacts('HookRun', { definition: REFUSED })];
    const [found] = ownKinds(factsWith({ kinds }));
    expect(found?.result).toBe('warning');
    expect(found?.found).toContain('get customresourcedefinitions.apiextensions.k8s.io');
    expect(found?.next).toContain('resources: [customresourcedefinitions], verbs: [get]');
  });

  it('warns of an old stored version and of an older definition', () => {
    const definition = { metadata: {}, status: { storedVersions: ['v1alpha0', 'v1alpha1'] } };
    const value = definition as unknown as CustomResourceDefinition;
    const missingFields = ['spec.a', 'spec.b', 'spec.c', 'spec.d'];
    const kinds = [kindFacts('HookRun', { definition: { kind: 'known', value }, missingFields })];
    const found = ownKinds(factsWith({ kinds }));
    expect(found.map(({ result }) => result)).toEqual(['warning', 'warning']);
    expect(found[0]?.found).toContain('stored as v1alpha0');
    expect(found[1]?.found).toContain('it lacks spec.a, spec.b, spec.c and 1 more');
  });

  it('is an error where the server has not accepted a definition', () => {
    const conditions = [{ type: 'NamesAccepted', status: 'False', message: 'eh is taken' }];
    const value = { metadata: {}, status: { conditions } } as unknown as CustomResourceDefinition;
    const kinds = [kindFacts('HookRun', { definition: { kind: 'known', value } })];
    expect(ownKinds(factsWith({ kinds }))).toMatchObject([
      { result: 'error', found: 'HookRun is not NamesAccepted: eh is taken' },
    ]);
  });
});
