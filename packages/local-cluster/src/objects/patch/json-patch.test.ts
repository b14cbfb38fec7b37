import * as fc from 'fast-check';
import jsonPatch from 'fast-json-patch';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { applyJsonPatch } from './json-patch.ts';

const rejected = {
  kind: 'failed',
  code: 422,
  message: 'the server rejected our request due to an error in our request',
};

const document = (): JsonObject => ({
  metadata: { name: 'web', labels: { 'app.kubernetes.io/name': 'web', 'a~b': '1' } },
  spec: { args: ['a', 'b', 'c'], nothing: null },
});

const patched = (object: unknown): unknown => ({ kind: 'patched', object });

describe('applyJsonPatch', () => {
  it.each<[string, Json[], (object: JsonObject) => void]>([
    [
      'adds a field',
      [{ op: 'add', path: '/spec/x', value: { y: 1 } }],
      at('spec', { x: { y: 1 } }),
    ],
    [
      'adds over an existing field',
      [{ op: 'add', path: '/spec/args', value: 1 }],
      at('spec', { args: 1 }),
    ],
    ['inserts', [{ op: 'add', path: '/spec/args/1', value: 'x' }], args('a', 'x', 'b', 'c')],
    ['appends', [{ op: 'add', path: '/spec/args/-', value: 'x' }], args('a', 'b', 'c', 'x')],
    [
      'adds at the end',
      [{ op: 'add', path: '/spec/args/3', value: 'x' }],
      args('a', 'b', 'c', 'x'),
    ],
    [
      'counts a negative index from the end',
      [{ op: 'add', path: '/spec/args/-1', value: 'x' }],
      args('a', 'b', 'c', 'x'),
    ],
    [
      'counts in more than one digit',
      [3, 4, 5, 6, 7, 8, 9, 10, 11].map((index) => ({
        op: 'add',
        path: `/spec/args/${index}`,
        value: `${index}`,
      })),
      args('a', 'b', 'c', '3', '4', '5', '6', '7', '8', '9', '10', '11'),
    ],
    [
      'adds, replaces and removes a field',
      [
        { op: 'add', path: '/spec/x', value: 1 },
        { op: 'replace', path: '/spec/x', value: 2 },
        { op: 'remove', path: '/spec/x' },
      ],
      () => undefined,
    ],
    ['removes an item', [{ op: 'remove', path: '/spec/args/0' }], args('b', 'c')],
    ['removes the last item', [{ op: 'remove', path: '/spec/args/-1' }], args('a', 'b')],
    [
      'replaces an item',
      [{ op: 'replace', path: '/spec/args/2', value: 'x' }],
      args('a', 'b', 'x'),
    ],
    [
      'replaces a missing field',
      [{ op: 'replace', path: '/spec/x', value: 1 }],
      at('spec', { x: 1 }),
    ],
    [
      'copies null for a missing field',
      [{ op: 'copy', from: '/spec/q', path: '/spec/x' }],
      at('spec', { x: null }),
    ],
    [
      'moves an item',
      [{ op: 'move', from: '/spec/args/0', path: '/spec/args/2' }],
      args('b', 'c', 'a'),
    ],
    [
      'ignores text before the first slash',
      [{ op: 'add', path: 'spec/x', value: 1 }],
      (object) => {
        object['x'] = 1;
      },
    ],
    ['adds null without a value', [{ op: 'add', path: '/spec/x' }], at('spec', { x: null })],
    [
      'tests a value',
      [{ op: 'test', path: '/spec/args', value: ['a', 'b', 'c'] }],
      () => undefined,
    ],
    ['tests the whole document', [{ op: 'test', path: '', value: document() }], () => undefined],
    [
      'treats a missing field as null in a test',
      [{ op: 'test', path: '/spec/x', value: null }],
      () => undefined,
    ],
    [
      'reads escapes',
      [
        { op: 'test', path: '/metadata/labels/app.kubernetes.io~1name', value: 'web' },
        { op: 'test', path: '/metadata/labels/a~0b', value: '1' },
      ],
      () => undefined,
    ],
  ])('%s', (_title, patch, change) => {
    const expected = document();
    change(expected);
    expect(applyJsonPatch(document(), patch)).toEqual(patched(expected));
  });

  it.each<[string, Json]>([
    ['a failed test', { op: 'test', path: '/metadata/name', value: 'other' }],
    ['a test without a value', { op: 'test', path: '/metadata/name' }],
    ['removing a missing field', { op: 'remove', path: '/spec/x' }],
    ['removing beyond the end', { op: 'remove', path: '/spec/args/3' }],
    ['adding beyond the end', { op: 'add', path: '/spec/args/4', value: 'x' }],
    ['adding too far from the end', { op: 'add', path: '/spec/args/-5', value: 'x' }],
    ['replacing beyond the end', { op: 'replace', path: '/spec/args/3', value: 'x' }],
    ['a missing parent', { op: 'add', path: '/spec/x/y', value: 1 }],
    ['a parent that is a string', { op: 'add', path: '/metadata/name/y', value: 1 }],
    ['a parent that is null', { op: 'add', path: '/spec/nothing/y', value: 1 }],
    ['adding the whole document', { op: 'add', path: '', value: {} }],
    ['removing the whole document', { op: 'remove', path: '' }],
    ['replacing the whole document by a list', { op: 'replace', path: '', value: [1] }],
    ['moving into itself', { op: 'move', from: '/spec', path: '/spec/args/x' }],
    ['text as an index', { op: 'add', path: '/spec/args/first', value: 'x' }],
    ['text after an index', { op: 'add', path: '/spec/args/1x', value: 'x' }],
    ['text before an index', { op: 'add', path: '/spec/args/x1', value: 'x' }],
    ['a path that is not a string', { op: 'add', path: 5, value: 'x' }],
    ['an unknown operation', { op: 'merge', path: '/spec/x', value: 1 }],
    ['an inherited name as operation', { op: 'constructor', path: '/spec/x', value: 1 }],
    ['an inherited name as path', { op: 'add', path: '/constructor/x', value: 1 }],
    ['an operation of null', null],
  ])('refuses %s', (_title, operation) => {
    expect(applyJsonPatch(document(), [operation])).toEqual(rejected);
  });

  it('applies all operations or none, and does not modify its input', () => {
    const input = document();
    const patch = [
      { op: 'add', path: '/spec/x', value: { y: [] } },
      { op: 'add', path: '/spec/x/y/-', value: 1 },
      { op: 'test', path: '/spec/x/y/0', value: 2 },
    ];
    const before = structuredClone(patch);
    expect(applyJsonPatch(input, patch)).toEqual(rejected);
    expect(input).toEqual(document());
    expect(applyJsonPatch(input, patch.slice(0, 2)).kind).toBe('patched');
    expect(patch).toEqual(before);
    expect(input).toEqual(document());
  });

  it('replaces the whole document by another object', () => {
    const patch = [{ op: 'replace', path: '', value: { a: 1 } }];
    expect(applyJsonPatch(document(), patch)).toEqual(patched({ a: 1 }));
  });

  it.each<[Json, string]>([
    [{ op: 'add' }, 'json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp'],
    ['x', 'json: cannot unmarshal string into Go value of type []handlers.jsonPatchOp'],
    [['x'], 'json: cannot unmarshal string into Go value of type handlers.jsonPatchOp'],
    [[true], 'json: cannot unmarshal bool into Go value of type handlers.jsonPatchOp'],
  ])('fails to decode %j', (patch, message) => {
    expect(applyJsonPatch(document(), patch)).toEqual({
      kind: 'failed',
      code: 400,
      message: `error decoding patch: ${message}`,
    });
  });

  it('treats null as a patch without operations', () => {
    expect(applyJsonPatch(document(), null)).toEqual(patched(document()));
  });

  it('writes __proto__ as a field', () => {
    const result = applyJsonPatch({}, [{ op: 'add', path: '/__proto__', value: { a: 1 } }]);
    expect(JSON.stringify(result)).toContain('{"__proto__":{"a":1}}');
    const object = result.kind === 'patched' ? result.object : {};
    expect(Object.getOwnPropertyDescriptors(object)).toEqual(
      Object.getOwnPropertyDescriptors(JSON.parse('{"__proto__":{"a":1}}')),
    );
  });

  it('agrees with fast-json-patch on random patches', () => {
    let agreed = 0;
    const beyondTheEnd = [
      { op: 'add', path: '/a/b', value: [] },
      { op: 'move', from: '/a/d', path: '/a/b/1' },
    ];
    expect(applyOracle(beyondTheEnd)).toBeUndefined();
    expect(applyJsonPatch(tree(), beyondTheEnd)).toEqual(rejected);
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 6 }), (operations: Json[]) => {
        const oracle = applyOracle(operations);
        if (oracle === undefined) return;
        agreed++;
        expect(applyJsonPatch(tree(), operations)).toEqual(patched(oracle));
      }),
      { numRuns: 3000, examples: [[beyondTheEnd]] },
    );
    expect(agreed).toBeGreaterThan(300);
  });
});

function at(field: string, change: JsonObject): (object: JsonObject) => void {
  return (object) => {
    object[field] = { ...(object[field] as JsonObject), ...change };
  };
}

function args(...items: string[]): (object: JsonObject) => void {
  return at('spec', { args: items });
}

const tree = (): JsonObject => ({ a: { b: [1, { c: 'x' }, [2]], d: 'y' }, e: [], f: null });

const path = fc.constantFrom(
  '/a',
  '/a/b',
  '/a/b/0',
  '/a/b/1',
  '/a/b/1/c',
  '/a/b/2/0',
  '/a/b/-',
  '/a/d',
  '/e',
  '/e/0',
  '/e/-',
  '/f',
  '/g',
);
const value = fc.constantFrom<Json>(1, 'x', 'y', { c: 'x' }, [2], []);
const operation: fc.Arbitrary<Json> = fc.oneof(
  fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path, value }),
  fc.record({ op: fc.constant('remove'), path }),
  fc.record({ op: fc.constantFrom('move', 'copy'), from: path, path }),
);

/** Result of fast-json-patch; undefined if it refuses. It refuses missing fields that the API server accepts. */
function applyOracle(operations: readonly Json[]): unknown {
  try {
    return (operations as unknown as jsonPatch.Operation[]).reduce(applyStep, tree());
  } catch {
    return undefined;
  }
}

/**
 * Applies one step of a JSON patch by fast-json-patch. A move is a removal and an addition, and a copy is an addition,
 * as in RFC 6902. Both are applied as such, because fast-json-patch checks indexes only in an addition.
 */
function applyStep(whole: Json, step: jsonPatch.Operation): Json {
  const one = structuredClone(step);
  if (one.op !== 'move' && one.op !== 'copy') return applied(whole, one);
  const { op, from, path: to } = one;
  const found = structuredClone(valueAt(whole, from));
  const rest = op === 'copy' ? whole : applied(whole, { op: 'remove', path: from });
  return applied(rest, { op: 'add', path: to, value: found });
}

function applied(whole: Json, one: jsonPatch.Operation): Json {
  const parent = valueAt(whole, one.path.slice(0, one.path.lastIndexOf('/')));
  // fast-json-patch would treat the characters of a string as fields.
  if (typeof parent !== 'object' || parent === null) throw new Error('it has no fields');
  return jsonPatch.applyOperation(whole, one, true, false).newDocument;
}

/** Value at a pointer; throws if there is none. */
function valueAt(whole: Json, pointer: string): Json {
  return pointer
    .split('/')
    .slice(1)
    .reduce((parent, name) => {
      const fields = typeof parent === 'object' && parent !== null ? Object.entries(parent) : [];
      const field = fields.find(([own]) => own === name);
      if (field === undefined) throw new Error(`${pointer} is missing`);
      return field[1];
    }, whole);
}
