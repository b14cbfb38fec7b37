/**
 * Rows of the guard's failure table (docs/decisions/snapshot-guard.md) about changed guards, groups and claims, and
 * about repeated requests. The API server, snapshot controller and sidecar are real. The last rows delete a claim.
 */
import type { PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { getOrNull } from '../../src/kube/get-or-null.ts';
import { persistentVolumeClaims } from '../../src/kube/resources.ts';
import { snapshots } from '../../src/kube/snapshots.ts';
import {
  type SnapshotGuardSpec,
  snapshotGuards,
  type ApplicationSnapshot,
  applicationSnapshots,
} from '../../src/lifecycles/snapshot/kinds.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { requireServed } from '../needs.ts';
import { copyWebhook } from './copied-webhook.ts';
import {
  allowFreeze,
  ASKED,
  BEGUN,
  FROZEN,
  HELD_TEMPLATE,
  SLOW_TEMPLATE,
  TEMPLATE,
  THAWED,
} from './csi-application.ts';
import { DONE, type GuardRows, openGuardRows } from './guard-rows.ts';
import { PATIENCE_SECONDS, sourceOf, volumeSnapshot } from './guard-stand.ts';
import { RetainedClaims } from './retained-claims.ts';

const QUICK: SnapshotGuardSpec = {
  executionHookInfos: [{ executionHookTemplateName: TEMPLATE }],
  freezeTimeoutSeconds: 25,
};
const SLOW: SnapshotGuardSpec = {
  ...QUICK,
  executionHookInfos: [{ executionHookTemplateName: SLOW_TEMPLATE }],
};
const HELD: SnapshotGuardSpec = {
  ...QUICK,
  executionHookInfos: [{ executionHookTemplateName: HELD_TEMPLATE }],
};
const CONSISTENT = 'ApplicationConsistent FrozenAtCut';

let rows: GuardRows | null = null;
let claims: RetainedClaims;

beforeAll(async () => {
  rows = await openGuardRows('guarded-changes');
  if (rows === null) return;
  claims = new RetainedClaims(rows.stand.cluster.client, rows.stand.namespace);
}, 300_000);

afterAll(async () => {
  if (rows === null) return;
  await claims.reclaim();
  await rows[Symbol.asyncDispose]();
}, 300_000);

beforeEach(async (context) => {
  const what = 'a StorageClass and a VolumeSnapshotClass of one CSI driver';
  requireServed(context, rows !== null, what);
  here().cuts.onCut(async () => {});
  await here().untilRested();
}, 60_000);

function here(): GuardRows {
  if (rows === null) throw new Error('there is no stand without a CSI driver');
  return rows;
}

it('refuses a claim that two guards select, and freezes nothing', async () => {
  const { stand } = here();
  const { client } = stand.cluster;
  await stand.guard(QUICK);
  const second = { namespace: stand.namespace, name: 'second' };
  await client.create(snapshotGuards, { metadata: second, spec: QUICK });
  const before = await here().notes();
  const refused = await stand.create('of-two', 'a');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('(SeveralGuards)');
  expect([await here().notes(), await stand.windows()]).toEqual([before, []]);
  await client.delete(snapshotGuards, second);
  expect(await stand.create('of-one', 'a')).toMatchObject(DONE);
  expect(await stand.verdictOf('of-one')).toEqual([CONSISTENT, CONSISTENT]);
});

it('refuses a snapshot whose group does not exist, and freezes nothing', async () => {
  const { stand } = here();
  const before = await here().notes();
  const { length } = await stand.windows();
  const owner = {
    apiVersion: 'groupsnapshot.storage.k8s.io/v1',
    kind: 'VolumeGroupSnapshot',
    name: 'deleted',
    uid: '00000000-0000-4000-8000-000000000000',
  };
  const manifest = volumeSnapshot({ name: 'orphan', ownerReferences: [owner] }, sourceOf('a'));
  const refused = await stand.kubectl(['create', '-f', '-'], manifest);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('(GroupMissing)');
  expect(await here().notes()).toEqual(before);
  expect(await stand.windows()).toHaveLength(length);
});

it('keeps the hooks of an open window when its guard is edited, and uses the new ones afterwards', async () => {
  const { stand } = here();
  const { client } = stand.cluster;
  await stand.guard(QUICK);
  const before = await here().notes();
  const { length } = await stand.windows();
  const key = { namespace: stand.namespace, name: 'guard' };
  here().cuts.onCut(async () => {
    await client.patch(snapshotGuards, key, { type: 'merge', body: { spec: SLOW } });
  });
  expect(await stand.create('before-the-edit', 'a')).toMatchObject(DONE);
  expect(await stand.verdictOf('before-the-edit')).toEqual([CONSISTENT, CONSISTENT]);
  expect(await here().notesUntilThaw(before)).toEqual([FROZEN, ASKED, ASKED, THAWED]);
  await here().nextWindow(length);
  here().cuts.onCut(async () => {});
  const between = await here().notes();
  expect(await stand.create('after-the-edit', 'a')).toMatchObject(DONE);
  expect(await stand.verdictOf('after-the-edit')).toEqual([CONSISTENT, CONSISTENT]);
  const added = await here().notesUntilThaw(between);
  expect(added).toEqual([BEGUN, FROZEN, ASKED, ASKED, THAWED]);
});

it('admits a request once when the API server calls the webhook twice for it', async () => {
  const { stand } = here();
  await stand.guard(QUICK);
  await using _copy = await copyWebhook(stand, here().webhooks, 2);
  const before = await here().notes();
  const { length } = await stand.windows();
  expect(await stand.create('twice', 'a')).toMatchObject(DONE);
  const window = await here().nextWindow(length);
  expect(window.status?.admitted).toMatchObject([{ name: 'twice', outcome: 'Cut' }]);
  expect(await here().notesUntilThaw(before)).toEqual([FROZEN, ASKED, ASKED, THAWED]);
  expect(await stand.windows()).toHaveLength(length + 1);
});

it('lets a client retry the same name in the same window after a quota has refused it', async () => {
  const { stand } = here();
  const before = await here().notes();
  const { length } = await stand.windows();
  await here().refuseByQuota();
  const refused = await stand.create('again', 'a');
  expect(refused.stderr).toContain('exceeded quota');
  await here().liftQuota();
  // The window waits 5 s for the object of the refused request.
  await stand.createAtOnce('again', 'a');
  expect(await stand.verdictOf('again')).toEqual([CONSISTENT, CONSISTENT]);
  const window = await here().nextWindow(length);
  expect(window.status?.admitted?.map(({ name, outcome }) => [name, outcome])).toEqual([
    ['again', 'NotCreated'],
    ['again', 'Cut'],
  ]);
  expect(await here().notesUntilThaw(before)).toEqual([FROZEN, ASKED, ASKED, THAWED]);
});

it('lets the application rest after a freeze without a cut, and refuses a request without time for that', async () => {
  const { stand } = here();
  await stand.guard(QUICK);
  await here().refuseByQuota();
  const before = await here().notes();
  const { length } = await stand.windows();
  expect((await stand.create('in-vain', 'a')).stderr).toContain('exceeded quota');
  await here().liftQuota();
  const key = { namespace: stand.namespace, name: 'guard' };
  const body = { spec: { freezeTimeoutSeconds: 1 } };
  await stand.cluster.client.patch(snapshotGuards, key, { type: 'merge', body });
  await eventually('the window is closed', async () => {
    return (await stand.windows())[length]?.status?.closedAt !== undefined;
  });
  // The rest is only as long as the freeze was.
  await expect(stand.createAtOnce('too-soon', 'a')).rejects.toThrow('(Resting)');
  await here().nextWindow(length);
  expect(await here().notesUntilThaw(before)).toEqual([FROZEN, ASKED, ASKED, THAWED]);
  expect(await stand.windows()).toHaveLength(length + 1);
});

it('freezes nothing for an ApplicationSnapshot that is restored from a backup', async () => {
  const { stand } = here();
  const { client } = stand.cluster;
  const key = { namespace: stand.namespace, name: 'backed-up' };
  const spec = {
    source: { persistentVolumeClaimNames: ['a', 'b'] },
    volumeSnapshotClassName: stand.csi.volumeSnapshotClassName,
    executionHookInfos: QUICK.executionHookInfos,
  };
  const ended = (): Promise<ApplicationSnapshot> =>
    eventually(
      'the snapshot has ended',
      async () => {
        const found = await client.get(applicationSnapshots, key);
        return found.status?.completedAt !== undefined && found;
      },
      PATIENCE_SECONDS,
    );
  await client.create(applicationSnapshots, { metadata: key, spec });
  const first = await ended();
  expect(first.status?.verdict?.value).toBe('ApplicationConsistent');
  await client.delete(applicationSnapshots, key);
  await eventually(
    'it is deleted',
    async () => (await getOrNull(client, applicationSnapshots, key)) === null,
    PATIENCE_SECONDS,
  );
  const before = await here().notes();
  // A backup tool restores an object with its annotations, but without its status.
  const { annotations = {} } = first.metadata ?? {};
  await client.create(applicationSnapshots, { metadata: { ...key, annotations }, spec });
  expect((await ended()).status?.failure?.reason).toBe('BegunBefore');
  expect(await here().notes()).toEqual(before);
});

it('judges a claim that is replaced during the freeze alone', async () => {
  await whileFreezing('replaced', async (claim) => {
    await claims.delete(claim);
    const { cluster, namespace } = here().stand;
    const { accessModes, storageClassName, resources } = claim.spec ?? {};
    const spec = { accessModes, storageClassName, resources } as typeof claim.spec;
    const { labels } = claim.metadata ?? {};
    const metadata = { namespace, name: 'b', ...(labels === undefined ? {} : { labels }) };
    await cluster.client.create(persistentVolumeClaims, { metadata, spec } as never);
  });
});

it('judges a claim that is deleted during the freeze alone', async () => {
  await whileFreezing('deleted', async (claim) => claims.delete(claim));
});

/**
 * Takes snapshots of a and b in one window. Before the application is frozen, `change` changes claim b. The window was
 * opened for the snapshot of b, so that request was checked before the change.
 */
async function whileFreezing(
  prefix: string,
  change: (claim: PersistentVolumeClaim) => Promise<void>,
): Promise<void> {
  const { stand } = here();
  const { client } = stand.cluster;
  await stand.guard({ ...HELD, cutDeadlineSeconds: 15 });
  const { length } = await stand.windows();
  const claim = await claims.bound('b');
  const askedB = stand.create(`${prefix}-b`, 'b');
  await eventually('a window freezes', async () => {
    const [window] = (await stand.windows()).slice(length);
    return window?.status?.phase === 'Freezing';
  });
  const askedA = stand.create(`${prefix}-a`, 'a');
  here().cuts.onCut(async () => {
    await askedA;
  });
  await change(claim);
  await allowFreeze(stand);
  for (const each of await Promise.all([askedA, askedB])) {
    expect(each).toMatchObject({ ...DONE, stderr: '' });
  }
  const window = await here().nextWindow(length);
  const names = window.status?.admitted?.map(({ name }) => name);
  expect(names?.toSorted()).toEqual([`${prefix}-a`, `${prefix}-b`]);
  expect(await stand.verdictOf(`${prefix}-a`)).toEqual([CONSISTENT, CONSISTENT]);
  const other = window.status?.admitted?.find(({ name }) => name === `${prefix}-b`);
  expect(other?.verdict?.value).toBe('Inconsistent');
  const key = { namespace: stand.namespace, name: `${prefix}-b` };
  await eventually(
    'its own snapshot has that verdict',
    async () => {
      const { metadata } = await client.get(snapshots, key);
      return metadata?.labels?.['lifehook.dev/verdict'] === 'Inconsistent';
    },
    PATIENCE_SECONDS,
  );
}
