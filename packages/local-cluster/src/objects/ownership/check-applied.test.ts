import { describe, expect, it } from 'vitest';
import { attempt, exampleKind } from '../../../test/apply-example.ts';
import type { JsonObject } from '../../../../../src/kube/object.ts';

describe('applyServerSide refuses', () => {
  it.each<[string, JsonObject, 400 | 500, string]>([
    [
      'another API version',
      { ...exampleKind, apiVersion: 'v2' },
      400,
      'Incorrect version specified in apply patch. Specified patch version: v2, expected: example.dev/v1',
    ],
    [
      'managed fields',
      { ...exampleKind, metadata: { managedFields: [] } },
      400,
      'metadata.managedFields must be nil',
    ],
    [
      'no kind',
      { apiVersion: exampleKind.apiVersion, metadata: { name: 'x' } },
      400,
      'invalid object type: example.dev/v1, Kind=',
    ],
    [
      'another kind',
      { ...exampleKind, kind: 'Other' },
      400,
      'invalid object type: example.dev/v1, Kind=Other',
    ],
    [
      'an unknown field',
      { ...exampleKind, metadata: { name: 'x', namespace: 'n' }, sepc: 1 },
      500,
      'failed to create typed patch object (n/x; example.dev/v1, Kind=Example): .sepc: field not declared in schema',
    ],
    [
      'values of the wrong kind',
      { ...exampleKind, spec: { size: '1', args: 'x', labels: { a: { b: [1] } } } },
      500,
      'failed to create typed patch object (/; example.dev/v1, Kind=Example): errors:\n  .spec.size: expected numeric (int or float), got string\n  .spec.args: expected list, got &{x}\n  .spec.labels.a: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"b":[]interface {}{1}}}',
    ],
    [
      'a duplicate item',
      { ...exampleKind, spec: { items: [{ name: 'a' }, { name: 'a' }] } },
      500,
      'failed to create typed patch object (/; example.dev/v1, Kind=Example): .spec.items: duplicate entries for key [name="a"]',
    ],
    [
      'an item without its key',
      { ...exampleKind, spec: { items: [{ port: 1 }] } },
      500,
      `failed to create typed patch object (/; example.dev/v1, Kind=Example): .spec.items: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn't have default values for any key fields)`,
    ],
    [
      'an object in a set',
      { ...exampleKind, spec: { tags: [{}] } },
      500,
      `failed to create typed patch object (/; example.dev/v1, Kind=Example): .spec.tags: element 0: associative list without keys has an element that's a map type`,
    ],
  ])('%s', (...[, body, code, message]) => {
    expect(attempt({ by: 'a', spec: {}, applied: body })).toEqual({
      kind: 'failed',
      code,
      message,
    });
  });

  it('an object nested deeper than the limit', () => {
    let open: JsonObject = {};
    for (let depth = 0; depth < 600; depth++) open = { a: open };
    expect(attempt({ by: 'a', spec: { open } })).toMatchObject({ kind: 'failed', code: 400 });
  });
});
