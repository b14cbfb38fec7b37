import { expect, it } from 'vitest';

import { failure } from '../../../../test/sim/controller/sim-api.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { gatherObjects } from './gather-objects.ts';

const infos = [{ executionHookTemplateName: 'freeze' }];
const SPECS: Readonly<Record<string, object>> = {
  SnapshotSchedule: { snapshotTemplate: { spec: { executionHookInfos: infos } } },
  SnapshotGuard: { executionHookInfos: infos },
};

it('gatherObjects finds the templates that schedules and guards refer to', async () => {
  const client = {
    list: ({ kind }: { kind: string }) => {
      const spec = SPECS[kind];
      const metadata = { namespace: 'shop', name: 'nightly' };
      return Promise.resolve({ items: spec === undefined ? [] : [{ metadata, spec }] });
    },
    get: () => Promise.reject(failure(404, 'NotFound', 'there is none')),
  } as unknown as KubeClient;
  const { templates } = await gatherObjects(client, { namespace: 'shop', isOnly: true });
  const reference = { namespace: 'shop', template: 'freeze', found: { kind: 'absent' } };
  expect(templates).toEqual([
    { ...reference, by: 'SnapshotSchedule nightly' },
    { ...reference, by: 'SnapshotGuard nightly' },
  ]);
});
