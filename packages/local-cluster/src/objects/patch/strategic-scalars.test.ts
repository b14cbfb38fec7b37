import { describe, expect, it } from 'vitest';

import type { Json } from '../../../../../src/kube/object.ts';
import { builtinType } from '../table/builtin-type.ts';
import { applyStrategicMerge } from './strategic-merge.ts';

const pod = builtinType('', 'v1', 'Pod') ?? { kind: 'any' as const };
const failed = (code: number, message: string): object => ({ kind: 'failed', code, message });

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

  it('orders a repeated value by its first place', () => {
    expect(finalize(['a'], { finalizers: ['c', 'b', 'c'] })).toEqual({
      finalizers: ['c', 'b', 'a'],
    });
  });

  it('refuses objects, which have no merge key here', () => {
    expect(finalize([{ a: 1 }], { finalizers: [{ a: 2 }] })).toEqual(
      failed(500, 'cannot merge lists without merge key for struct'),
    );
  });

  it('deletes the values of $deleteFromPrimitiveList', () => {
    expect(finalize(['a', 'b'], { '$deleteFromPrimitiveList/finalizers': ['b', 'x'] })).toEqual({
      finalizers: ['a'],
    });
    expect(finalize(['a'], { $deleteFromPrimitiveListfinalizers: ['a'] })).toEqual(
      failed(400, 'invalid patch format of primitive list'),
    );
    const all = { '$deleteFromPrimitiveList/finalizers': null };
    expect(finalize(['a'], all)).toEqual({});
    const others = { '$deleteFromPrimitiveList/finalizers': 'a' };
    expect(finalize(['a'], others)).toEqual({ finalizers: ['a'] });
    expect(finalize('odd', { '$deleteFromPrimitiveList/finalizers': ['o'] })).toEqual({
      finalizers: 'odd',
    });
  });

  it('orders the values with $setElementOrder', () => {
    const patch = { '$setElementOrder/finalizers': ['c', 'a'], finalizers: ['c'] };
    expect(finalize(['a', 'b'], patch)).toEqual({ finalizers: ['c', 'a', 'b'] });
    expect(finalize(['b', 'c', 'a'], { '$setElementOrder/finalizers': ['a', 'b', 'c'] })).toEqual({
      finalizers: ['a', 'b', 'c'],
    });
    expect(finalize(['a'], { '$setElementOrder/finalizers': 3 })).toEqual(
      failed(500, 'expected a []interface {}, but received a int64'),
    );
    expect(finalize(['a'], { $setElementOrderfinalizers: ['a'] })).toEqual(
      failed(400, 'invalid patch format of setElementOrder list'),
    );
  });
});
