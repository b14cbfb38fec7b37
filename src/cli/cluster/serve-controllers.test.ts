import { expect, it } from 'vitest';

import { ApiStand } from '../../../packages/local-cluster/src/testing.ts';
import { makeKubeClient } from '../../kube/make-client.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { installKinds } from './serve-controllers.ts';
import kinds from './lifehook-kinds.json' with { type: 'json' };

it('installKinds resolves once the cluster serves every kind, so that kubectl finds them after an up', async () => {
  const stand = await ApiStand.open();
  try {
    const { transport } = stand;
    const platform = nodePlatform;
    await installKinds(
      makeKubeClient({ transport, platform, userAgent: 'test', random: () => 0.5 }),
    );
    const { body } = await stand.call('/apis/lifehook.dev/v1alpha1');
    const served = body['resources'] as unknown as readonly { kind: string }[];
    const names = new Set(served.map(({ kind }) => kind));
    expect(kinds.map(({ spec }) => spec.names.kind).filter((kind) => !names.has(kind))).toEqual([]);
  } finally {
    await stand.close();
  }
});
