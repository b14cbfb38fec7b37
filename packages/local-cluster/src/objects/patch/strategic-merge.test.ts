import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { builtinType } from '../table/builtin-type.ts';
import type { TypeNode } from '../type-node.ts';
import { applyStrategicMerge } from './strategic-merge.ts';

function typeOf(group: string, kind: string): TypeNode {
  const type = builtinType(group, 'v1', kind);
  if (type === undefined) throw new Error(`no type for ${kind}`);
  return type;
}

const pod = typeOf('', 'Pod');
const service = typeOf('', 'Service');
const deployment = typeOf('apps', 'Deployment');

function patchSpec(spec: JsonObject, patch: Json, type: TypeNode = pod): unknown {
  const result = applyStrategicMerge({ document: { spec }, patch: { spec: patch }, type });
  return result.kind === 'patched' ? result.object['spec'] : result;
}

const failed = (code: number, message: string): object => ({ kind: 'failed', code, message });

describe('applyStrategicMerge of a list of objects', () => {
  const a = { name: 'a', image: 'one', args: ['x', 'y'] };
  const b = { name: 'b', image: 'two' };

  it('merges items by their key, replaces atomic lists, and puts new items first', () => {
    const patch = {
      containers: [
        { name: 'c', image: 'three' },
        { name: 'a', args: ['z'] },
      ],
    };
    expect(patchSpec({ containers: [a, b] }, patch)).toEqual({
      containers: [{ name: 'c', image: 'three' }, { ...a, args: ['z'] }, b],
    });
  });

  it('deletes an item, and a field of an item', () => {
    const patch = {
      containers: [
        { name: 'b', $patch: 'delete' },
        { name: 'a', args: null },
      ],
    };
    expect(patchSpec({ containers: [a, b] }, patch)).toEqual({
      containers: [{ name: 'a', image: 'one' }],
    });
  });

  it('replaces the whole list with $patch: replace', () => {
    const patch = { containers: [{ $patch: 'replace' }, { name: 'c', image: null }] };
    expect(patchSpec({ containers: [a, b] }, patch)).toEqual({ containers: [{ name: 'c' }] });
  });

  it('merges into the first of two items with the same key', () => {
    const ports = [
      { containerPort: 53, protocol: 'TCP', name: 't' },
      { containerPort: 53, protocol: 'UDP', name: 'u' },
    ];
    const patch = { containers: [{ name: 'a', ports: [{ containerPort: 53, protocol: 'UDP' }] }] };
    expect(patchSpec({ containers: [{ name: 'a', ports }] }, patch)).toEqual({
      containers: [{ name: 'a', ports: [{ ...ports[0], protocol: 'UDP' }, ports[1]] }],
    });
  });

  it('uses the order of $setElementOrder, and keeps other items in place', () => {
    const named = (...names: string[]): JsonObject[] => names.map((name) => ({ name }));
    const patch = {
      '$setElementOrder/containers': named('d', 'b', 'a'),
      containers: [{ name: 'd', image: 'new' }],
    };
    expect(patchSpec({ containers: named('a', 'x', 'b', 'y') }, patch)).toEqual({
      containers: [{ name: 'd', image: 'new' }, ...named('x', 'b', 'a', 'y')],
    });
    expect(
      patchSpec(
        { containers: named('a', 'b') },
        { '$setElementOrder/containers': named('b', 'a') },
      ),
    ).toEqual({ containers: named('b', 'a') });
    const strayed = {
      '$setElementOrder/containers': named('a'),
      containers: named('b'),
    };
    expect(patchSpec({ containers: named('a') }, strayed)).toEqual(
      failed(
        500,
        "The order in patch list:\n[map[name:b]]\n doesn't match $setElementOrder list:\n[map[name:a]]\n",
      ),
    );
  });

  it('requires the merge key', () => {
    expect(patchSpec({ containers: [a] }, { containers: [{ image: 'x' }] })).toEqual(
      failed(500, 'map: map[image:x] does not contain declared merge key: name'),
    );
  });

  it('refuses items of different kinds, and lists of lists', () => {
    expect(patchSpec({ containers: [a] }, { containers: ['x'] })).toMatchObject({ code: 500 });
    expect(patchSpec({ containers: [a] }, { containers: [[]] })).toEqual(
      failed(422, 'lists of lists are not supported'),
    );
  });
});

describe('applyStrategicMerge of a list of scalars', () => {
  const finalize = (finalizers: Json, patch: Json): unknown => {
    const document = { metadata: { finalizers } };
    const result = applyStrategicMerge({ document, patch: { metadata: patch }, type: pod });
    return result.kind === 'patched' ? result.object['metadata'] : result;
  };

  it('adds missing values', () => {
    expect(finalize(['a', 'b'], { finalizers: ['c', 'b'] })).toEqual({
      finalizers: ['c', 'a', 'b'],
    });
  });

  it('deletes the values of $deleteFromPrimitiveList', () => {
    expect(finalize(['a', 'b'], { '$deleteFromPrimitiveList/finalizers': ['b', 'x'] })).toEqual({
      finalizers: ['a'],
    });
    expect(finalize(['a'], { $deleteFromPrimitiveListfinalizers: ['a'] })).toEqual(
      failed(400, 'invalid patch format of primitive list'),
    );
  });

  it('orders the values with $setElementOrder', () => {
    const patch = { '$setElementOrder/finalizers': ['c', 'a'], finalizers: ['c'] };
    expect(finalize(['a', 'b'], patch)).toEqual({ finalizers: ['c', 'a', 'b'] });
    expect(finalize(['a'], { '$setElementOrder/finalizers': 3 })).toEqual(
      failed(500, 'expected a []interface {}, but received a int64'),
    );
  });
});

describe('applyStrategicMerge of objects', () => {
  it('merges maps, deletes null fields, and drops nulls of new objects', () => {
    const patch = { selector: { b: '3', a: null }, sessionAffinityConfig: { clientIP: null } };
    expect(patchSpec({ selector: { a: '1', b: '2', c: '4' } }, patch, service)).toEqual({
      selector: { b: '3', c: '4' },
      sessionAffinityConfig: {},
    });
  });

  it('replaces or empties an object with $patch', () => {
    const selector = { a: '1' };
    const replace = { selector: { $patch: 'replace', b: '2' } };
    expect(patchSpec({ selector }, replace, service)).toEqual({ selector: { b: '2' } });
    expect(patchSpec({ selector }, { selector: { $patch: 'delete' } }, service)).toEqual({
      selector: {},
    });
    expect(patchSpec({}, { selector: { $patch: 'delete' } }, service)).toEqual({});
    expect(patchSpec({ selector }, { selector: { $patch: 'foo', x: {} } }, service)).toEqual(
      failed(500, 'unknown patch type: foo in map: map[$patch:foo x:map[]]'),
    );
  });

  it('keeps only the keys of $retainKeys', () => {
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } };
    const patch = { strategy: { $retainKeys: ['type'], type: 'Recreate', rollingUpdate: null } };
    expect(patchSpec({ strategy }, patch, deployment)).toEqual({ strategy: { type: 'Recreate' } });
    const stray = { strategy: { $retainKeys: ['rollingUpdate'], type: 'Recreate' } };
    expect(patchSpec({ strategy }, stray, deployment)).toEqual(
      failed(400, 'invalid patch format of retainKeys'),
    );
  });

  it('replaces a volume source with $retainKeys in a merged item', () => {
    const volumes = [{ name: 'v', emptyDir: {} }];
    const patch = {
      volumes: [{ name: 'v', $retainKeys: ['name', 'secret'], secret: { secretName: 's' } }],
    };
    expect(patchSpec({ volumes }, patch)).toEqual({
      volumes: [{ name: 'v', secret: { secretName: 's' } }],
    });
  });

  it('removes directives from new objects', () => {
    const patch = {
      template: {
        spec: {
          '$setElementOrder/containers': [{ name: 'a' }],
          containers: [{ name: 'a' }, { name: 'b', $patch: 'delete' }],
        },
      },
    };
    expect(patchSpec({}, patch, deployment)).toEqual({
      template: { spec: { containers: [{ name: 'a' }] } },
    });
  });

  it('replaces a value of another type', () => {
    expect(patchSpec({ selector: 'odd' }, { selector: { a: '1' } }, service)).toEqual({
      selector: { a: '1' },
    });
  });
});

describe('applyStrategicMerge', () => {
  it('refuses custom resources, and a patch that is not an object', () => {
    const custom: TypeNode = { ...(pod as Extract<TypeNode, { kind: 'struct' }>), typeName: '' };
    for (const type of [custom, { kind: 'any' } as const]) {
      expect(applyStrategicMerge({ document: {}, patch: {}, type })).toMatchObject({ code: 415 });
    }
    expect(applyStrategicMerge({ document: {}, patch: [1], type: pod })).toEqual(
      failed(400, 'json: cannot unmarshal array into Go value of type map[string]interface {}'),
    );
    expect(applyStrategicMerge({ document: { a: 1 }, patch: null, type: pod })).toEqual({
      kind: 'patched',
      object: { a: 1 },
    });
  });

  it('does not modify its input', () => {
    const document = Object.freeze({
      spec: Object.freeze({ containers: Object.freeze([Object.freeze({ name: 'a' })]) }),
    }) as unknown as JsonObject;
    const patch = { spec: { containers: [{ name: 'a', image: 'x' }, { name: 'b' }] } };
    const before = structuredClone(patch);
    applyStrategicMerge({ document, patch, type: pod });
    expect(document).toEqual({ spec: { containers: [{ name: 'a' }] } });
    expect(patch).toEqual(before);
  });
});
