import { describe, expect, it } from 'vitest';

import {
  deploymentOf,
  notationOf,
  patched,
} from '../../../../test/fixtures/rollout-gate/gate-notation.ts';
import { stamp } from './stamp.ts';

describe('a stamp of a Deployment whose replicas are not held', () => {
  it.each([
    [
      'that a user set between two rollouts',
      'label r4 l4 n3 w5 T1',
      'label r4 l4 n3 w5 T2',
      'label r5 l4 p n3 T2',
    ],
    [
      'that a user set, also at zero replicas (ROLL-C21)',
      'label r4 l4 n0 w5 T1',
      'label r4 l4 n0 w5 T2',
      'label r5 l4 p n0 w0 T2',
    ],
    [
      'that `kubectl rollout undo` restores at zero replicas (ROLL-L5)',
      'label r8 l8 n0 T3',
      'label r5 l4 n0 w3 T1',
      'label r9 l8 p n0 w0 T1',
    ],
  ])('ignores a wanted count %s', (...[, old, request, stored]) => {
    const input = { old: deploymentOf(old), isNamed: true, isProven: false };
    const object = deploymentOf(request);
    const once = patched(object, stamp({ ...input, object }).patch);
    expect(notationOf(once)).toBe(stored);
    expect(stamp({ ...input, object: once }).patch).toEqual([]);
  });
});
