import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../../../../src/kube/object.ts';
import { applyJsonPatch } from './json-patch.ts';

describe('applyJsonPatch', () => {
  it('shares with the document what it leaves alone, and changes no value of the patch', () => {
    const left = { a: [{ b: 1 }] };
    const value = { x: { y: [1] } };
    const input = { left, list: [{ n: 1 }, { n: 2 }] };
    const result = applyJsonPatch(input, [
      { op: 'add', path: '/one', value },
      { op: 'add', path: '/two', value },
      { op: 'add', path: '/one/x/y/-', value: 2 },
      { op: 'copy', from: '/one', path: '/three' },
      { op: 'add', path: '/three/x/z', value: 3 },
      { op: 'move', from: '/list/0', path: '/moved' },
      { op: 'replace', path: '/moved/n', value: 4 },
    ]);
    const object = {
      left,
      list: [{ n: 2 }],
      one: { x: { y: [1, 2] } },
      two: { x: { y: [1] } },
      three: { x: { y: [1, 2], z: 3 } },
      moved: { n: 4 },
    };
    expect(result).toEqual({ kind: 'patched', object });
    expect((result as { object: JsonObject }).object['left']).toBe(left);
    expect(value).toEqual({ x: { y: [1] } });
    expect(input).toEqual({ left, list: [{ n: 1 }, { n: 2 }] });
  });
});
