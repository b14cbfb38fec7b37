import type { Node, Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, test } from 'vitest';

import { place, type SchedulingFacts } from './decide.ts';

const node: Node = {
  metadata: { name: 'n1', labels: { disk: 'ssd' } },
  status: { allocatable: { pods: '1k' } },
};

const facts = (
  spec: Partial<NonNullable<Pod['spec']>>,
  more: Partial<SchedulingFacts> = {},
): SchedulingFacts => ({
  pod: { metadata: { name: 'p', namespace: 'd' }, spec: { containers: [], ...spec } },
  nodes: [node],
  podsOn: () => 0,
  claim: () => undefined,
  ...more,
});

describe('a pod', () => {
  test('is bound to the node', () => {
    expect(place(facts({}))).toEqual({ kind: 'bind', node: 'n1' });
    expect(place(facts({ nodeSelector: { disk: 'ssd' } }))).toEqual({ kind: 'bind', node: 'n1' });
  });

  test.each([
    [{ key: 'k', operator: 'Equal', value: 'v', effect: 'NoSchedule' }],
    [{ key: 'k', value: 'v' }],
    [{ key: 'k', operator: 'Exists' }],
    [{ operator: 'Exists' }],
  ])('that tolerates a taint by %j is bound to the node', (toleration) => {
    const spec = { taints: [{ key: 'k', value: 'v', effect: 'NoSchedule' }] };
    expect(place(facts({ tolerations: [toleration] }, { nodes: [{ ...node, spec }] }))).toEqual({
      kind: 'bind',
      node: 'n1',
    });
  });

  test.each([
    [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' }],
    [{ operator: 'Exists' }],
  ])('that tolerates the taint of a cordoned node by %j is bound to it', (toleration) => {
    const taints = [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }];
    for (const spec of [{ unschedulable: true }, { unschedulable: true, taints }]) {
      const more = { nodes: [{ ...node, spec }] };
      expect(place(facts({ tolerations: [toleration] }, more))).toEqual({
        kind: 'bind',
        node: 'n1',
      });
    }
  });

  test('is bound to a node with a PreferNoSchedule taint', () => {
    const spec = { taints: [{ key: 'k', effect: 'PreferNoSchedule' }] };
    expect(place(facts({}, { nodes: [{ ...node, spec }] }))).toEqual({ kind: 'bind', node: 'n1' });
  });

  test.each([
    ['is bound', { nodeName: 'n1' }],
    ['is another scheduler’s', { schedulerName: 'mine' }],
    ['is gated', { schedulingGates: [{ name: 'wait' }] }],
  ])('that %s is ignored', (_, spec) => {
    expect(place(facts(spec))).toEqual({ kind: 'nothing' });
  });

  test.each([
    [
      'its selector',
      { nodeSelector: { disk: 'hdd' } },
      {},
      "1 node(s) didn't match Pod's node affinity/selector.",
    ],
    ['a free pod slot', {}, { podsOn: () => 1_000 }, '1 Too many pods.'],
    [
      'a schedulable node',
      {},
      { nodes: [{ ...node, spec: { unschedulable: true } }] },
      '1 node(s) were unschedulable.',
    ],
    [
      'a node without a taint',
      { tolerations: [{ key: 'k', operator: 'Equal', value: 'other', effect: 'NoSchedule' }] },
      { nodes: [{ ...node, spec: { taints: [{ key: 'k', value: 'v', effect: 'NoSchedule' }] } }] },
      '1 node(s) had untolerated taint {k: v}.',
    ],
    [
      'its claim',
      { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] },
      {},
      'persistentvolumeclaim "data" not found.',
    ],
    [
      'its claim to be bound',
      { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] },
      { claim: () => ({ status: { phase: 'Pending' } }) },
      'pod has unbound immediate PersistentVolumeClaims.',
    ],
  ])('waits for %s, and the message names the reason', (...row) => {
    const [, spec, more, reason] = row;
    expect(place(facts(spec, more))).toEqual({
      kind: 'wait',
      message: `0/1 nodes are available: ${reason}`,
    });
  });
});
