import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';
import { expect, it } from 'vitest';

import { makersBehind } from './gather.ts';

const deployment = (generation: number, observedGeneration: number): Deployment => ({
  metadata: { name: 'web', uid: 'd', generation },
  status: { observedGeneration },
});
const set = (
  name: string,
  more: { replicas?: number; observed?: number; owner?: string },
): ReplicaSet => {
  const { replicas = 0, observed = 3, owner = 'd' } = more;
  const owning = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    name: 'web',
    uid: owner,
    controller: true,
  };
  return {
    metadata: { name, generation: 3, ownerReferences: [owning] },
    spec: { replicas, selector: {} },
    status: { replicas: 0, observedGeneration: observed },
  };
};

it.each<[string, [Deployment, ReplicaSet[]], string[]]>([
  ['names nobody when all have seen the zero', [deployment(2, 2), [set('a', {})]], []],
  [
    'names a Deployment whose controller is behind',
    [deployment(2, 1), [set('a', {})]],
    ['Deployment web'],
  ],
  [
    'names a ReplicaSet whose controller is behind',
    [deployment(2, 2), [set('a', {}), set('b', { observed: 2 })]],
    ['ReplicaSet b'],
  ],
  [
    'names a ReplicaSet that is to have pods',
    [deployment(2, 2), [set('a', { replicas: 1 })]],
    ['ReplicaSet a'],
  ],
  [
    'leaves out ReplicaSets without a controller',
    [deployment(2, 2), [{ metadata: { name: 'c' }, spec: { replicas: 1, selector: {} } }]],
    [],
  ],
  [
    'leaves out the ReplicaSets of others',
    [deployment(2, 2), [set('a', { replicas: 1, owner: 'e' })]],
    [],
  ],
])('%s', (_, seen, expected) => {
  expect(makersBehind(...seen)).toEqual(expected);
});
