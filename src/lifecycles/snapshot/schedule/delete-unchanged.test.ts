import { expect, it } from 'vitest';

import { ApiError } from '../../../kube/api-error.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { applicationSnapshots } from '../kinds.ts';
import { deleteUnchanged } from './delete-unchanged.ts';

it.each([
  ['another one', { uid: 'later', resourceVersion: '7' }, false],
  ['one that a user has changed', { uid: 'u', resourceVersion: '8' }, false],
  ['the one that was read', { uid: 'u', resourceVersion: '7' }, true],
])('decides about %s under the name', async (_, stored, isDeleted) => {
  const client: Pick<KubeClient, 'delete'> = {
    delete: async (_resource, _key, { preconditions = {} } = {}) => {
      const { uid = stored.uid, resourceVersion = stored.resourceVersion } = preconditions;
      if (uid === stored.uid && resourceVersion === stored.resourceVersion) return null;
      throw new ApiError(409, { reason: 'Conflict' });
    },
  };
  const metadata = { namespace: 'ns', name: 'nightly-1', uid: 'u', resourceVersion: '7' };
  expect(await deleteUnchanged(client, applicationSnapshots, { metadata })).toBe(isDeleted);
});
