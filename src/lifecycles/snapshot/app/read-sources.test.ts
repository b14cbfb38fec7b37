import { expect, it } from 'vitest';

import { sampleSnapshot } from '../../../../test/fixtures/snapshot/app-facts.ts';
import type { KubeClient } from '../../../kube/client.ts';
import type { Resource } from '../../../kube/object.ts';
import { persistentVolumeClaims } from '../../../kube/resources.ts';
import { CLAIMS_MAX } from '../schema/limits.ts';
import { readSources } from './read-sources.ts';

it.each([
  [CLAIMS_MAX, CLAIMS_MAX],
  [CLAIMS_MAX + 1, 0],
])(
  'for %i claims reads %i volumes: the plan refuses more claims without them',
  async (count, reads) => {
    const read: string[] = [];
    const claims = Array.from({ length: count }, (_, index) => ({
      metadata: { namespace: 'shop', name: `data-${index}` },
      spec: { volumeName: `pv-${index}` },
    }));
    const client = {
      list: async (resource: Resource) => ({
        items: resource === persistentVolumeClaims ? claims : [],
        resourceVersion: '1',
      }),
      get: async (_: Resource, { name }: { name: string }) => {
        read.push(name);
        return { metadata: { name } };
      },
    } as unknown as KubeClient;
    const source = { selector: { matchLabels: { app: 'db' } } };
    const sources = await readSources(client, sampleSnapshot(undefined, { source }));
    expect([sources.claims.length, read.length]).toEqual([count, reads]);
  },
);
