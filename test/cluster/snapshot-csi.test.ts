/**
 * The order of freeze, cut and thaw with the CSI driver of the cluster, its sidecar and the snapshot controller. A
 * driver may cut faster than a thaw arrives, which would hide an early thaw. So the tests delay each cut before the
 * driver is called.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { getOrNull } from '../../src/kube/get-or-null.ts';
import { namespaces } from '../../src/kube/resources.ts';
import { snapshots } from '../../src/kube/snapshots.ts';
import {
  type ApplicationSnapshot,
  applicationSnapshots,
  type ApplicationSnapshotSpec,
  type ExecutionHook,
  executionHooks,
} from '../../src/lifecycles/snapshot/kinds.ts';
import { startController } from '../e2e/controller-program.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { WebhookServer } from '../fixtures/webhook-server.ts';
import { requireServed } from '../needs.ts';
import {
  ASKED,
  CLAIM_LABELS,
  type CsiPlace,
  FROZEN,
  type Logs,
  restoredLogs,
  startWriter,
  TEMPLATE,
  THAWED,
  writerLogs,
} from './csi-application.ts';
import { findCsiClasses } from './csi-classes.ts';
import { type HeldCuts, holdCuts, type MarkedContent } from './held-cuts.ts';
import { kubeconfigPath, makeNamespace } from './real-cluster.ts';
import { type CaseStand, openCaseStand } from './rollout-case-stand.ts';

/** Milliseconds by which each cut is delayed. A thaw that did not wait for the cut would happen in a tenth of that. */
const HOLD_MS = 3_000;
const PATIENCE_SECONDS = 200;

let stand: CaseStand;
let place: CsiPlace | null = null;
let cuts: HeldCuts;
/** Steps of the cleanup, which run in reverse order. */
const undo: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  stand = await openCaseStand();
  undo.push(() => stand.close());
  const { client } = stand;
  const csi = await findCsiClasses(client);
  if (csi === null) return;
  const webhooks = await WebhookServer.open();
  undo.push(() => webhooks.close());
  const { namespace, remove } = await makeNamespace(client, 'csi');
  const args = ['--namespaced', '-n', namespace];
  const controller = await startController({ kubeconfig: kubeconfigPath() }, args);
  undo.push(() => controller.end());
  const isDeleted = async (): Promise<boolean> =>
    (await getOrNull(client, namespaces, { name: namespace })) === null;
  undo.push(() => eventually('the namespace is deleted', isDeleted, PATIENCE_SECONDS), remove);
  cuts = await holdCuts(client, webhooks, namespace);
  undo.push(() => cuts.remove());
  place = { cluster: stand, namespace, csi };
  await startWriter(place);
});

afterAll(async () => {
  for (const step of undo.toReversed()) await step();
});

beforeEach((context) => {
  const what = 'a StorageClass and a VolumeSnapshotClass of one CSI driver';
  requireServed(context, place !== null, what);
});

/** State while one cut is delayed: the hooks, and the logs at the beginning and at the end of the delay. */
interface Held {
  readonly claim: string;
  readonly hooks: readonly ExecutionHook[];
  readonly atBegin: Logs;
  readonly atEnd: Logs;
}

interface Taken {
  readonly snapshot: ApplicationSnapshot;
  readonly held: readonly Held[];
}

/** Takes a snapshot, and delays each cut whose claim `isHeld` selects. A group's cut has the claim name ''. */
async function take(
  name: string,
  spec: ApplicationSnapshotSpec,
  isHeld: (claim: string) => boolean = () => true,
): Promise<Taken> {
  const { client } = stand;
  const { namespace } = here();
  const held: Held[] = [];
  cuts.onCut(async (content) => {
    const claim = await claimOf(content);
    if (!isHeld(claim)) return;
    const { items: hooks } = await client.list(executionHooks, { namespace });
    const atBegin = await writerLogs(here());
    await pause(HOLD_MS);
    held.push({ claim, hooks, atBegin, atEnd: await writerLogs(here()) });
  });
  const executionHookInfos = [{ executionHookTemplateName: TEMPLATE }];
  await client.create(applicationSnapshots, {
    metadata: { name, namespace },
    spec: { ...spec, executionHookInfos },
  });
  const look = async (): Promise<ApplicationSnapshot | false> => {
    const found = await client.get(applicationSnapshots, { namespace, name });
    return found.status?.completedAt !== undefined && found;
  };
  return { snapshot: await eventually(`${name} ends`, look, PATIENCE_SECONDS), held };
}

function here(): CsiPlace {
  if (place === null) throw new Error('there is no place without a CSI driver');
  return place;
}

async function claimOf({ spec }: MarkedContent): Promise<string> {
  const { namespace = '', name = '' } = spec.volumeSnapshotRef ?? {};
  if (name === '') return '';
  const { spec: snapshot } = await stand.client.get(snapshots, { namespace, name });
  return snapshot?.source?.persistentVolumeClaimName ?? '';
}

/** Lines that the hooks have added after the last thaw of the writer. */
const since = (log: string): string[] => {
  const lines = log.trimEnd().split('\n');
  return lines.slice(lines.lastIndexOf(THAWED) + 1).filter((line) => !line.startsWith('row '));
};

/** Expects for each delayed cut: the freeze is proven before the delay begins, and no thaw happens during the delay. */
function expectFrozenWhileHeld(held: readonly Held[]): void {
  for (const { hooks, atBegin, atEnd } of held) {
    expect(hooks).toHaveLength(1);
    const { status } = hooks[0] ?? {};
    expect(status?.preActionSucceed).toBe(true);
    expect(status?.release).toBeUndefined();
    const probes = status?.containerExecutionHookStatuses?.flatMap((each) => each.probes ?? []);
    expect(probes).toMatchObject([{ when: 'AfterFreeze', outcome: 'Frozen' }]);
    for (const log of Object.values(atBegin)) expect(since(log)).toEqual([FROZEN, ASKED]);
    expect(atEnd).toEqual(atBegin);
  }
}

/** The log of the writer continues with a probe and the thaw. The restored log ends before these two. */
async function expectCutWhileFrozen({ snapshot, held }: Taken): Promise<void> {
  const { verdict, hooks, volumes = [] } = snapshot.status ?? {};
  expect(verdict).toMatchObject({ value: 'ApplicationConsistent', reason: 'FrozenAtCut' });
  expect(hooks).toMatchObject([{ releaseCause: 'Cut', postActionSucceed: true }]);
  const frozen = new Map(Object.entries(held[0]?.atBegin ?? {}));
  for (const [claim, log] of Object.entries(await writerLogs(here()))) {
    expect(log.startsWith(`${frozen.get(claim)}${ASKED}\n${THAWED}\n`)).toBe(true);
  }
  const restored = await restoredLogs(here(), volumes);
  const expected = volumes.map(({ claimName }) => [claimName, frozen.get(claimName)]);
  expect(restored).toEqual(Object.fromEntries(expected));
}

it('freezes before the cut of a volume begins, and thaws after it', async () => {
  const { volumeSnapshotClassName } = here().csi;
  const source = { persistentVolumeClaimNames: ['a'] };
  const taken = await take('single', { source, volumeSnapshotClassName });
  expect(taken.held.map(({ claim }) => claim)).toEqual(['a']);
  expectFrozenWhileHeld(taken.held);
  await expectCutWhileFrozen(taken);
});

it.each(['a', 'b'])(
  'thaws after the cut of both volumes, when that of %s is late',
  async (late) => {
    const { volumeSnapshotClassName } = here().csi;
    const source = { persistentVolumeClaimNames: ['a', 'b'] };
    const isLate = (claim: string): boolean => claim === late;
    const taken = await take(`late-${late}`, { source, volumeSnapshotClassName }, isLate);
    expect(taken.held.map(({ claim }) => claim)).toEqual([late]);
    expectFrozenWhileHeld(taken.held);
    await expectCutWhileFrozen(taken);
  },
);

it('freezes before the cut of a group begins, and thaws after the cut of all its members', async (context) => {
  const { volumeGroupSnapshotClassName } = here().csi;
  requireServed(context, volumeGroupSnapshotClassName !== null, 'a VolumeGroupSnapshotClass');
  const taken = await take('group', {
    mode: 'Group',
    source: { selector: { matchLabels: CLAIM_LABELS } },
    ...(volumeGroupSnapshotClassName === null ? {} : { volumeGroupSnapshotClassName }),
  });
  expect(taken.held).toHaveLength(1);
  expectFrozenWhileHeld(taken.held);
  await expectCutWhileFrozen(taken);
});
