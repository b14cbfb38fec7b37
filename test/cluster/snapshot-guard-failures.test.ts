/**
 * Rows of the guard's failure table (docs/decisions/snapshot-guard.md) that need the real API server, snapshot
 * controller and sidecar. After its admission, a snapshot is refused, cut late, never cut or deleted. The application
 * logs its freezes and thaws in its volumes.
 */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import type { SnapshotGuardSpec } from '../../src/lifecycles/snapshot/kinds.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { requireServed } from '../needs.ts';
import { ASKED, FROZEN, TEMPLATE, THAWED } from './csi-application.ts';
import { DONE, type GuardRows, openGuardRows } from './guard-rows.ts';
import { sourceOf, volumeSnapshot } from './guard-stand.ts';

const SPEC: SnapshotGuardSpec = {
  executionHookInfos: [{ executionHookTemplateName: TEMPLATE }],
  freezeTimeoutSeconds: 25,
};
const CONSISTENT = 'ApplicationConsistent FrozenAtCut';
const THAWED_BEFORE = 'Inconsistent ThawedBeforeCut';

let rows: GuardRows | null = null;

beforeAll(async () => {
  rows = await openGuardRows('guarded-rows');
  await rows?.stand.guard(SPEC);
}, 300_000);

afterAll(async () => {
  await rows?.[Symbol.asyncDispose]();
}, 300_000);

beforeEach((context) => {
  const what = 'a StorageClass and a VolumeSnapshotClass of one CSI driver';
  requireServed(context, rows !== null, what);
  here().cuts.onCut(async () => {});
});

function here(): GuardRows {
  if (rows === null) throw new Error('there is no stand without a CSI driver');
  return rows;
}

it('admits the UID that the stored object has, with a generated name', async () => {
  const { kubectl } = here().stand;
  const manifest = volumeSnapshot({ generateName: 'generated-' }, sourceOf('a'));
  const made = await kubectl(['create', '-f', '-', '-o', 'json'], manifest);
  const { metadata } = JSON.parse(made.stdout) as { metadata: { uid: string; name: string } };
  const { status } = await here().stand.windowOf(metadata.name);
  expect(status?.admitted).toMatchObject([
    { uid: metadata.uid, name: metadata.name, outcome: 'Cut' },
  ]);
  expect(await here().stand.verdictOf(metadata.name)).toEqual([CONSISTENT, CONSISTENT]);
});

it('freezes nothing for a dry run, and nothing for a snapshot of an existing content', async () => {
  const before = await here().notes();
  const { length } = await here().stand.windows();
  const { kubectl } = here().stand;
  const dry = ['create', '--dry-run=server', '-f', '-'];
  expect(await kubectl(dry, volumeSnapshot({ name: 'dry' }, sourceOf('a')))).toMatchObject(DONE);
  const existing = { source: { volumeSnapshotContentName: 'of-another-cluster' } };
  const made = await kubectl(['create', '-f', '-'], volumeSnapshot({ name: 'given' }, existing));
  expect(made).toMatchObject(DONE);
  expect(await here().stand.windows()).toHaveLength(length);
  expect(await here().notes()).toEqual(before);
});

it('freezes nothing for a name that is taken', async () => {
  expect(await here().stand.create('taken', 'a')).toMatchObject(DONE);
  await here().stand.windowOf('taken');
  const before = await here().notes();
  const { length } = await here().stand.windows();
  const refused = await here().stand.create('taken', 'a');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('exists already, so nothing was frozen');
  expect(await here().stand.windows()).toHaveLength(length);
  expect(await here().notes()).toEqual(before);
});

it('thaws when a quota refuses the snapshot after its admission', async () => {
  await here().refuseByQuota();
  const before = await here().notes();
  const { length } = await here().stand.windows();
  const refused = await here().stand.create('over-quota', 'a');
  await here().liftQuota();
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('exceeded quota');
  expect(await here().notesUntilThaw(before)).toEqual([FROZEN, ASKED, ASKED, THAWED]);
  const { status } = await here().nextWindow(length);
  expect(status?.admitted).toMatchObject([{ name: 'over-quota', outcome: 'NotCreated' }]);
});

it('shares one freeze between two snapshots that arrive while it lasts', async () => {
  const before = await here().notes();
  const { length } = await here().stand.windows();
  let isSecondThere = false;
  here().cuts.onCut(async () => {
    await eventually('the second is there', async () => isSecondThere);
  });
  expect(await here().stand.create('first', 'a')).toMatchObject(DONE);
  expect(await here().stand.create('second', 'b')).toMatchObject(DONE);
  isSecondThere = true;
  for (const name of ['first', 'second']) {
    expect(await here().stand.verdictOf(name)).toEqual([CONSISTENT, CONSISTENT]);
  }
  expect(await here().notesUntilThaw(before)).toEqual([FROZEN, ASKED, ASKED, THAWED]);
  expect(await here().stand.windows()).toHaveLength(length + 1);
});

it('thaws at the deadline when the driver does not cut, and marks the late cut', async () => {
  await here().stand.guard({ ...SPEC, cutDeadlineSeconds: 3 });
  const before = await here().notes();
  here().cuts.onCut(async () => {
    await here().notesUntilThaw(before);
  });
  expect(await here().stand.create('late', 'a')).toMatchObject(DONE);
  const { status } = await here().stand.windowOf('late');
  expect(status?.admitted).toMatchObject([{ name: 'late', outcome: 'NotCut' }]);
  expect(await here().stand.verdictOf('late')).toEqual([THAWED_BEFORE, THAWED_BEFORE]);
  await here().stand.guard(SPEC);
});

it('thaws at once when the snapshot is deleted before its cut', async () => {
  const before = await here().notes();
  const { kubectl } = here().stand;
  let content = '';
  here().cuts.onCut(async ({ metadata }) => {
    content = metadata?.name ?? '';
    await kubectl(['delete', 'volumesnapshot', 'unwanted', '--wait=false']);
    await here().notesUntilThaw(before);
  });
  expect(await here().stand.create('unwanted', 'a')).toMatchObject(DONE);
  const { status } = await here().stand.windowOf('unwanted');
  expect(status?.admitted).toMatchObject([{ name: 'unwanted', outcome: 'Deleted' }]);
  // Version 8.7 of the sidecar may forget a content that is deleted during the call to the driver.
  const none = ['--type', 'merge', '-p', '{"metadata":{"finalizers":null}}'];
  await eventually('the content is deleted', async () => {
    await kubectl(['patch', 'volumesnapshotcontent', content, ...none]);
    const { code, stdout } = await kubectl(['get', 'volumesnapshotcontent', '-o', 'name']);
    return code === 0 && !stdout.includes(content);
  });
});

it('thaws after a restart when the controller is killed while it is frozen', async () => {
  const before = await here().notes();
  here().cuts.onCut(async () => {
    await here().stand.controller().kill();
    await here().stand.startController();
  });
  expect(await here().stand.create('killed', 'a')).toMatchObject(DONE);
  const [own, its] = await here().stand.verdictOf('killed');
  expect(own).toBe(its);
  expect((await here().notesUntilThaw(before)).filter((line) => line === FROZEN)).toHaveLength(1);
});

it('refuses a snapshot while no controller serves the webhook, and takes it afterwards', async () => {
  await here().stand.controller().end();
  const before = await here().notes();
  const refused = await here().stand.create('unserved', 'a');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('failed calling webhook');
  expect(await here().notes()).toEqual(before);
  await here().stand.startController();
  expect(await here().stand.create('unserved', 'a')).toMatchObject(DONE);
  expect(await here().stand.verdictOf('unserved')).toEqual([CONSISTENT, CONSISTENT]);
});

it('keeps an open window when its guard is deleted', async () => {
  const before = await here().notes();
  here().cuts.onCut(async () => {
    await here().stand.kubectl(['delete', 'snapshotguard', '--all']);
  });
  expect(await here().stand.create('kept', 'a')).toMatchObject(DONE);
  expect(await here().stand.verdictOf('kept')).toEqual([CONSISTENT, CONSISTENT]);
  expect(await here().notesUntilThaw(before)).toEqual([FROZEN, ASKED, ASKED, THAWED]);
  await here().stand.guard(SPEC);
});
