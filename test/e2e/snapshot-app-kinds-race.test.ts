/**
 * The server reports that a kind of volume snapshots is not served, or is being deleted, while the watch of that kind
 * still runs. Real servers keep watches of a deleted definition open for a second or more.
 */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';

import { findCondition } from '../../src/controller/conditions.ts';
import { ApiError } from '../../src/kube/api-error.ts';
import type { KubeClient } from '../../src/kube/client.ts';
import type { Resource } from '../../src/kube/object.ts';
import { classes, groupClasses, groupSnapshots, snapshots } from '../../src/kube/snapshots.ts';
import type { ApplicationSnapshotSpec } from '../../src/lifecycles/snapshot/kinds.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type AppStand, settled, snapshotOf } from './snapshot-app-stand.ts';
import { CLASS } from './snapshot-app-storage.ts';
import { hooked, openWorlds, type World } from './snapshot-app-world.ts';

type Key = Parameters<typeof snapshotOf>[1];
type Spec = Partial<ApplicationSnapshotSpec>;

let stand: AppStand;
const { stand: standOfFile, open: world } = openWorlds();

beforeAll(() => {
  stand = standOfFile();
});

afterEach(async () => {
  await stand.stop();
  stand.start();
});

const single: Spec = {};
const group: Spec = {
  source: { selector: { matchLabels: { app: 'db' } } },
  mode: 'Group',
  volumeGroupSnapshotClassName: CLASS,
};

describe.each<[string, Spec, Resource]>([
  ['VolumeSnapshot', single, snapshots],
  ['VolumeSnapshotClass', single, classes],
  ['VolumeGroupSnapshot', group, groupSnapshots],
  ['VolumeGroupSnapshotClass', group, groupClasses],
])('the kind %s', (kind, spec, resource) => {
  it('is waited for before the freeze while the server does not serve it', async () => {
    await using here = await world({ claims: ['data'] });
    const answer = { refusal: refusal(404, 'NotFound') as ApiError | null };
    await startWith((client) => refusing(client, resource, answer));
    const key = await here.make({ ...spec, ...hooked('good') });
    const reported = await eventually(`the condition names ${kind}`, async () => {
      const { status } = await snapshotOf(stand, key);
      const found = findCondition(status?.conditions ?? [], 'KindsServed');
      return found?.message.includes(`${kind} `) === true ? found : null;
    });
    expect(reported).toMatchObject({ status: 'False', reason: 'KindNotServed' });
    expect(here.log()).toEqual([]);
    answer.refusal = null;
    await isCut(here, key, spec);
  });
});

describe.each<[string, Spec, Resource]>([
  ['VolumeSnapshot', single, snapshots],
  ['VolumeGroupSnapshot', group, groupSnapshots],
])('the kind %s', (_, spec, resource) => {
  it('refuses a snapshot while its definition is deleted: the application is thawed', async () => {
    await using here = await world({ claims: ['data'] });
    const answer = { refusal: refusal(405, 'MethodNotAllowed') };
    await startWith((client) => ({
      ...refusing(client, resource, answer),
      list: (...asked) => client.list(...asked),
    }));
    const key = await here.make({ ...spec, ...hooked('good') });
    const { status } = await settled(stand, key);
    expect(status?.failure?.reason).toBe('CutRefused');
    expect(here.log()).toEqual(['freeze 0', 'thaw 0 Deleted', 'thawed 0']);
  });
});

async function startWith(wrap: (client: KubeClient) => KubeClient): Promise<void> {
  await stand.stop();
  stand.start(wrap);
}

/** A client whose lists and creations of this kind get the refusal, while there is one. Watches are not affected. */
function refusing(
  client: KubeClient,
  { plural }: Resource,
  answer: { readonly refusal: ApiError | null },
): KubeClient {
  const check = (asked: Resource): void => {
    if (answer.refusal !== null && asked.plural === plural) throw answer.refusal;
  };
  return {
    ...client,
    list: async (resource, options) => {
      check(resource);
      return client.list(resource, options);
    },
    create: async (resource, object, options) => {
      check(resource);
      return client.create(resource, object, options);
    },
  };
}

function refusal(code: number, reason: string): ApiError {
  return new ApiError(code, { kind: 'Status', code, reason, message: 'refused by the test' });
}

async function isCut(here: World, key: Key, { mode }: Spec): Promise<void> {
  if (mode === 'Group') await here.storage.cutGroup(['data']);
  else await here.storage.cut('data').then(() => here.storage.ready('data'));
  const { status } = await settled(stand, key);
  expect(status?.verdict?.value).toBe('ApplicationConsistent');
  expect(findCondition(status?.conditions ?? [], 'KindsServed')?.status).toBe('True');
}
