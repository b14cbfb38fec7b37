import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../../../../src/kube/object.ts';
import { fieldErrorMessage } from '../../objects/field-error.ts';
import { compileStructural } from '../../objects/structural/compile.ts';
import { customStrategy, finalizerWarnings } from './custom-strategy.ts';

const scale = { specReplicas: '.spec.n', statusReplicas: '.status.n', labelSelector: null };
const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

function faults(object: JsonObject): string[] {
  const compiled = compileStructural(free, { at: 'schema', engine: null });
  if (compiled.kind === 'invalid') throw new Error('the schema is not valid');
  const strategy = customStrategy(compiled.schema, { status: true, scale });
  const context = { gates: new Map(), now: '2020-01-01T00:00:00Z' } as never;
  return strategy
    .validate({ apiVersion: 'a/v1', kind: 'A', ...object }, undefined, context)
    .map(fieldErrorMessage);
}

describe('the number of replicas of a custom resource', () => {
  it.each<[JsonObject, string[]]>([
    [{}, []],
    [{ spec: null }, []],
    [{ spec: { n: 3 }, status: { n: 0 } }, []],
    [{ spec: { n: -1 } }, ['.spec.n: Invalid value: -1: should be a non-negative integer']],
    [
      { spec: { n: 3_000_000_000 } },
      ['.spec.n: Invalid value: 3000000000: should be less than or equal to 2147483647'],
    ],
    [
      { spec: { n: 1.5 } },
      [
        '.spec.n: Invalid value: 0: .spec.n accessor error: 1.5 is of the type float64, expected int64',
      ],
    ],
    [
      { status: { n: 'one' } },
      [
        '.status.n: Invalid value: 0: .status.n accessor error: one is of the type string, expected int64',
      ],
    ],
    [
      { spec: 'none' },
      [
        '.spec.n: Invalid value: 0: .spec accessor error: none is of the type string, expected map[string]interface {}',
      ],
    ],
  ])('is an integer that a real server can read: %#', (object, expected) => {
    expect(faults(object)).toEqual(expected);
  });
});

describe('the warnings of a custom resource', () => {
  it('name each new finalizer without a domain', () => {
    const object = (...finalizers: string[]): JsonObject => ({ metadata: { finalizers } });
    const warned = object('orphan', 'b', 'a', 'example.com/c');
    expect(finalizerWarnings(warned, undefined).map((text) => text.split(': ')[1])).toEqual([
      '"a"',
      '"b"',
    ]);
    expect(finalizerWarnings(warned, object('a', 'b'))).toEqual([]);
  });
});
