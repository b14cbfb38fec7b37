import { expect, it } from 'vitest';

import { ApiError } from '../../../kube/api-error.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { pods } from '../../../kube/resources.ts';
import { deleteIfSame } from './delete-if-same.ts';

it('deletes no later object of the same name, and takes a deleted one as done', async () => {
  let uid: string | null = 'of the later one';
  const deleted: string[] = [];
  const client: Pick<KubeClient, 'delete'> = {
    delete: async (_resource, { name }, { preconditions = {} } = {}) => {
      if (uid === null) throw new ApiError(404, { reason: 'NotFound' });
      if ((preconditions.uid ?? uid) !== uid) throw new ApiError(409, { reason: 'Conflict' });
      deleted.push(name);
      return null;
    },
  };
  const pod = { metadata: { namespace: 'ns', name: 'hook', uid: 'u' } };
  await deleteIfSame(client as KubeClient, pods, pod);
  uid = null;
  await deleteIfSame(client as KubeClient, pods, pod);
  expect(deleted).toEqual([]);
  uid = 'u';
  await deleteIfSame(client as KubeClient, pods, pod);
  expect(deleted).toEqual(['hook']);
});
