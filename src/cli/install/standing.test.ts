import { describe, expect, it } from 'vitest';

import type { ContainerStatus } from '../../lifecycles/snapshot/kinds.ts';
import { type Standing, whatHolds } from './standing.ts';

const NOTHING: Standing = {
  lifecycles: [],
  snapshots: [],
  hooks: [],
  gated: [],
  sets: [],
  hookPods: [],
};

function gated(annotations: Record<string, string>): Standing['gated'] {
  return [
    {
      metadata: {
        namespace: 'shop',
        name: 'web',
        labels: { 'lifehook.dev/gated': 'true' },
        annotations,
      },
    },
  ];
}

describe('whatHolds', () => {
  it('returns nothing when there are no objects', () => {
    expect(whatHolds(NOTHING)).toEqual([]);
  });

  it('lists each hook, with the containers that it keeps frozen', () => {
    const frozen: Partial<ContainerStatus> = {
      podName: 'db-0',
      containerName: 'db',
      preActionStatus: { actionTimestamp: '2026-01-01T00:00:00.000000Z' },
    };
    const hooks = [
      {
        metadata: { namespace: 'shop', name: 'night' },
        spec: {},
        status: { containerExecutionHookStatuses: [frozen as ContainerStatus] },
      },
      { metadata: { namespace: 'shop', name: 'idle' }, spec: {} },
    ] as Standing['hooks'];
    expect(whatHolds({ ...NOTHING, hooks })).toEqual([
      'ExecutionHook shop/night, which holds db-0/db frozen',
      'ExecutionHook shop/idle',
    ]);
  });

  it('says how a hook ends whose thaw nothing proves', () => {
    const unproven: Partial<ContainerStatus> = {
      podName: 'db-0',
      containerName: 'db',
      preActionStatus: { actionTimestamp: '2026-01-01T00:00:00.000000Z' },
      thawUnproven: { reason: 'its container ended', at: '2026-01-01T00:01:00.000000Z' },
    };
    const status = { containerExecutionHookStatuses: [unproven as ContainerStatus] };
    const hooks = [{ metadata: { namespace: 'shop', name: 'night' }, spec: {}, status }];
    expect(whatHolds({ ...NOTHING, hooks })[0]).toContain(
      'lifehook snapshot release night -n shop --by YOU',
    );
  });

  it.each([
    [{}, []],
    [{ 'lifehook.dev/rollout': '3', 'lifehook.dev/released': '3' }, []],
    [{ 'lifehook.dev/rollout': '3', 'lifehook.dev/released': '2' }, ['held']],
    [{ 'lifehook.dev/rollout': '3' }, ['held']],
    [
      {
        'lifehook.dev/rollout': '3',
        'lifehook.dev/released': '3',
        'lifehook.dev/wanted-replicas': '2',
      },
      ['held'],
    ],
  ])('lists a Deployment with %j: %j', (annotations, expected) => {
    const lines = whatHolds({ ...NOTHING, gated: gated(annotations) });
    expect(lines).toEqual(expected.map(() => 'Deployment shop/web, whose rollout is held'));
  });

  it('lists a pod of a hook while it has our finalizer', () => {
    const metadata = { namespace: 'shop', name: 'web-1-pre-1' };
    const held = { metadata: { ...metadata, finalizers: ['lifehook.dev/hook-run'] } };
    const done = { metadata: { ...metadata, finalizers: ['example.com/other'] } };
    expect(whatHolds({ ...NOTHING, hookPods: [held, done] })).toEqual([
      'Pod shop/web-1-pre-1 of a hook',
    ]);
  });
});
