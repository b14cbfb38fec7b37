import type { Deployment } from 'kubernetes-types/apps/v1.js';
import { describe, expect, test } from 'vitest';

import { machineFacts } from '../../../../test/fixtures/rollout/machine-facts.ts';
import { isLeftHeld, marksOf, replicasAfterHold } from './marks.ts';
import { availableOf, isPaused, nameOf, replicasOf, uidOf } from './parts.ts';

const NONE = {
  labelled: false,
  number: null,
  released: 0,
  wanted: null,
  retry: null,
  abort: null,
} as const;

function marked(annotations: Record<string, string>, labelled = false): Deployment {
  return machineFacts({ annotations, labelled }).deployment;
}

describe('the marks of a Deployment', () => {
  test('are read from its annotations and its label', () => {
    const annotations = {
      rollout: '5',
      released: '4',
      'wanted-replicas': '3',
      retry: '2',
      abort: '1',
    };
    expect(marksOf(marked(annotations, true))).toEqual({
      labelled: true,
      number: 5,
      released: 4,
      wanted: 3,
      retry: 2,
      abort: 1,
    });
  });

  test('are none without annotations', () => {
    expect(marksOf(marked({}))).toEqual(NONE);
    expect(marksOf({})).toEqual(NONE);
  });

  test.each(['five', '-1', '1.5', '05', ' 5', '2147483648'])('do not count %j', (text) => {
    const annotations = { rollout: text, released: text, retry: text, abort: text };
    expect(marksOf(marked({ ...annotations, 'wanted-replicas': text }))).toEqual(NONE);
  });
});

describe('a Deployment was left paused by a deleted lifecycle', () => {
  test.each<[string, Record<string, string>, boolean]>([
    ['if it has a number and nothing was released', { rollout: '2' }, true],
    ['not if a number is released', { rollout: '2', released: '1' }, false],
    ['not if it was never stamped', {}, false],
  ])('%s', (...[, annotations, left]) => {
    expect(isLeftHeld(marked(annotations))).toBe(left);
  });
});

test('what an object does not say is as Kubernetes has it', () => {
  expect([replicasOf({}), replicasOf({ spec: { replicas: 0, selector: {} } })]).toEqual([1, 0]);
  expect([availableOf({}), isPaused({}), uidOf({}), nameOf({})]).toEqual([0, false, '', '']);
});

test.each([
  ['the wanted count of what is held', { 'wanted-replicas': '3' }, 0, 3],
  ['what it was scaled to past the gate', { 'wanted-replicas': '3' }, 1, 1],
  ['nothing where nothing is held', {}, 2, null],
])('the replicas after a hold are %s (ROLL-L16)', (...[, annotations, replicas, expected]) => {
  const { deployment } = machineFacts({ annotations, spec: { replicas } });
  expect(replicasAfterHold(deployment)).toBe(expected);
});
