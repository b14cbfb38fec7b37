import { describe, expect, it } from 'vitest';

import {
  deploymentOf,
  notationOf,
  patched,
} from '../../../../test/fixtures/rollout-gate/gate-notation.ts';
import { stamp } from './stamp.ts';

/** Stored after the record of the wanted count, with the proof of that write. */
const RECORDED = 'label r5 l4 p n2 w2 T2 lifehook.dev/write=record';

describe('a stamp between the record of the wanted count and the 0 of the hold', () => {
  it.each([
    ['wants the 0 of a manifest (ROLL-L5)', 'label n0 T3', 'label r6 l4 p n0 w0 T3'],
    [
      'wants the 0 of a patch, which keeps our annotations',
      'label r5 l4 p n0 w2 T2 lifehook.dev/write=record',
      'label r5 l4 p n0 w0 T2',
    ],
    [
      'wants the 0 of a patch that also changes the template',
      'label r5 l4 p n0 w2 T3 lifehook.dev/write=record',
      'label r6 l4 p n0 w0 T3',
    ],
    [
      'wants the count that a user sets in the annotation',
      'label r5 l4 p n2 w0 T2 lifehook.dev/write=record',
      'label r5 l4 p n0 w0 T2',
    ],
    [
      'wants the count that a user sets in the annotation together with the 0',
      'label r5 l4 p n0 w7 T2 lifehook.dev/write=record',
      'label r5 l4 p n0 w7 T2',
    ],
    [
      'wants the replicas that a user sets together with the annotation (ROLL-C15)',
      'label r5 l4 p n7 w3 T2 lifehook.dev/write=record',
      'label r5 l4 p n0 w7 T2',
    ],
    [
      'keeps the recorded count for a patch of another field',
      'label r5 l4 p n2 w2 T2 lifehook.dev/write=record a=b',
      'label r5 l4 p n0 w2 T2 a=b',
    ],
    [
      'keeps the recorded count if a webhook changes the template in the 0 of the hold (ROLL-M3)',
      'label r5 l4 p n0 w2 T3 lifehook.dev/write=hold',
      'label r6 l4 p n0 w2 T3',
    ],
    [
      'keeps the recorded count if a webhook resumes the 0 of the hold',
      'label r5 l4 n0 w2 T2 lifehook.dev/write=hold',
      'label r5 l4 p n0 w2 T2',
    ],
    [
      'keeps the recorded count if a webhook removes our annotations from the 0 of the hold',
      'label p n0 T2',
      'label r5 l4 p n0 w2 T2',
    ],
    [
      'keeps the recorded count for a paused manifest with 0, which could be the hold without all that is ours',
      'p n0 T2',
      'label r5 l4 p n0 w2 T2',
    ],
    [
      'keeps the recorded count if a webhook resumes what the first call has held',
      'label r5 l4 n0 w2 T2',
      'label r5 l4 p n0 w2 T2',
    ],
  ])('%s', (...[, request, stored]) => {
    expectStored(RECORDED, request, stored);
  });

  it('keeps the recorded count if a webhook removes the proofs of all writes', () => {
    const held = 'label r5 l4 p n0 w2 T2';
    expectStored('label r5 l4 p n2 w2 T2', held, held);
  });

  it('wants the replicas of a manifest that repeats the count of a client (ROLL-C15)', () => {
    expectStored('label r5 l4 p n4 w2 T2', 'label n4 T2', 'label r5 l4 p n0 w4 T2');
  });
});

/** Expects that the gate stores the request so, and changes nothing when the webhook is invoked again. */
function expectStored(old: string, request: string, stored: string): void {
  const input = { old: deploymentOf(old), isNamed: true, isProven: false };
  const object = deploymentOf(request);
  const once = patched(object, stamp({ ...input, object }).patch);
  expect(notationOf(once)).toBe(stored);
  expect(stamp({ ...input, object: once }).patch).toEqual([]);
}
