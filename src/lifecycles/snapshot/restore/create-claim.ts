/** Creates one claim of a restore. */
import type { PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';

import { isTerminating } from '../../../controller/finalizers.ts';
import { again, type Outcome, requeueAfter } from '../../../controller/reconcile.ts';
import { ApiError, isQuotaRefusal, isReason } from '../../../kube/api-error.ts';
import { createOrGet, getOrNull } from '../../../kube/get-or-null.ts';
import { apiVersionOf } from '../../../kube/object.ts';
import { persistentVolumeClaims, pods } from '../../../kube/resources.ts';
import { snapshots } from '../../../kube/snapshots.ts';
import type { Failure } from '../app/failure.ts';
import { RESTORED_BY, RESTORED_BY_NAME } from '../names.ts';
import { type Acting, fail, recordEvent, writeStatus, writeWaiting } from './acting.ts';
import { WAIT_FOR_CLAIM } from './conditions-of.ts';
import { bindSecondsOf, restOfBinding } from './decide-claims.ts';
import { type RestoredClaim, type SnapshotRestore, snapshotRestores } from './kinds.ts';

/** Milliseconds between two attempts while the name or the quota is taken. */
const LOOK_MS = 1_000;
const PODS_NAMED = 3;

export async function createClaim(acting: Acting, index: number): Promise<Outcome> {
  const { client, facts } = acting;
  const { claims = [] } = facts.restore.status ?? {};
  const wanted = claims[index];
  if (wanted === undefined) return again;
  const replaced = await whyReplaced(acting, wanted);
  if (replaced !== null) return fail(acting, replaced);
  let claim: PersistentVolumeClaim;
  try {
    claim = await createOrGet(client, persistentVolumeClaims, claimFor(facts.restore, wanted));
  } catch (error) {
    return refused(acting, wanted, error);
  }
  if (!isRestored(facts.restore, wanted, claim)) return waitForName(acting, wanted, claim);
  const claimUID = claim.metadata?.uid ?? '';
  await writeStatus(acting, {
    claims: claims.map((each, at) => (at === index ? { ...each, claimUID } : each)),
  });
  const message = `Created claim ${wanted.claimName} from VolumeSnapshot ${wanted.volumeSnapshotName}.`;
  recordEvent(acting, 'Normal', { reason: 'ClaimCreated', message });
  return again;
}

/**
 * Handles a refused claim. Retries if a claim of this name was removed between the creation and the read, or if a quota
 * refused the claim: the quota of a claim that was just deleted is free only seconds later. Any other refusal fails the
 * restore.
 */
async function refused(
  acting: Acting,
  { claimName }: RestoredClaim,
  error: unknown,
): Promise<Outcome> {
  if (!isRefusal(error)) throw error;
  const message = `The server refuses claim ${claimName}: ${error.message}`;
  const isBrief = isQuotaRefusal(error) || isReason(error, 'NotFound');
  if (isBrief && restOfBinding(acting.facts) > 0) return requeueAfter(LOOK_MS, message);
  return fail(acting, { reason: 'ClaimRefused', message });
}

/** Waits for a claim of this name that terminates: the pods of a stopped workload may have just ended. */
async function waitForName(
  acting: Acting,
  wanted: RestoredClaim,
  { metadata }: PersistentVolumeClaim,
): Promise<Outcome> {
  if (metadata?.deletionTimestamp === undefined) return fail(acting, nameTaken(wanted));
  if (restOfBinding(acting.facts) > 0) {
    const message = await deletionText(acting, { metadata });
    await writeWaiting(acting, { reason: WAIT_FOR_CLAIM, message });
    return requeueAfter(LOOK_MS, message);
  }
  const by = await keptBy(acting, { metadata });
  const seconds = bindSecondsOf(acting.facts.restore);
  const message = `Claim ${metadata.name ?? ''} was still being deleted after ${seconds} s, kept by ${by}: delete the pods that mount it, including finished pods, or raise bindDeadlineSeconds.`;
  return fail(acting, { reason: 'ClaimExists', message });
}

/** The message about a claim that is being deleted. It names what keeps the claim: pods, or else finalizers. */
export async function deletionText(acting: Acting, claim: PersistentVolumeClaim): Promise<string> {
  const by = await keptBy(acting, claim);
  return `Claim ${claim.metadata?.name ?? ''} is being deleted, and is kept by ${by}.`;
}

async function keptBy(acting: Acting, { metadata }: PersistentVolumeClaim): Promise<string> {
  const { namespace = '', name = '', finalizers = [] } = metadata ?? {};
  const users = await podsWith(acting, namespace, name);
  return users.length > 0 ? `pods that mount it: ${users.join(', ')}` : finalizers.join(', ');
}

/** Names of at most PODS_NAMED pods. Kubernetes keeps a claim while a pod mounts it, even a pod that has ended. */
async function podsWith(
  { client }: Acting,
  namespace: string,
  claimName: string,
): Promise<readonly string[]> {
  const { items } = await client.list(pods, { namespace });
  const users = items.filter(({ spec: { volumes = [] } = {} }) =>
    volumes.some((each) => each.persistentVolumeClaim?.claimName === claimName),
  );
  return users.slice(0, PODS_NAMED).map(({ metadata }) => metadata?.name ?? '');
}

/**
 * The verdict was read from the VolumeSnapshot with this UID. A VolumeSnapshot that replaced it may have any content.
 */
async function whyReplaced(
  { client, facts }: Acting,
  { volumeSnapshotName: name, volumeSnapshotUID: uid }: RestoredClaim,
): Promise<Failure | null> {
  const { namespace = '' } = facts.restore.metadata ?? {};
  const snapshot = await getOrNull(client, snapshots, { namespace, name });
  if (snapshot?.metadata?.uid === uid && !isTerminating(snapshot)) return null;
  const message = `VolumeSnapshot ${name} was deleted or replaced during the restore: start another restore.`;
  return { reason: 'SnapshotNotFound', message };
}

/**
 * The claim to create. Lasting claims have no owner, so that they outlive the restore. The claims of a scratch restore
 * are deleted with it.
 */
function claimFor(
  { metadata, spec }: SnapshotRestore,
  claim: RestoredClaim,
): PersistentVolumeClaim {
  const { namespace = '', name = '', uid = '' } = metadata ?? {};
  const { storageClassName, volumeMode, accessModes, size, labels, annotations } = claim;
  const owner = {
    apiVersion: apiVersionOf(snapshotRestores),
    kind: snapshotRestores.kind,
    name,
    uid,
  };
  return {
    metadata: {
      namespace,
      name: claim.claimName,
      labels: { ...labels, [RESTORED_BY]: uid },
      annotations: { ...annotations, [RESTORED_BY_NAME]: name },
      ...(spec.scratch === true ? { ownerReferences: [owner] } : {}),
    },
    spec: {
      accessModes,
      ...(storageClassName === undefined ? {} : { storageClassName }),
      ...(volumeMode === undefined ? {} : { volumeMode }),
      resources: { requests: { storage: size } },
      dataSource: {
        apiGroup: 'snapshot.storage.k8s.io',
        kind: 'VolumeSnapshot',
        name: claim.volumeSnapshotName,
      },
    },
  };
}

/** Whether the server refused the write and stored nothing, because of a quota, a webhook or an invalid field. */
export function isRefusal(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  return error.code >= 400 && error.code < 500 && ![401, 408, 409, 429].includes(error.code);
}

/**
 * The failure of a restore whose claim exists already. The message contains no command that deletes the claim, since
 * the claim may be the only copy of its data.
 */
export function nameTaken({ claimName, sourceClaimName }: RestoredClaim): Failure {
  const message = `Claim ${claimName} exists already, and a restore never overwrites one. Restore under another name, which keeps both: claimName in spec.claims (--claim ${sourceClaimName}=NEW). To replace the claim, which loses its data, see "Restore a StatefulSet under the same names" in docs/snapshot-restore.md.`;
  return { reason: 'ClaimExists', message };
}

/**
 * Whether the claim was created for this restore. Every user who may write a claim can set the label, but cannot change
 * the source.
 */
export function isRestored(
  restore: SnapshotRestore,
  { volumeSnapshotName }: RestoredClaim,
  claim: PersistentVolumeClaim,
): boolean {
  const { dataSource } = claim.spec ?? {};
  return (
    claim.metadata?.labels?.[RESTORED_BY] === restore.metadata?.uid &&
    dataSource?.kind === 'VolumeSnapshot' &&
    dataSource.name === volumeSnapshotName
  );
}
