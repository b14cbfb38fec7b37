/** Creates, deletes and replaces the kinds of volume snapshots while the controller runs. */
import type { CustomResourceDefinition } from 'kubernetes-types/apiextensions/v1.js';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';

import { groupDefinitions, singleDefinitions } from '../../packages/local-cluster/src/index.ts';
import { findCondition } from '../../src/controller/conditions.ts';
import { isReason } from '../../src/kube/api-error.ts';
import { createOrGet, getOrNull } from '../../src/kube/get-or-null.ts';
import type { Json } from '../../src/kube/object.ts';
import { customResourceDefinitions } from '../../src/kube/resources.ts';
import { groupKindsOf, type GroupVersion, snapshots } from '../../src/kube/snapshots.ts';
import type { ApplicationSnapshotSpec } from '../../src/lifecycles/snapshot/kinds.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type AppStand, reasonsOf, settled, snapshotOf } from './snapshot-app-stand.ts';
import { CLASS, DRIVER, makeClasses } from './snapshot-app-storage.ts';
import { hooked, openWorlds } from './snapshot-app-world.ts';

type Definitions = readonly CustomResourceDefinition[];

let stand: AppStand;
const { stand: standOfFile, open: world } = openWorlds();

beforeAll(() => {
  stand = standOfFile();
});

/** Deletes the definitions with their objects. Removes finalizers by force. */
async function undefine(definitions: Definitions): Promise<void> {
  const { client } = stand;
  for (const { metadata } of definitions) {
    const key = { name: metadata?.name ?? '' };
    try {
      await client.delete(customResourceDefinitions, key);
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
    await eventually(`${key.name} is deleted`, async () => {
      return (await getOrNull(client, customResourceDefinitions, key)) === null;
    });
  }
}

async function define(definitions: Definitions): Promise<void> {
  const { client } = stand;
  for (const definition of definitions) {
    await createOrGet(client, customResourceDefinitions, definition);
  }
}

async function defineAll(): Promise<void> {
  await define([...singleDefinitions, ...groupDefinitions]);
  await eventually('the classes are created', async () => {
    try {
      await makeClasses(stand.client);
      return true;
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
      return null;
    }
  });
}

const single: Partial<ApplicationSnapshotSpec> = {};
const group: Partial<ApplicationSnapshotSpec> = {
  source: { selector: { matchLabels: { app: 'db' } } },
  mode: 'Group',
  volumeGroupSnapshotClassName: CLASS,
};

const SINGLE = { definitions: singleDefinitions, spec: single, kind: 'VolumeSnapshot ' };
const GROUP = { definitions: groupDefinitions, spec: group, kind: 'VolumeGroupSnapshot ' };

describe.each([
  ['of single snapshots', SINGLE],
  ['of group snapshots', GROUP],
])('the kinds %s', (_, { definitions, spec, kind }) => {
  afterEach(defineAll);

  it('are waited for, with a condition and an event, and then the snapshot begins', async () => {
    await using here = await world({ claims: ['data'] });
    await undefine(definitions);
    const key = await here.make({ ...spec, ...hooked('good') });
    // The condition may first name other new kinds, because the controller asks the server for them every LOOK_MS.
    const reported = await eventually(`the condition names ${kind}`, async () => {
      const { status } = await snapshotOf(stand, key);
      const found = findCondition(status?.conditions ?? [], 'KindsServed');
      return found?.message.includes(kind) === true ? found : null;
    });
    expect(reported).toMatchObject({ status: 'False', reason: 'KindNotServed' });
    await eventually('the event', async () =>
      (await reasonsOf(stand, key)).includes('KindNotServed'),
    );
    expect(here.log()).toEqual([]);
    await defineAll();
    if (spec.mode === 'Group') await here.storage.cutGroup(['data']);
    else await here.storage.cut('data').then(() => here.storage.ready('data'));
    const { status } = await settled(stand, key);
    expect(status?.verdict?.value).toBe('ApplicationConsistent');
    expect(findCondition(status?.conditions ?? [], 'KindsServed')?.status).toBe('True');
  });

  it('are deleted while the application is frozen: it is thawed', async () => {
    await using here = await world({ claims: ['data'] });
    const key = await here.make({ ...spec, ...hooked('good') });
    await eventually('the cut is requested', async () => {
      return (await snapshotOf(stand, key)).status?.cutRequestedAt !== undefined;
    });
    await undefine(definitions);
    const { status } = await settled(stand, key);
    expect(status?.phase).toBe('Failed');
    expect(['KindNotServed', 'SnapshotDeleted']).toContain(status?.failure?.reason);
    expect(here.log()).toEqual(['freeze 0', 'thaw 0 Deleted', 'thawed 0']);
  });
});

describe.each<GroupVersion>(['v1beta1', 'v1beta2'])('group snapshots in %s', (version) => {
  afterEach(async () => {
    await undefine(groupDefinitions);
    await defineAll();
  });

  it('are created and read in that version, where it is the newest one', async () => {
    await using here = await world({ claims: ['data', 'log'] });
    await undefine(groupDefinitions);
    await define(groupDefinitions.map((each) => inVersion(each, version)));
    const { classes } = groupKindsOf(version);
    await eventually('the class is created', async () => {
      try {
        const of = { driver: DRIVER, deletionPolicy: 'Retain' as const };
        return await createOrGet(stand.client, classes, { metadata: { name: CLASS }, ...of });
      } catch (error) {
        if (!isReason(error, 'NotFound')) throw error;
        return null;
      }
    });
    const key = await here.make({ ...group, ...hooked('good') });
    await here.storage.cutGroup(['data', 'log'], version);
    const { status } = await settled(stand, key);
    expect(status?.verdict?.value).toBe('ApplicationConsistent');
    expect(status?.volumes?.map(({ cut, readyToUse }) => [cut, readyToUse])).toEqual([
      [true, true],
      [true, true],
    ]);
    const { items } = await stand.client.list(snapshots, { namespace: here.namespace });
    expect(items).toHaveLength(2);
  });
});

it('fails before a freeze where the definition of ApplicationSnapshot is older than the controller (SNAP-S8)', async () => {
  await using here = await world({ claims: ['data'] });
  const { client } = stand;
  const key = { name: 'applicationsnapshots.lifehook.dev' };
  const ours = await client.get(customResourceDefinitions, key);
  const text = JSON.stringify(ours.spec);
  const older = text.replaceAll('"cutTokenHashes":', '"knownToNobody":');
  expect(older).not.toBe(text);
  const replaceSpec = async (spec: string): Promise<unknown> =>
    client.patch(customResourceDefinitions, key, {
      type: 'json',
      body: [{ op: 'replace', path: '/spec', value: JSON.parse(spec) as Json }],
    });
  await replaceSpec(older);
  try {
    const { status } = await settled(stand, await here.make(hooked('good')));
    expect(status).toMatchObject({ phase: 'Failed', failure: { reason: 'DefinitionOutdated' } });
    expect(here.log()).toEqual([]);
  } finally {
    await replaceSpec(text);
  }
});

/** The definitions in that version. In v1beta1 a group lists its snapshots in another form. */
function inVersion(
  definition: CustomResourceDefinition,
  version: GroupVersion,
): CustomResourceDefinition {
  const text = JSON.stringify({
    ...definition,
    spec: {
      ...definition.spec,
      versions: definition.spec.versions.map((each) => ({ ...each, name: version })),
    },
  });
  const list = version === 'v1beta1' ? 'volumeSnapshotHandlePairList' : 'volumeSnapshotInfoList';
  return JSON.parse(text.replaceAll('volumeSnapshotInfoList', list)) as CustomResourceDefinition;
}
