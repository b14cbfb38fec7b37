/**
 * Common parts of the tests of the guard's failure table: a guarded writer that logs its freezes and thaws in its
 * volumes, and cuts that a test can delay.
 */
import { expect } from 'vitest';

import { makeResource } from '../../src/kube/resources.ts';
import { snapshots } from '../../src/kube/snapshots.ts';
import { restAfter } from '../../src/lifecycles/snapshot/guard/rest.ts';
import type { ApplicationSnapshot } from '../../src/lifecycles/snapshot/kinds.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { WebhookServer } from '../fixtures/webhook-server.ts';
import { startWriter, THAWED, writerLogs } from './csi-application.ts';
import { type GuardStand, openGuardStand, PATIENCE_SECONDS, sourceOf } from './guard-stand.ts';
import { type HeldCuts, holdCuts } from './held-cuts.ts';

/** Expected result of a kubectl call that succeeds. */
export const DONE: { readonly code: number } = { code: 0 };

const QUOTA = 'none';
const resourceQuotas = makeResource({ apiVersion: 'v1', kind: 'ResourceQuota' });

export interface GuardRows extends AsyncDisposable {
  readonly stand: GuardStand;
  readonly webhooks: WebhookServer;
  readonly cuts: HeldCuts;
  /** Lines that the hooks have added to the log of claim a so far. */
  notes(): Promise<readonly string[]>;
  /** Resolves with the lines added after `before`, as soon as they end with a thaw. */
  notesUntilThaw(before: readonly string[]): Promise<readonly string[]>;
  /** The window with index `before` in order of creation; resolves when that window has ended. */
  nextWindow(before: number): Promise<ApplicationSnapshot>;
  /** Resolves when the application has rested from the newest window (SNAP-W14). */
  untilRested(): Promise<void>;
  /** Creates a quota of 0 VolumeSnapshots. Resolves when the quota makes the API server refuse each one. */
  refuseByQuota(): Promise<void>;
  /** Deletes that quota. Resolves when the API server refuses no VolumeSnapshot by it. */
  liftQuota(): Promise<void>;
}

/** Resolves with null if no CSI driver of this cluster makes snapshots. */
export async function openGuardRows(prefix: string): Promise<GuardRows | null> {
  const stand = await openGuardStand(prefix);
  if (stand === null) return null;
  const undo: (() => PromiseLike<unknown>)[] = [() => stand[Symbol.asyncDispose]()];
  const close = async (): Promise<void> => {
    for (const step of undo.toReversed()) await step();
  };
  try {
    const webhooks = await WebhookServer.open();
    undo.unshift(() => webhooks.close());
    const cuts = await holdCuts(stand.cluster.client, webhooks, stand.namespace);
    undo.push(() => cuts.remove());
    await startWriter(stand);
    return { ...rowsOf(stand), webhooks, cuts, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

function rowsOf(
  stand: GuardStand,
): Omit<GuardRows, 'webhooks' | 'cuts' | typeof Symbol.asyncDispose> {
  const notes: GuardRows['notes'] = async () => {
    const { a: log = '' } = await writerLogs(stand);
    return log.split('\n').filter((line) => line !== '' && !line.startsWith('row '));
  };
  return {
    stand,
    notes,
    notesUntilThaw: (before) =>
      eventually(
        'the application is thawed',
        async () => {
          const added = (await notes()).slice(before.length);
          return added.at(-1) === THAWED && added;
        },
        PATIENCE_SECONDS,
      ),
    nextWindow: (before) =>
      eventually(
        'a window ends',
        async () => {
          const next = (await stand.windows())[before];
          return next?.status?.completedAt !== undefined && next;
        },
        PATIENCE_SECONDS,
      ),
    untilRested: async () => {
      await eventually('the application has rested', async () => {
        const newest = (await stand.windows()).at(-1);
        return newest === undefined || restAfter(newest, Date.now()).ms === 0;
      });
    },
    refuseByQuota: () => refuseByQuota(stand),
    liftQuota: () => liftQuota(stand),
  };
}

/**
 * Before the API server has cached the quota's usage, it refuses requests for another reason. This function writes the
 * usage itself, because the quota controller takes minutes to count objects of a new kind.
 */
async function refuseByQuota(stand: GuardStand): Promise<void> {
  const { kubectl } = stand;
  const hard = { 'count/volumesnapshots.snapshot.storage.k8s.io': '0' };
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: QUOTA } };
  expect(await kubectl(['create', '-f', '-'], { ...quota, spec: { hard } })).toMatchObject(DONE);
  const status = JSON.stringify({ status: { hard, used: hard } });
  const patch = ['patch', 'resourcequota', QUOTA, '--subresource', 'status', '--type', 'merge'];
  expect(await kubectl([...patch, '-p', status])).toMatchObject(DONE);
  await eventually('the API server refuses by the quota', async () =>
    (await whyRefused(stand)).includes('exceeded quota'),
  );
}

async function liftQuota(stand: GuardStand): Promise<void> {
  const { cluster, namespace } = stand;
  await cluster.client.delete(resourceQuotas, { namespace, name: QUOTA });
  await eventually('the API server refuses nothing', async () => (await whyRefused(stand)) === '');
}

/** '': the API server admits a VolumeSnapshot. The dry run is checked against the quota, and freezes nothing. */
async function whyRefused({ cluster, namespace }: GuardStand): Promise<string> {
  const trial = { metadata: { name: 'trial', namespace }, spec: sourceOf('a') };
  return cluster.client.create(snapshots, trial, { dryRun: true }).then(() => '', String);
}
