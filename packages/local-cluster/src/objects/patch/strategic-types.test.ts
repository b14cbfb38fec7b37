import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { builtinType } from '../table/builtin-type.ts';
import type { StructNode, TypeNode } from '../type-node.ts';
import { MAX_DEPTH } from './json-value.ts';
import { applyStrategicMerge } from './strategic-merge.ts';

const pod = builtinType('', 'v1', 'Pod') ?? { kind: 'any' as const };

function patchSpec(spec: JsonObject, patch: Json): unknown {
  const result = applyStrategicMerge({ document: { spec }, patch: { spec: patch }, type: pod });
  return result.kind === 'patched' ? result.object['spec'] : result;
}

const failed = (code: number, message: string): object => ({ kind: 'failed', code, message });

describe('applyStrategicMerge of values with and without a type', () => {
  it('refuses custom resources, and a patch that is not an object', () => {
    const custom: TypeNode = { ...(pod as Extract<TypeNode, { kind: 'struct' }>), typeName: '' };
    for (const type of [custom, { kind: 'any' } as const]) {
      expect(applyStrategicMerge({ document: {}, patch: {}, type })).toEqual(
        failed(
          415,
          'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
        ),
      );
    }
    expect(applyStrategicMerge({ document: {}, patch: [1], type: pod })).toEqual(
      failed(400, 'json: cannot unmarshal array into Go value of type map[string]interface {}'),
    );
    expect(applyStrategicMerge({ document: { a: 1 }, patch: null, type: pod })).toEqual({
      kind: 'patched',
      object: { a: 1 },
    });
  });

  it('refuses a field that the type does not have, where it would merge', () => {
    const unknown = failed(
      500,
      'unable to find api field in struct PodSpec for the json field "nope"',
    );
    expect(patchSpec({ nope: { a: 1 } }, { nope: { b: 2 } })).toEqual(unknown);
    expect(patchSpec({ nope: [1] }, { nope: [2] })).toEqual(unknown);
    expect(patchSpec({}, { nope: { b: 2 } })).toEqual({ nope: { b: 2 } });
  });

  it('merges the values of a map, and a list without a type is replaced', () => {
    const labels = { a: { x: '1' } };
    expect(patchSpec({ nodeSelector: labels }, { nodeSelector: { a: { y: '2' } } })).toEqual({
      nodeSelector: { a: { x: '1', y: '2' } },
    });
    const odd = { a: { list: [1] } };
    expect(patchSpec({ nodeSelector: odd }, { nodeSelector: { a: { list: [2] } } })).toEqual({
      nodeSelector: { a: { list: [2] } },
    });
  });

  it('orders and replaces a list of which no type is known', () => {
    const patch = { a: { b: { '$setElementOrder/list': [3, 2], list: [3, 2] } } };
    expect(
      patchSpec({ nodeSelector: { a: { b: { list: [1, 2] } } } }, { nodeSelector: patch }),
    ).toEqual({ nodeSelector: { a: { b: { list: [3, 2] } } } });
  });

  it('merges the lists of a map by the type of its values', () => {
    const spec = pod.kind === 'struct' ? pod.field('spec') : undefined;
    const containers = spec?.kind === 'struct' ? spec.field('containers') : undefined;
    const values = containers ?? { kind: 'any' as const };
    const map: TypeNode = { kind: 'map', values, atomic: false };
    const type: TypeNode = { ...(pod as StructNode), field: () => map };
    const result = applyStrategicMerge({
      document: { byTeam: { a: [{ name: 'x', image: 'one' }] } },
      patch: { byTeam: { a: [{ name: 'x', tty: true }] } },
      type,
    });
    expect(result).toEqual({
      kind: 'patched',
      object: { byTeam: { a: [{ name: 'x', image: 'one', tty: true }] } },
    });
  });

  it('refuses a patch that is nested too deeply', () => {
    const deep = Array.from({ length: MAX_DEPTH }).reduce<Json>((inner) => ({ a: inner }), {});
    expect(patchSpec({}, deep)).toEqual(failed(400, 'exceeded max depth'));
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
