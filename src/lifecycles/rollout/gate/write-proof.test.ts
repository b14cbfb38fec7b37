import { describe, expect, it } from 'vitest';

import { deploymentOf } from '../../../../test/fixtures/rollout-gate/gate-notation.ts';
import { WRITE_PROOF } from '../names.ts';
import { isProvenWith, type OwnWrite, proveWith } from './write-proof.ts';

const key = 'k'.repeat(32);
const old = deploymentOf('label r5 l4 p n0 w3 T2');
const release = 'label r5 l5 n3 T2';

/** True: a proof that was signed for the first write is valid for the second one. */
function isOurs(signed: string, stored: string, more: Partial<OwnWrite> = {}): boolean {
  const proof = proveWith(key)({ old, object: deploymentOf(signed) });
  const object = deploymentOf(`${stored} ${WRITE_PROOF}=${proof}`);
  return isProvenWith(key)({ old, object, ...more });
}

describe('a proof of a write (ROLL-G5)', () => {
  it('is accepted for the object, the revision and the state of the gate that it was made for', () => {
    expect(isOurs(release, release)).toBe(true);
  });

  it.each([
    ['replaces another revision', { ...old, metadata: { ...old.metadata, resourceVersion: '6' } }],
    ['replaces another object', { ...old, metadata: { ...old.metadata, uid: 'u-2' } }],
  ])('is rejected when the write %s', (_, replaced) => {
    expect(isOurs(release, release, { old: replaced })).toBe(false);
  });

  it.each([
    ['missing', release],
    ['empty', `${release} ${WRITE_PROOF}=`],
    [
      'made with another key',
      `${release} ${WRITE_PROOF}=${proveWith('other')({ old, object: deploymentOf(release) })}`,
    ],
  ])('is rejected when it is %s', (_, stored) => {
    expect(isProvenWith(key)({ old, object: deploymentOf(stored) })).toBe(false);
  });

  const hold = 'label r5 l4 p n0 w3 T2';
  it.each([
    ['the template of a release', release, 'label r5 l5 n3 T3'],
    ['the label', release, 'r5 l5 n3 T2'],
    ['the number', release, 'label r6 l5 n3 T2'],
    ['the released number', release, 'label r5 l4 n3 T2'],
    ['the wanted count', hold, 'label r5 l4 p n0 w2 T2'],
    ['paused while it is gated', hold, 'label r5 l4 n0 w3 T2'],
    ['the held replicas', hold, 'label r5 l4 p n2 w3 T2'],
  ])('is rejected when another webhook has changed %s (ROLL-L6)', (_, signed, stored) => {
    expect(isOurs(signed, stored)).toBe(false);
  });

  it.each([
    ['an annotation', release, `${release} policy.example/at=7`],
    ['paused of a released template', release, 'label r5 l5 p n3 T2'],
    ['the replicas of a released template', release, 'label r5 l5 n4 T2'],
    ['replicas that are not held', 'label r5 l4 p n3 T1', 'label r5 l4 p n4 T1'],
  ])('is accepted when another webhook has changed %s', (_, signed, stored) => {
    expect(isOurs(signed, stored)).toBe(true);
  });
});
