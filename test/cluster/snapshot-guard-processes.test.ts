/**
 * Rows of the guard's failure table (docs/decisions/snapshot-guard.md) about processes. The cases: a webhook that does
 * not lead, no leader, kills between two writes, a broken link to the API server. Each controller is a process on this
 * machine. The test can break the link between the leader and the API server.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { snapshots } from '../../src/kube/snapshots.ts';
import type {
  SnapshotGuardSpec,
  ApplicationSnapshotStatus,
} from '../../src/lifecycles/snapshot/kinds.ts';
import { kubectlPath } from '../e2e/cluster-stand.ts';
import type { ControllerProgram } from '../e2e/controller-program.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { requireServed } from '../needs.ts';
import { allowFreeze, BEGUN, FROZEN, HELD_TEMPLATE, TEMPLATE } from './csi-application.ts';
import { DONE, type GuardRows, openGuardRows } from './guard-rows.ts';
import { LinkProxy } from './link-proxy.ts';
import { clusterAccess, kubeconfigPath } from './real-cluster.ts';

const QUICK: SnapshotGuardSpec = {
  executionHookInfos: [{ executionHookTemplateName: TEMPLATE }],
  freezeTimeoutSeconds: 25,
};
/** Requests time out before the Lease of a killed leader expires. */
const IMPATIENT: SnapshotGuardSpec = {
  executionHookInfos: [{ executionHookTemplateName: HELD_TEMPLATE }],
  freezeTimeoutSeconds: 6,
};
const CONSISTENT = 'ApplicationConsistent FrozenAtCut';

let rows: GuardRows | null = null;
let link: LinkProxy;
let folder: string;
/** The controller that leads. It serves no webhook. */
let leader: ControllerProgram;
/** The newest controller that serves the webhook. It does not lead. */
let webhook: ControllerProgram;

beforeAll(async () => {
  rows = await openGuardRows('guarded-processes');
  if (rows === null) return;
  await rows.stand.controller().end();
  folder = mkdtempSync(join(tmpdir(), 'lifehook-link-'));
  link = await LinkProxy.open(clusterAccess().server);
  await startBoth();
  await rows.stand.guard(QUICK);
}, 300_000);

afterAll(async () => {
  if (rows === null) return;
  await rows[Symbol.asyncDispose]();
  await link[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
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

async function startBoth(): Promise<void> {
  leader = await here().stand.startController({ kubeconfig: overLink(), webhook: false });
  await eventually('it leads', () => leads(leader));
  webhook = await here().stand.startController();
}

/** On a slow machine the link is down so long that the leader loses its Lease to the other process. */
async function untilLeaderLeads(): Promise<void> {
  if (await leads(leader)) return;
  await Promise.all([leader.end(), webhook.end()]);
  await startBoth();
}

async function leads(controller: ControllerProgram): Promise<boolean> {
  const metrics = await controller.metrics().catch(() => '');
  return metrics.includes('lifehook_leader 1');
}

/** Path of a kubeconfig that reaches the API server through the link. */
function overLink(): string {
  const view = ['config', 'view', '--raw', '--minify', '--flatten', '--kubeconfig'];
  const text = execFileSync(kubectlPath(), [...view, kubeconfigPath()], { encoding: 'utf8' });
  const file = join(folder, 'kubeconfig');
  writeFileSync(file, text.replace(clusterAccess().server, link.url), { mode: 0o600 });
  return file;
}

/** Resolves when the window with index `before`, in order of creation, has the status. */
async function untilWindow(
  before: number,
  what: string,
  isSeen: (status: ApplicationSnapshotStatus) => boolean,
): Promise<void> {
  await eventually(what, async () => {
    const window = (await here().stand.windows())[before];
    return window !== undefined && isSeen(window.status ?? {});
  });
}

const freezesOf = (notes: readonly string[]): number =>
  notes.filter((line) => line === FROZEN).length;

it('sees the cut late when the link to the API server is down meanwhile', async () => {
  const { stand } = here();
  const before = await here().notes();
  here().cuts.onCut(async () => {
    link.break();
  });
  expect(await stand.create('unlinked', 'a')).toMatchObject(DONE);
  const key = { namespace: stand.namespace, name: 'unlinked' };
  await eventually('it is cut', async () => {
    const { status } = await stand.cluster.client.get(snapshots, key);
    return status?.creationTime !== undefined;
  });
  expect(freezesOf((await here().notes()).slice(before.length))).toBe(1);
  link.mend();
  expect(await stand.verdictOf('unlinked')).toEqual([CONSISTENT, CONSISTENT]);
  expect(freezesOf(await here().notesUntilThaw(before))).toBe(1);
});

it('thaws when the process of the webhook is killed at the admission', async () => {
  const { stand } = here();
  await untilLeaderLeads();
  const before = await here().notes();
  const { length } = await stand.windows();
  const asked = stand.create('unanswered', 'a');
  await untilWindow(length, 'it is admitted', ({ admitted }) => admitted !== undefined);
  await webhook.kill();
  const { code } = await asked;
  const { status } = await here().nextWindow(length);
  // The answer is sent after the admission, so the kill may precede or follow the answer. The exit code shows which.
  expect(status?.admitted).toMatchObject([{ outcome: code === 0 ? 'Cut' : 'NotCreated' }]);
  expect(freezesOf(await here().notesUntilThaw(before))).toBe(1);
  webhook = await stand.startController();
});

it('refuses while there is no leader, and the next leader thaws', async () => {
  const { stand } = here();
  await untilLeaderLeads();
  await stand.guard(IMPATIENT);
  const before = await here().notes();
  const { length } = await stand.windows();
  const asked = stand.create('leaderless', 'a');
  await eventually('its freeze begins', async () =>
    (await here().notes()).slice(before.length).includes(BEGUN),
  );
  await leader.kill();
  await allowFreeze(stand);
  // Not with kubectl: before it had started, the next process might lead.
  await expect(stand.createAtOnce('unled', 'b')).rejects.toThrow('(FreezeTimeout)');
  const { code, stderr } = await asked;
  expect(code).toBe(1);
  expect(stderr).toContain('(FreezeTimeout)');
  const { status } = await here().nextWindow(length);
  expect(status?.admitted ?? []).toEqual([]);
  expect(freezesOf(await here().notesUntilThaw(before))).toBe(1);
});

it('shares one freeze between two processes, and outlives a kill at the close', async () => {
  const { stand } = here();
  await stand.guard(QUICK);
  const before = await here().notes();
  const { length } = await stand.windows();
  let isSecondThere = false;
  here().cuts.onCut(async () => {
    await eventually('the second is there', async () => isSecondThere);
  });
  const first = webhook;
  expect(await stand.create('by-first', 'a')).toMatchObject(DONE);
  webhook = await stand.startController();
  expect(await stand.create('by-second', 'b')).toMatchObject(DONE);
  isSecondThere = true;
  await untilWindow(length, 'it is closed', ({ closedAt }) => closedAt !== undefined);
  await first.kill();
  for (const name of ['by-first', 'by-second']) {
    expect(await stand.verdictOf(name)).toEqual([CONSISTENT, CONSISTENT]);
  }
  expect(freezesOf(await here().notesUntilThaw(before))).toBe(1);
  expect(await stand.windows()).toHaveLength(length + 1);
});
