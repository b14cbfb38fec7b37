/**
 * Gathers the current state of one restore as one value. It reads from the server, since a restore is rare and lasts
 * minutes.
 */
import type { PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1.js';

import { isTerminating } from '../../../controller/finalizers.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { persistentVolumeClaims, pods, storageClasses } from '../../../kube/resources.ts';
import type { Attempts } from '../hook/attempts.ts';
import type { OpenAttempt } from '../hook/facts.ts';
import { RESTORED_BY } from '../names.ts';
import { STAGES } from './check-spec.ts';
import { execId } from './exec-attempt.ts';
import { openAttempt, statusOf } from './hook-steps.ts';
import type { RestoreHook, RestoreStage, SnapshotRestore } from './kinds.ts';
import { type Restarted, readRestarted } from './restarted.ts';
import { readScale, type ScaleState } from './workload.ts';

export interface RestoreFacts {
  readonly restore: SnapshotRestore;
  /** One entry for each of `status.claims`, from `claimsRequestedAt` until the clean-up; empty otherwise. */
  readonly claims: readonly ClaimFacts[];
  /** The hook with an open attempt; null: none. */
  readonly open: OpenHook | null;
  /** Pods and claims that this restore owns. They are read only at its end. */
  readonly made: {
    readonly pods: readonly Pod[];
    readonly claims: readonly PersistentVolumeClaim[];
  };
  /** A workload that this restore has stopped, and that has replicas again; null: none. */
  readonly restarted: Restarted | null;
  readonly nowMs: number;
}

export interface ClaimFacts {
  /** null: the claim does not exist. */
  readonly claim: PersistentVolumeClaim | null;
  /** Whether the claim is not bound, because its class binds it when the first pod uses it. */
  readonly waitsForConsumer: boolean;
}

export interface OpenHook {
  readonly hook: RestoreHook;
  readonly stage: RestoreStage;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  readonly startedMs: number;
  /** null: no pod has the name of this attempt's pod. */
  readonly pod: Pod | null;
  readonly exec: OpenAttempt;
  /** null: the hook scales nothing, or its workload does not exist. */
  readonly scale: ScaleState | null;
}

export interface Gathering {
  readonly client: KubeClient;
  readonly attempts: Attempts;
  readonly nowMs: number;
}

export async function gatherFacts(
  gathering: Gathering,
  restore: SnapshotRestore,
): Promise<RestoreFacts> {
  const { nowMs } = gathering;
  const [claims, open, made, restarted] = await Promise.all([
    gatherClaims(gathering, restore),
    gatherOpen(gathering, restore),
    gatherMade(gathering, restore),
    isOver(restore) ? null : readRestarted(gathering.client, restore),
  ]);
  return { restore, claims, open, made, restarted, nowMs };
}

/** Whether the restore has ended, or has at most its clean-up left to do. */
export function isOver(restore: SnapshotRestore): boolean {
  return restore.status?.completedAt !== undefined || isAtItsEnd(restore);
}

async function gatherClaims(
  { client }: Gathering,
  restore: SnapshotRestore,
): Promise<readonly ClaimFacts[]> {
  const { claims = [], claimsRequestedAt } = restore.status ?? {};
  if (claimsRequestedAt === undefined || isOver(restore)) return [];
  const namespace = restore.metadata?.namespace ?? '';
  return Promise.all(
    claims.map(async ({ claimName: name }) => {
      const claim = await getOrNull(client, persistentVolumeClaims, { namespace, name });
      return { claim, waitsForConsumer: await waitsForConsumer(client, claim) };
    }),
  );
}

async function waitsForConsumer(
  client: KubeClient,
  claim: PersistentVolumeClaim | null,
): Promise<boolean> {
  const name = claim?.spec?.storageClassName ?? '';
  if (name === '' || claim?.status?.phase === 'Bound') return false;
  const storageClass = await getOrNull(client, storageClasses, { name });
  return storageClass?.volumeBindingMode === 'WaitForFirstConsumer';
}

async function gatherOpen(
  { client, attempts }: Gathering,
  restore: SnapshotRestore,
): Promise<OpenHook | null> {
  const found = findOpen(restore);
  if (found === null) return null;
  const { namespace = '' } = restore.metadata ?? {};
  const { hook, podName, attempt } = found;
  const key = { namespace, name: podName };
  return {
    ...found,
    pod: podName === '' ? null : await getOrNull(client, pods, key),
    exec: attempts.look(execId(restore, hook, attempt)),
    scale: hook.scale === undefined ? null : await readScale(client, namespace, hook.scale),
  };
}

type Found = Pick<OpenHook, 'hook' | 'stage' | 'attempt' | 'startedMs'> & {
  readonly podName: string;
};

function findOpen(restore: SnapshotRestore): Found | null {
  if (restore.status?.completedAt !== undefined) return null;
  const all = STAGES.flatMap((stage) =>
    (restore.spec[stage] ?? []).map((hook) => ({ stage, hook })),
  );
  for (const { stage, hook } of all) {
    const status = statusOf(restore, hook.name);
    const open = openAttempt(status);
    if (status === undefined || open === undefined) continue;
    const { podName = '', attempts = [] } = status;
    const startedMs = Date.parse(open.startedAt);
    return { hook, stage, attempt: attempts.length, startedMs, podName };
  }
  return null;
}

async function gatherMade(
  { client }: Gathering,
  restore: SnapshotRestore,
): Promise<RestoreFacts['made']> {
  if (!isAtItsEnd(restore)) return { pods: [], claims: [] };
  const { namespace = '', uid = '' } = restore.metadata ?? {};
  const among = { namespace, labelSelector: `${RESTORED_BY}=${uid}` };
  const [ofPods, ofClaims] = await Promise.all([
    client.list(pods, among),
    client.list(persistentVolumeClaims, among),
  ]);
  // The label is only for the search: every user who may write such an object can set it. The owner reference decides:
  // when the restore is deleted, the garbage collector deletes every object with that reference anyway.
  const isOurs = ({ metadata }: KubeObject): boolean =>
    metadata?.ownerReferences?.some((owner) => owner.uid === uid) === true;
  return { pods: ofPods.items.filter(isOurs), claims: ofClaims.items.filter(isOurs) };
}

/** Whether the restore has at most its clean-up left to do. */
export function isAtItsEnd(restore: SnapshotRestore): boolean {
  const { failure, phase, completedAt } = restore.status ?? {};
  if (isTerminating(restore)) return true;
  return completedAt === undefined && (failure !== undefined || phase === 'CleaningUp');
}
