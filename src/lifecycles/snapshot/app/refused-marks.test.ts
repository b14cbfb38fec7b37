/**
 * Snapshots on a server that refuses writes of Lifehook: changes of VolumeSnapshotContents, or an annotation of a hook.
 */
import { expect, it } from 'vitest';

import { failure } from '../../../../test/sim/controller/sim-api.ts';
import type { ChangeClient } from '../../../../test/sim/snapshot/replica.ts';
import { SnapshotStand } from '../../../../test/sim/snapshot/stand.ts';
import { resourceName } from '../../../kube/object.ts';
import { contents, snapshots } from '../../../kube/snapshots.ts';
import { applicationSnapshots } from '../kinds.ts';
import { CUT_RELEASE } from '../names.ts';
import { THAW_PATIENCE_MS } from './thaw-order.ts';

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

/** A client may fill the annotations of a hook until the server refuses one more. */
const refuseReleases: ChangeClient = (client) => ({
  ...client,
  patch: (resource, key, options) =>
    JSON.stringify(options.body).includes(CUT_RELEASE)
      ? Promise.reject(failure(422, 'Invalid', 'metadata.annotations: Too long'))
      : client.patch(resource, key, options),
});

it('thaws at once where the server refuses the annotation of the release (SNAP-S4)', async () => {
  const stand = new SnapshotStand({ replicas: 1, changeClient: refuseReleases });
  const times = { cutMs: 0, thawMs: 0 };
  stand.onSend = ({ verb }) => {
    if (verb === 'thaw') times.thawMs ||= stand.world.elapsedMs;
  };
  stand.api.onCommit(({ resource, object }) => {
    const { status } = object as { status?: { creationTime?: number } };
    if (resource === resourceName(contents) && status?.creationTime !== undefined)
      times.cutMs ||= stand.world.elapsedMs;
  });
  await stand.eventually(() => stand.snapshot?.status?.completedAt !== undefined);
  expect(times.thawMs - times.cutMs).toBeLessThan(THAW_PATIENCE_MS);
  expect(stand.snapshot?.status).toMatchObject({
    failure: {
      reason: 'ReleaseRefused',
      message: expect.stringContaining('the server refuses the release of hook') as string,
    },
    verdict: { value: 'Inconsistent' },
  });
});

type Patch = ReturnType<ChangeClient>['patch'];
const refused: Patch = () => Promise.reject(failure(403, 'Forbidden', 'no right to write marks'));

it.each<[string, (client: Parameters<ChangeClient>[0]) => Patch]>([
  ['that the server refuses', () => refused],
  ['that a webhook removes', (client) => (resource, key) => client.get(resource, key)],
])('waits after a restart for no mark %s (SNAP-S10)', async (_, patchOf) => {
  const marked: readonly string[] = [contents, snapshots].map(resourceName);
  const stand = new SnapshotStand({
    replicas: 1,
    changeClient: (client) => ({
      ...client,
      patch: (resource, key, options) =>
        marked.includes(resourceName(resource))
          ? patchOf(client)(resource, key, options)
          : client.patch(resource, key, options),
    }),
  });
  let isReplaced = false;
  stand.api.onCommit(({ resource, object }) => {
    if (isReplaced || resource !== resourceName(applicationSnapshots)) return;
    const { status } = object as { status?: { phase?: string } };
    isReplaced = status?.phase === 'Completed';
    if (isReplaced) stand.replaceAfter(1_000);
  });
  const isHeld = (): boolean => (stand.snapshot?.metadata?.finalizers ?? []).length > 0;
  await stand.eventually(() => stand.snapshot?.status?.phase === 'Completed');
  expect(isHeld()).toBe(true);
  await stand.eventually(() => !isHeld());
});
