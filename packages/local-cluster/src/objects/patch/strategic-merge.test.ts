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

  it('refuses a directive that items do not have', () => {
    const directed = (directive: Json): unknown =>
      patchSpec({ containers: [a] }, { containers: [{ $patch: directive, name: 'a' }] });
    expect(directed('merge')).toEqual(
      failed(500, 'merging lists cannot yet be specified in the patch'),
    );
    expect(directed('foo')).toEqual(
      failed(500, 'unknown patch type: foo in map: map[$patch:foo name:a]'),
    );
  });

  it('deletes an item, and orders the others as $setElementOrder says', () => {
    const patch = {
      '$setElementOrder/containers': [{ name: 'b' }, { name: 'c' }],
      containers: [
        { name: 'a', $patch: 'delete' },
        { name: 'c', image: null },
      ],
    };
    expect(patchSpec({ containers: [a, b] }, patch)).toEqual({ containers: [b, { name: 'c' }] });
  });

  it('creates the list of a patch with an order, without its nulls and directives', () => {
    const patch = {
      '$setElementOrder/containers': [{ name: 'a' }],
      containers: [
        { name: 'a', image: null },
        { name: 'b', $patch: 'delete' },
      ],
    };
    expect(patchSpec({}, patch)).toEqual({ containers: [{ name: 'a' }] });
    const order = { '$setElementOrder/containers': [{ name: 'a' }] };
    expect(patchSpec({}, order)).toStrictEqual({});
  });

  it('refuses an order of objects without a merge key, on which Kubernetes panics', () => {
    const order = { '$setElementOrder/tolerations': [{ key: 'b' }, { key: 'a' }] };
    const refused = failed(
      500,
      'cannot order a list of objects without a merge key: leave out its $setElementOrder',
    );
    expect(patchSpec({ tolerations: [{ key: 'a' }, { key: 'b' }] }, order)).toEqual(refused);
    const patch = { '$setElementOrder/tolerations': [], tolerations: [{ key: 'z' }] };
    expect(patchSpec({}, patch)).toEqual(refused);
    expect(patchSpec({}, order)).toEqual({});
    const empty = { '$setElementOrder/tolerations': [], tolerations: [] };
    expect(patchSpec({}, empty)).toEqual({ tolerations: [] });
  });

  it('replaces an atomic list, also one with an order', () => {
    const args = { name: 'a', '$setElementOrder/args': ['z'], args: ['z'] };
    expect(patchSpec({ containers: [a] }, { containers: [args] })).toEqual({
      containers: [{ ...a, args: ['z'] }],
    });
  });

  it('merges into an empty list', () => {
    const patch = { containers: [{ name: 'a', image: null }] };
    expect(patchSpec({ containers: [] }, patch)).toEqual({ containers: [{ name: 'a' }] });
  });

  it('takes scalars that a list of objects has as their own keys', () => {
    const patch = { '$setElementOrder/containers': ['y', 'x'], containers: ['y'] };
    expect(patchSpec({ containers: ['x'] }, patch)).toEqual({ containers: ['y', 'x'] });
  });

  it('merges in any order where $setElementOrder has no items', () => {
    const patch = { '$setElementOrder/containers': [], containers: [{ name: 'b', image: 'x' }] };
    expect(patchSpec({ containers: [a, b] }, patch)).toEqual({
      containers: [a, { name: 'b', image: 'x' }],
    });
  });

  it('requires the merge key', () => {
    expect(patchSpec({ containers: [a] }, { containers: [{ image: 'x' }] })).toEqual(
      failed(500, 'map: map[image:x] does not contain declared merge key: name'),
    );
  });

  it('refuses items of different kinds, and lists of lists', () => {
    expect(patchSpec({ containers: [{ name: 'a' }] }, { containers: ['x', null] })).toEqual(
      failed(500, 'list element types are not identical: [map[name:a] x <nil>]'),
    );
    expect(patchSpec({ containers: [a] }, { containers: [[]] })).toEqual(
      failed(422, 'lists of lists are not supported'),
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
    const kept = { strategy: { $retainKeys: ['rollingUpdate'] } };
    expect(patchSpec({ strategy }, kept, deployment)).toEqual({
      strategy: { rollingUpdate: { maxSurge: 1 } },
    });
    for (const listed of ['type', 3]) {
      const noList = { strategy: { $retainKeys: listed, type: 'Recreate' } };
      expect(patchSpec({ strategy }, noList, deployment)).toEqual(
        failed(400, 'invalid patch format of retainKeys'),
      );
    }
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
        metadata: { '$deleteFromPrimitiveList/finalizers': ['x'] },
        spec: {
          '$setElementOrder/containers': [{ name: 'a' }],
          containers: [{ name: 'a' }, { name: 'b', $patch: 'delete' }],
          affinity: { $patch: 'delete' },
        },
      },
    };
    expect(patchSpec({}, patch, deployment)).toStrictEqual({
      template: { metadata: {}, spec: { containers: [{ name: 'a' }] } },
    });
  });

  it('replaces a value of another type', () => {
    expect(patchSpec({ selector: 'odd' }, { selector: { a: '1' } }, service)).toEqual({
      selector: { a: '1' },
    });
    expect(patchSpec({ containers: [{ name: 'a' }] }, { containers: { b: null } })).toEqual({
      containers: {},
    });
  });

  it('deletes a field', () => {
    expect(patchSpec({ nodeName: 'n' }, { nodeName: null })).toStrictEqual({});
  });
});
