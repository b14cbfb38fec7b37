import { describe, expect, it } from 'vitest';

import { type RolloutStanding, whatRolloutsHold } from './uninstall-part.ts';

const NOTHING: RolloutStanding = { lifecycles: [], gated: [], sets: [], hookPods: [] };

function gated(annotations: Record<string, string>): RolloutStanding['gated'] {
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

describe('whatRolloutsHold', () => {
  it('returns nothing when there are no objects', () => {
    expect(whatRolloutsHold(NOTHING)).toEqual([]);
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
    const lines = whatRolloutsHold({ ...NOTHING, gated: gated(annotations) });
    expect(lines).toEqual(expected.map(() => 'Deployment shop/web, whose rollout is held'));
  });

  it('lists a pod of a hook while it has our finalizer', () => {
    const metadata = { namespace: 'shop', name: 'web-1-pre-1' };
    const held = { metadata: { ...metadata, finalizers: ['lifehook.dev/hook-run'] } };
    const done = { metadata: { ...metadata, finalizers: ['example.com/other'] } };
    expect(whatRolloutsHold({ ...NOTHING, hookPods: [held, done] })).toEqual([
      'Pod shop/web-1-pre-1 of a hook',
    ]);
  });
});
