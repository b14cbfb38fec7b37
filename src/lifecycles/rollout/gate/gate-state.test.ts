import { describe, expect, it } from 'vitest';

import { deploymentOf } from '../../../../test/fixtures/rollout-gate/gate-notation.ts';
import { deepFreeze } from '../../../controller/deep-freeze.ts';
import { ROLLOUT } from '../names.ts';
import { countIn, gateStateOf } from './gate-state.ts';

describe('gateStateOf and countIn', () => {
  it.each([
    ['T1', { gated: false, held: false, rollout: null, labelled: false }],
    ['label r4 l4', { gated: false, held: false, rollout: 4, labelled: true }],
    ['label r5 l4', { gated: true, held: false }],
    ['r5 l4 n0', { gated: true, held: true, wantedReplicas: null }],
    ['r5 l4 n4 w3', { gated: true, held: true, wantedReplicas: 3 }],
    ['r5 l5 n0 w3', { gated: false, held: false }],
    ['r5', { gated: true, released: null }],
  ])('reads the gate of a Deployment written as "%s"', (notation, expected) => {
    expect(gateStateOf(deploymentOf(notation))).toMatchObject(expected);
  });

  it('reads nothing of an object without metadata and spec', () => {
    const none = { labelled: false, rollout: null, released: null, wantedReplicas: null };
    expect(gateStateOf({})).toEqual({ ...none, gated: false, held: false });
  });

  it.each(['', '-1', '01', '1.5', '1e3', ' 1', '2147483648', '99999999999'])(
    'reads "%s" as no count',
    (text) => {
      expect(countIn(text)).toBeNull();
    },
  );

  it('reads an object again while it may still change', () => {
    const metadata = { annotations: { [ROLLOUT]: '1' } };
    const deployment = { metadata };
    expect(gateStateOf(deployment).rollout).toBe(1);
    metadata.annotations[ROLLOUT] = '2';
    expect(gateStateOf(deployment).rollout).toBe(2);
    const frozen = deepFreeze({ metadata: { annotations: { [ROLLOUT]: '3' } } });
    expect(gateStateOf(frozen)).toBe(gateStateOf(frozen));
  });

  it('reads counts from 0 to 2147483647, the range of an int32', () => {
    expect([countIn('0'), countIn('2147483647'), countIn(undefined)]).toEqual([
      0,
      2_147_483_647,
      null,
    ]);
  });
});
