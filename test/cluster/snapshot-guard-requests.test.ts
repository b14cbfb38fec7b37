/**
 * Rows of the guard's failure table (docs/decisions/snapshot-guard.md) about requests, freezes and deletions, on a real
 * API server with its snapshot controller and sidecar. The last row deletes the namespace.
 */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { getOrNull } from '../../src/kube/get-or-null.ts';
import { namespaces, persistentVolumeClaims, pods } from '../../src/kube/resources.ts';
import { snapshots } from '../../src/kube/snapshots.ts';
import type { SnapshotGuardSpec } from '../../src/lifecycles/snapshot/kinds.ts';
import { ADMITTED_MAX } from '../../src/lifecycles/snapshot/schema/limits.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { requireServed } from '../needs.ts';
import { copyWebhook } from './copied-webhook.ts';
import {
  allowFreeze,
  APP,
  CLAIM_LABELS,
  FROZEN,
  HELD_TEMPLATE,
  SLOW_SECONDS,
  SLOW_TEMPLATE,
  startWriterPod,
  TEMPLATE,
} from './csi-application.ts';
import { DONE, type GuardRows, openGuardRows } from './guard-rows.ts';
import { PATIENCE_SECONDS, sourceOf, untilReleased, volumeSnapshot } from './guard-stand.ts';

const QUICK: SnapshotGuardSpec = {
  executionHookInfos: [{ executionHookTemplateName: TEMPLATE }],
  freezeTimeoutSeconds: 25,
};
const SLOW: SnapshotGuardSpec = {
  executionHookInfos: [{ executionHookTemplateName: SLOW_TEMPLATE }],
  freezeTimeoutSeconds: 25,
};
const HELD: SnapshotGuardSpec = {
  executionHookInfos: [{ executionHookTemplateName: HELD_TEMPLATE }],
  freezeTimeoutSeconds: 25,
};
const NOT_FROZEN = 'CrashConsistent NotFrozen';

let rows: GuardRows | null = null;

beforeAll(async () => {
  rows = await openGuardRows('guarded-requests');
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

/** Resolves when more than `before` windows exist. */
async function untilOpened(before: number): Promise<void> {
  await eventually('a window opens', async () => (await here().stand.windows()).length > before);
}

it('admits nothing for clients that give up during the freeze, and thaws', async () => {
  const { stand } = here();
  const { client } = stand.cluster;
  await stand.guard(HELD);
  const before = await here().notes();
  const { length } = await stand.windows();
  const given = { metadata: { name: 'leaves', namespace: stand.namespace }, spec: sourceOf('b') };
  const leaving = new AbortController();
  const { signal } = leaving;
  const leaves = expect(client.create(snapshots, given, { signal })).rejects.toThrow();
  await untilOpened(length);
  const manifest = volumeSnapshot({ name: 'times-out' }, sourceOf('a'));
  const timesOut = stand.kubectl(['create', '-f', '-', '--request-timeout=1s'], manifest);
  leaving.abort();
  await leaves;
  expect(await timesOut).toMatchObject({ code: 1 });
  await allowFreeze(stand);
  const { status } = await here().nextWindow(length);
  expect(status).toMatchObject({ failure: { reason: 'NothingAdmitted' } });
  expect(status?.admitted ?? []).toEqual([]);
  const added = await here().notesUntilThaw(before);
  expect(added.filter((line) => line === FROZEN)).toHaveLength(1);
  for (const name of ['times-out', 'leaves']) {
    expect(await getOrNull(client, snapshots, { namespace: stand.namespace, name })).toBeNull();
  }
});

it('refuses at a slow freeze, and with Allow the next one, during the thaw, is marked', async () => {
  const { stand } = here();
  const impatient = { ...SLOW, freezeTimeoutSeconds: SLOW_SECONDS - 2 };
  await stand.guard(impatient);
  await here().untilRested();
  const before = await here().notes();
  const { length } = await stand.windows();
  const refused = await stand.create('refused', 'a');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('(FreezeTimeout)');
  await stand.guard({ ...impatient, onFreezeFailure: 'Allow' });
  const allowed = await stand.create('allowed', 'a');
  expect(allowed).toMatchObject(DONE);
  expect(allowed.stderr).toContain('allowed is not application-consistent');
  expect(await stand.verdictOf('allowed')).toEqual([NOT_FROZEN, NOT_FROZEN]);
  for (const each of [0, 1]) await here().nextWindow(length + each);
  await here().notesUntilThaw(before);
});

it('marks a group as inconsistent when its selector loses a claim before its cut', async (context) => {
  const { stand } = here();
  const { volumeGroupSnapshotClassName } = stand.csi;
  requireServed(context, volumeGroupSnapshotClassName !== null, 'a VolumeGroupSnapshotClass');
  const { client } = stand.cluster;
  const key = { namespace: stand.namespace, name: 'b' };
  await stand.guard(HELD);
  const before = await here().notes();
  const { length } = await stand.windows();
  const made = stand.kubectl(['create', '-f', '-'], {
    apiVersion: 'groupsnapshot.storage.k8s.io/v1',
    kind: 'VolumeGroupSnapshot',
    metadata: { name: 'in-part' },
    spec: {
      volumeGroupSnapshotClassName,
      source: { selector: { matchLabels: CLAIM_LABELS } },
    },
  });
  await untilOpened(length);
  const label = (app: string | null) => ({ metadata: { labels: { app } } });
  await client.patch(persistentVolumeClaims, key, { type: 'merge', body: label(null) });
  await allowFreeze(stand);
  expect(await made).toMatchObject(DONE);
  expect(await stand.groupVerdictOf('in-part')).toBe('Inconsistent VolumeMissing');
  await here().notesUntilThaw(before);
  const bound = await eventually(
    'the member is bound',
    async () => {
      const [member] = (await stand.membersOf('in-part')) ?? [];
      return member?.status?.readyToUse === true && member;
    },
    PATIENCE_SECONDS,
  );
  const { name = '', uid } = bound.metadata ?? {};
  const verdict = 'Inconsistent VolumeMissing';
  expect(await stand.verdictOf(name)).toEqual([verdict, verdict]);
  // The snapshot controller creates the member of the group, so the guard must not treat it as another request.
  const windows = (await stand.windows()).slice(length);
  const admitted = windows.flatMap(({ status }) => status?.admitted ?? []);
  expect([windows.length, admitted.some((each) => each.uid === uid)]).toEqual([1, false]);
  const { app = '' } = CLAIM_LABELS;
  await client.patch(persistentVolumeClaims, key, { type: 'merge', body: label(app) });
});

it('admits 50 requests at once into one window, and the next one into the next window', async () => {
  const { stand } = here();
  await stand.guard(HELD);
  await using copy = await copyWebhook(stand, here().webhooks);
  await here().refuseByQuota();
  const before = await here().notes();
  const { length } = await stand.windows();
  const names = Array.from({ length: ADMITTED_MAX + 1 }, (_, index) => `many-${index}`);
  const requests = names.map((name) => stand.createAtOnce(name, 'a'));
  // The last request waits for both freezes, and for the rest between them (SNAP-W14).
  const answered = Promise.allSettled(requests);
  // Compares names, not their number: other clients may create VolumeSnapshots too.
  await eventually('all have arrived', async () => {
    const arrived = new Set(copy.requests().map(({ name }) => name));
    return names.every((name) => arrived.has(name));
  });
  await allowFreeze(stand);
  await eventually('the first window is frozen', async () =>
    (await here().notes()).slice(before.length).includes(FROZEN),
  );
  await allowFreeze(stand);
  const answers = await answered;
  await here().liftQuota();
  const reasons = answers.map((answer) =>
    answer.status === 'rejected' ? String(answer.reason) : '',
  );
  expect(reasons.filter((each) => !each.includes('exceeded quota'))).toEqual([]);
  const ended = [await here().nextWindow(length), await here().nextWindow(length + 1)];
  expect(ended.map(({ status }) => status?.admitted?.length)).toEqual([ADMITTED_MAX, 1]);
  const outcomes = ended.flatMap(({ status }) => status?.admitted ?? []);
  expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['NotCreated']));
  const added = await here().notesUntilThaw(before);
  expect(added.filter((line) => line === FROZEN)).toHaveLength(2);
});

it('marks a snapshot as inconsistent when the pod is deleted while it is frozen', async () => {
  const { stand } = here();
  const { client } = stand.cluster;
  await stand.guard(QUICK);
  await here().untilRested();
  const { length } = await stand.windows();
  const key = { namespace: stand.namespace, name: APP };
  here().cuts.onCut(async () => {
    await client.delete(pods, key);
    await eventually('the window has failed', async () => {
      const window = (await stand.windows())[length];
      return window?.status?.failure !== undefined || window?.status?.closedAt !== undefined;
    });
  });
  expect(await stand.create('without-pod', 'a')).toMatchObject(DONE);
  const [own, its] = await stand.verdictOf('without-pod');
  expect([own, its]).toEqual([expect.stringMatching(/^Inconsistent /), own]);
  await here().nextWindow(length);
  const isDeleted = async (): Promise<boolean> => (await getOrNull(client, pods, key)) === null;
  await eventually('the pod is deleted', isDeleted);
  await startWriterPod(stand);
});

it('lets a namespace be deleted while a window is open', async () => {
  const { stand } = here();
  const { client } = stand.cluster;
  let isHeld = true;
  here().cuts.onCut(async () => {
    await eventually('the window is deleted', async () => !isHeld, PATIENCE_SECONDS);
  });
  expect(await stand.create('without-namespace', 'a')).toMatchObject(DONE);
  await client.delete(namespaces, { name: stand.namespace });
  await eventually(
    'the windows are deleted',
    async () => (await stand.windows()).length === 0,
    PATIENCE_SECONDS,
  );
  isHeld = false;
  await untilReleased({ client, namespace: stand.namespace });
});
