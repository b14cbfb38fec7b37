import { describe, expect, it } from 'vitest';

import type { Json } from '../../../../../src/kube/object.ts';
import { findAll, parseJsonPath } from './json-path.ts';

const object: Json = {
  spec: { size: 3, 'a.b': 'dotted', list: ['x', 'y', 'z'] },
  conditions: [
    { type: 'Ready', status: 'True', n: 1 },
    { type: 'Other', status: 'False' },
  ],
};

const find = (path: string): readonly Json[] | undefined => {
  const steps = parseJsonPath(path);
  return steps === undefined ? undefined : findAll(object, steps);
};

describe('a JSON path', () => {
  it.each<[string, readonly Json[]]>([
    ['.spec.size', [3]],
    ['.spec.none.at.all', []],
    ['.spec.a\\.b', ['dotted']],
    [".spec['a.b']", ['dotted']],
    ['.spec["size"]', [3]],
    ['.spec.list[0]', ['x']],
    ['.spec.list[-1]', ['z']],
    ['.spec.list[9]', []],
    ['.spec.list[*]', ['x', 'y', 'z']],
    ['.conditions[*].type', ['Ready', 'Other']],
    ['.conditions[?(@.type=="Ready")].status', ['True']],
    ['.conditions[?(@.type!="Ready")].status', ['False']],
    [".conditions[?(@.type == 'Other')].status", ['False']],
    ['.conditions[?(@.n==1)].type', ['Ready']],
    ['.constructor', []],
  ])('%s selects %j', (path, expected) => {
    expect(find(path)).toEqual(expected);
  });

  it.each(['.spec[', '.spec[?(@.a<3)]', '.spec[abc]', 'spec'])('%s is invalid', (path) => {
    expect(find(path)).toBeUndefined();
  });

  it('with more than 64 steps is invalid', () => {
    expect(find('.a'.repeat(64))).toEqual([]);
    expect(find('.a'.repeat(65))).toBeUndefined();
  });
});
