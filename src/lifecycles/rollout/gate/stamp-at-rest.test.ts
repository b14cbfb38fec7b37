import { describe, expect, it } from 'vitest';

import {
  deploymentOf,
  notationOf,
  patched,
} from '../../../../test/fixtures/rollout-gate/gate-notation.ts';
import { templateDigest } from '../template-digest.ts';
import { stampAtRest } from './stamp-at-rest.ts';

const stampedDigest = templateDigest(deploymentOf('T1').spec?.template);

describe('stampAtRest', () => {
  it.each([
    ['nothing for the template that was stamped', 'r4 l4 p T1', null],
    ['another template', 'r4 l4 p T2', 'r5 l4 p n3 T2'],
    ['another template whose writer cleared paused', 'r4 l4 T2', 'r5 l4 p n3 T2'],
    ['another template during a hook', 'r5 l4 p T2', 'r6 l4 p n3 T2'],
    ['another template at zero replicas (ROLL-E15)', 'r4 l4 p n0 T2', 'r5 l4 p n0 w0 T2'],
    ['another template while held (ROLL-C17)', 'r5 l4 p n0 w3 T2', 'r6 l4 p n0 w3 T2'],
    ['another template, scaled while held (ROLL-C15)', 'r5 l4 p n7 w3 T2', 'r6 l4 p n0 w7 T2'],
    ['another template over a count that holds nothing', 'r4 l4 p w4 T2', 'r5 l4 p n3 T2'],
    ['another template at zero over such a count', 'r4 l4 p n0 w4 T2', 'r5 l4 p n0 w0 T2'],
    ['another template of one that was left paused', 'r4 p T2', 'r5 p n3 T2'],
    ['a template of a Deployment that was never stamped', 'T2', 'r2 l1 p n3 T2'],
  ])('stamps %s', (_, notation, expected) => {
    const deployment = deploymentOf(notation);
    const patch = stampAtRest(deployment, stampedDigest);
    expect(patch === null ? null : notationOf(patched(deployment, patch))).toBe(expected);
  });

  it('tests the resourceVersion that was read', () => {
    const [test] = stampAtRest(deploymentOf('r4 l4 T2'), stampedDigest) ?? [];
    expect(test).toEqual({ op: 'test', path: '/metadata/resourceVersion', value: '7' });
  });
});
