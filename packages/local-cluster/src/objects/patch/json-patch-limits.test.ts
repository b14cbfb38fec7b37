import { describe, expect, it } from 'vitest';

import type { Json } from '../../../../../src/kube/object.ts';
import { applyJsonPatch, MAX_COPIED_BYTES, MAX_OPERATIONS } from './json-patch.ts';
import { MAX_DEPTH } from './json-value.ts';
import { REJECTED as rejected } from './patch-result.ts';

describe('applyJsonPatch', () => {
  it('limits the number of operations, the copied bytes and the depth', () => {
    const many = Array.from({ length: MAX_OPERATIONS + 1 }, () => ({ op: 'test', path: '/x' }));
    expect(applyJsonPatch({}, many.slice(1)).kind).toBe('patched');
    expect(applyJsonPatch({}, many)).toMatchObject({
      code: 413,
      message: 'The allowed maximum operations in a JSON patch is 10000, got 10001',
    });
    const half = 'x'.repeat(MAX_COPIED_BYTES / 2);
    const copy = { op: 'copy', from: '/half', path: '/other' };
    expect(applyJsonPatch({ half }, [copy]).kind).toBe('patched');
    expect(applyJsonPatch({ half }, [copy, copy])).toEqual(rejected);
    const withQuotes = 'x'.repeat(MAX_COPIED_BYTES / 2 - 2);
    expect(applyJsonPatch({ half: withQuotes }, [copy, copy]).kind).toBe('patched');
    const nest = Array.from({ length: MAX_DEPTH }, (_, depth) => ({
      op: 'add',
      path: '/a'.repeat(depth + 1),
      value: {},
    }));
    expect(applyJsonPatch({}, nest).kind).toBe('patched');
    const tooDeep = { op: 'add', path: '/a'.repeat(MAX_DEPTH + 1), value: {} };
    expect(applyJsonPatch({}, [...nest, tooDeep])).toEqual(rejected);
  });

  it('counts the operations that it applied and the bytes that they copied', () => {
    const progress = { applied: 0, copiedBytes: 0 };
    const operations = [
      { op: 'add', path: '/a', value: 'xy' },
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'remove', path: '/absent' },
      { op: 'remove', path: '/a' },
    ];
    expect(applyJsonPatch({}, operations, progress)).toEqual(rejected);
    expect(progress).toEqual({ applied: 2, copiedBytes: '"xy"'.length });
  });

  it('refuses values too deep to compare or to copy, although no such value stays', () => {
    const deep = (): Json =>
      Array.from({ length: 100_000 }).reduce<Json>((inner) => ({ a: inner }), {});
    const compared = [
      { op: 'add', path: '/x', value: deep() },
      { op: 'test', path: '/x', value: deep() },
      { op: 'remove', path: '/x' },
    ];
    expect(applyJsonPatch({}, compared)).toEqual(rejected);
    const doubled = Array.from({ length: 17 }, (_, round) => ({
      op: 'copy',
      from: '/a',
      path: '/a'.repeat(2 ** round + 1),
    }));
    expect(applyJsonPatch({ a: {} }, [...doubled, { op: 'remove', path: '/a' }])).toEqual(rejected);
  });
});
