import type {
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
} from 'kubernetes-types/core/v1.js';
import { expect, test } from 'vitest';

import { place } from './decide.ts';

const node = {
  metadata: { name: 'n1', labels: { disk: 'ssd', gpus: '2', zone: '' } },
  status: { allocatable: { pods: '10' } },
};

function isPlaced(terms: NodeSelectorTerm[], required = { nodeSelectorTerms: terms }): boolean {
  const affinity = {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required },
  };
  const placement = place({
    pod: { metadata: { name: 'p', namespace: 'd' }, spec: { containers: [], affinity } },
    nodes: [node],
    podsOn: () => 0,
    claim: () => undefined,
  });
  if (placement.kind === 'wait') {
    expect(placement.message).toContain("1 node(s) didn't match Pod's node affinity/selector.");
  }
  return placement.kind === 'bind';
}

test.each<[boolean, NodeSelectorRequirement]>([
  [true, { key: 'disk', operator: 'In', values: ['hdd', 'ssd'] }],
  [false, { key: 'disk', operator: 'In', values: ['hdd'] }],
  [false, { key: 'absent', operator: 'In', values: [''] }],
  [false, { key: 'disk', operator: 'NotIn', values: ['ssd'] }],
  [true, { key: 'absent', operator: 'NotIn', values: ['ssd'] }],
  [true, { key: 'zone', operator: 'Exists' }],
  [false, { key: 'absent', operator: 'Exists' }],
  [true, { key: 'absent', operator: 'DoesNotExist' }],
  [true, { key: 'constructor', operator: 'DoesNotExist' }],
  [false, { key: 'disk', operator: 'DoesNotExist' }],
  [true, { key: 'gpus', operator: 'Gt', values: ['1'] }],
  [false, { key: 'gpus', operator: 'Gt', values: ['2'] }],
  [true, { key: 'gpus', operator: 'Lt', values: ['3'] }],
  [false, { key: 'disk', operator: 'Lt', values: ['3'] }],
  [false, { key: 'zone', operator: 'Lt', values: ['3'] }],
  [false, { key: 'disk', operator: 'Like', values: ['ssd'] }],
])('%j: a pod whose node affinity requires %j', (expected, requirement) => {
  expect(isPlaced([{ matchExpressions: [requirement] }])).toBe(expected);
});

test('a pod needs a node that matches one term of its node affinity completely', () => {
  const ssd = { key: 'disk', operator: 'In', values: ['ssd'] };
  const hdd = { key: 'disk', operator: 'In', values: ['hdd'] };
  const named = (name: string): NodeSelectorRequirement => ({
    key: 'metadata.name',
    operator: 'In',
    values: [name],
  });
  expect(isPlaced([{ matchExpressions: [hdd] }, { matchExpressions: [ssd] }])).toBe(true);
  expect(isPlaced([{ matchExpressions: [ssd, hdd] }])).toBe(false);
  expect(isPlaced([{ matchExpressions: [ssd], matchFields: [named('n1')] }])).toBe(true);
  expect(isPlaced([{ matchExpressions: [ssd], matchFields: [named('n2')] }])).toBe(false);
  expect(isPlaced([{}])).toBe(false);
  expect(isPlaced([], {} as NodeSelector)).toBe(false);
});
