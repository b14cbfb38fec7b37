import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../../../../src/kube/object.ts';
import { RuleEngines } from './checked-definitions.ts';

const definition = (schema: JsonObject): JsonObject => ({
  spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }] },
});
const plain = definition({ type: 'object', properties: { size: { type: 'integer' } } });
const ruled = definition({
  type: 'object',
  'x-kubernetes-validations': [{ rule: 'self == self' }],
});

describe('RuleEngines', () => {
  it('compiles a spec once, whatever the status next to it is', () => {
    const engines = new RuleEngines();
    const first = engines.compile(plain);
    expect(first.schemas.has('v1')).toBe(true);
    expect(engines.compile({ ...plain, status: {} })).toBe(first);
    expect(engines.compile(structuredClone(plain))).not.toBe(first);
  });

  it('returns the errors of an invalid schema on every call', () => {
    const engines = new RuleEngines();
    const broken = definition({ type: 'string' });
    expect(engines.compile(broken).errors).not.toEqual([]);
    expect(engines.compile(broken).errors).not.toEqual([]);
  });

  it('compiles again once the CEL engine is loaded', async () => {
    const engines = new RuleEngines();
    await engines.loadFor(plain);
    const without = engines.compile(plain);
    await engines.loadFor(ruled);
    expect(engines.compile(ruled)).toMatchObject({ errors: [] });
    expect(engines.compile(plain)).not.toBe(without);
  });
});
