/** A failed snapshot on a server that lets no client write contents: marks are refused. */
import { it } from 'vitest';

import { failure } from '../../../../test/sim/controller/sim-api.ts';
import type { ChangeClient } from '../../../../test/sim/snapshot/replica.ts';
import { SnapshotStand } from '../../../../test/sim/snapshot/stand.ts';
import { resourceName } from '../../../kube/object.ts';
import { contents, snapshots } from '../../../kube/snapshots.ts';
import { CUT_RELEASE } from '../names.ts';

const refuseMarks: ChangeClient = (client) => ({
  ...client,
  patch: (resource, key, options) => {
    if (JSON.stringify(options.body).includes(CUT_RELEASE))
      return Promise.reject(failure(500, 'InternalError', 'failed calling webhook'));
    return resourceName(resource) === resourceName(contents)
      ? Promise.reject(failure(403, 'Forbidden', 'no right to write contents'))
      : client.patch(resource, key, options);
  },
});

it('ends nevertheless, and its VolumeSnapshots are deleted (SNAP-S7)', async () => {
  const stand = new SnapshotStand({ replicas: 1, changeClient: refuseMarks });
  await stand.eventually(() => stand.snapshot?.status?.failure !== undefined, 900_000);
  await stand.eventually(() => stand.snapshot?.status?.completedAt !== undefined, 900_000);
  await stand.eventually(() => stand.api.peek(snapshots).length === 0, 60_000);
});
