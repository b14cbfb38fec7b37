/** The steps of the cut. They wait only for their own requests, because applications are frozen. */
import { microTimeText } from '../../../controller/kube-time.ts';
import { again, type Outcome } from '../../../controller/reconcile.ts';
import { ApiError, isOtherObject, isReason } from '../../../kube/api-error.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { createOrGet, getOrNull } from '../../../kube/get-or-null.ts';
import type { KubeObject, Resource } from '../../../kube/object.ts';
import {
  type ApplicationSnapshot,
  type ExecutionHook,
  executionHooks,
  type SnapshotVolume,
} from '../kinds.ts';
import { cutMark, type CutProofs } from '../cut-mark.ts';
import { CUT_RELEASE, CUT_SEEN } from '../names.ts';
import { deleteHook } from './end-steps.ts';
import { type Acting, fail, isRefusal, nowText, writeStatus } from './acting.ts';
import {
  cutTokenOf,
  DEFINITION_OUTDATED,
  isProofDropped,
  proofOfFreeze,
  proveCut,
} from './cut-token.ts';
import { groupSnapshotFor, isOwnedBy, volumeSnapshotFor } from './made-objects.ts';
import { identify } from './identify.ts';
import { withPresentUse } from './read-sources.ts';
import { reportCut } from './report-cut.ts';
import type { Step } from './step.ts';
import { cutReleaseOf, timeIn, whyExpired, whyNotHeld, whyThawed } from './thaw-order.ts';

/** Makes the request durable before the first VolumeSnapshot is created. */
export async function requestCut(acting: Acting): Promise<Outcome> {
  if (await isOneThere(acting)) return fail(acting, NAME_TAKEN);
  const cutRequestedAt = nowText(acting);
  const requested = { phase: 'Cutting', cutRequestedAt, ...proofOfFreeze(acting) } as const;
  const snapshot = await writeStatus(acting, requested);
  const durable = { ...acting, facts: { ...acting.facts, snapshot } };
  if (isProofDropped(acting, snapshot)) return fail(durable, DEFINITION_OUTDATED);
  return makeSnapshots(durable);
}

const NAME_TAKEN = {
  reason: 'NameTaken',
  message:
    'a VolumeSnapshot of a planned name exists already, and does not belong to this snapshot',
} as const;

/** Whether a planned name is taken before our creation: by another client, whatever owner it names (SNAP-S9). */
async function isOneThere({ client, caches, facts }: Acting): Promise<boolean> {
  const { kinds } = caches;
  const { namespace } = identify(facts.snapshot);
  const { volumes = [], volumeGroupSnapshotName: group } = facts.snapshot.status ?? {};
  const single = volumes.flatMap(({ volumeSnapshotName: name }) => name ?? []);
  const resource: Resource = group === undefined ? kinds.snapshots.resource : kinds.groups.resource;
  const names = group === undefined ? single : [group];
  const found = await Promise.all(
    names.map((name) => getOrNull(client, resource, { namespace, name })),
  );
  return found.some((each) => each !== null);
}

/** Creates each snapshot once. A retry uses the same names, and skips the snapshots whose UID is recorded. */
export async function makeSnapshots(acting: Acting): Promise<Outcome> {
  let made: Made | null;
  let refused = 'a snapshot';
  try {
    made = await makeAll(acting, acting.facts.snapshot);
    refused = "the status with the snapshots' UIDs";
    if (made !== null) await writeStatus(acting, made);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const message = `the server refuses ${refused}: ${error.message}`;
    return fail(acting, { reason: 'CutRefused', message });
  }
  return made === null ? fail(acting, NAME_TAKEN) : again;
}

type Made = Pick<ApplicationSnapshot['status'] & object, 'volumes' | 'volumeGroupSnapshotUID'>;

async function makeAll(acting: Acting, snapshot: ApplicationSnapshot): Promise<Made | null> {
  const { volumes = [], volumeGroupSnapshotName } = snapshot.status ?? {};
  const { kinds } = acting.caches;
  if (volumeGroupSnapshotName !== undefined) {
    const uid = await make(acting, kinds.groups.resource, groupSnapshotFor(snapshot));
    return uid === null ? null : { volumeGroupSnapshotUID: uid };
  }
  const uids = await Promise.all(
    volumes.map(async (volume) => {
      if (volume.volumeSnapshotUID !== undefined) return volume.volumeSnapshotUID;
      return make(acting, kinds.snapshots.resource, volumeSnapshotFor(snapshot, volume));
    }),
  );
  const made = volumes.map((volume, index) => ({
    ...volume,
    volumeSnapshotUID: uids[index] ?? '',
  }));
  return uids.includes(null) ? null : { volumes: made };
}

/** Resolves with the UID of the object; null: the object belongs to another owner. */
async function make<T extends KubeObject>(
  { client, facts }: Acting,
  resource: Resource<T>,
  object: T,
): Promise<string | null> {
  const made = await createOrGet(client, resource, object);
  return isOwnedBy(made, facts.snapshot) ? (made.metadata?.uid ?? null) : null;
}

/** Requests all probes in parallel. If the server refuses a request for good, the thaw starts without answers. */
export async function askHooks(
  unproven: Acting,
  { hooks, volumes }: Extract<Step, { kind: 'askHooks' }>,
): Promise<Outcome> {
  const acting = await proveCut(unproven);
  const { client, caches } = acting;
  const annotations = { [CUT_SEEN]: cutMark(cutTokenOf(acting), nowText(acting)) };
  const ask = async (hook: ExecutionHook): Promise<void> => {
    const { namespace, name, uid } = identify(hook);
    const body = { metadata: { uid, annotations } };
    const key = { namespace, name };
    caches.writtenHooks.remember(await client.patch(executionHooks, key, { type: 'merge', body }));
  };
  try {
    await Promise.all(hooks.map(ask));
    return again;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return recordCut(acting, volumes);
  }
}

/**
 * Requests the first thaw and then records the cut, so that a frozen application does not wait for that record. Without
 * hooks, it first checks whether a pod uses the volumes now. A pod that has used them and ended is not noticed.
 */
export async function recordCut(
  acting: Acting,
  volumes: readonly SnapshotVolume[],
): Promise<Outcome> {
  const { client, facts } = acting;
  const last = facts.hooks.at(-1)?.hook ?? null;
  if (last === null) {
    const seen = await withPresentUse(client, facts.snapshot, volumes);
    return recordCutAt(acting, seen, nowText(acting));
  }
  const expired = whyOneExpired(acting);
  if (expired !== null) return fail(acting, thawedBeforeCut(expired));
  const proven = await proveCut(acting);
  const released = await releaseHook(last, releasing(proven));
  if (released.hook !== null) acting.caches.writtenHooks.remember(released.hook);
  if (released.kind === 'notHeld') return fail(proven, thawedBeforeCut(released.why));
  if (released.kind === 'refused') {
    return fail(proven, { reason: 'ReleaseRefused', message: released.why });
  }
  return recordCutAt(proven, volumes, released.at);
}

/** Why a freeze has expired before the first release; null: none has, or an earlier process wrote the release. */
function whyOneExpired({ facts, context }: Acting): string | null {
  const { hooks, snapshot } = facts;
  const last = hooks.at(-1)?.hook ?? null;
  if (cutReleaseOf(last, snapshot.status ?? {}) !== undefined) return null;
  const nowMs = context.platform.clock.nowMs();
  const expired = hooks.flatMap(({ hook }) => (hook === null ? [] : whyExpired(hook, nowMs)));
  return expired.find((why) => why !== null) ?? null;
}

async function recordCutAt(
  acting: Acting,
  volumes: readonly SnapshotVolume[],
  cutObservedAt: string,
): Promise<Outcome> {
  const { spec, status } = acting.facts.snapshot;
  const phase = acting.facts.hooks.length === 0 ? 'Finishing' : 'Thawing';
  // A window is closed before its thaw is requested. It is closed here only if its status has lost the close.
  const closed = spec.window === undefined ? {} : { closedAt: status?.closedAt ?? cutObservedAt };
  await writeStatus(acting, { phase, cutObservedAt, volumes: [...volumes], ...closed });
  reportCut(acting, volumes, cutObservedAt);
  return again;
}

/** Requests the thaw of the hook that was frozen before the last released one. */
export async function releaseNext(acting: Acting, hook: ExecutionHook): Promise<Outcome> {
  const released = await releaseHook(hook, releasing(await proveCut(acting)));
  if (released.hook !== null) acting.caches.writtenHooks.remember(released.hook);
  if (released.kind === 'refused') await deleteHook(acting, hook);
  return again;
}

function thawedBeforeCut(why: string): { reason: string; message: string } {
  return { reason: 'ThawedBeforeCut', message: `before the cut was observed, ${why}` };
}

export interface Releasing {
  readonly client: KubeClient;
  readonly proofs: CutProofs;
  /** The token that proves the cut; its proof is already stored. */
  readonly token: string;
  readonly nowMs: number;
}

function releasing(acting: Acting): Releasing {
  const { client, context, facts } = acting;
  const proofs = facts.snapshot.status ?? {};
  const nowMs = context.platform.clock.nowMs();
  return { client, proofs, token: cutTokenOf(acting), nowMs };
}

type Released =
  | { readonly kind: 'released'; readonly at: string; readonly hook: ExecutionHook }
  /** The freeze did not last until this release: a thaw or a deletion came first. */
  | { readonly kind: 'notHeld'; readonly why: string; readonly hook: ExecutionHook | null }
  /** The annotation cannot be written, for example because another client has filled the annotations. */
  | { readonly kind: 'refused'; readonly why: string; readonly hook: null };

/**
 * Writes that the cut was seen and that the thaw is requested, in one write (SNAP-I2). `hook` comes from the cache, so
 * that one request is enough. The write has no resourceVersion, so that a client that changes the hook all the time
 * cannot delay it. A thaw that started before it shows in the server's answer, or as another cause in the hook's
 * evidence.
 */
export async function releaseHook(
  hook: ExecutionHook,
  { client, proofs, token, nowMs }: Releasing,
): Promise<Released> {
  const mark = cutReleaseOf(hook, proofs);
  if (mark !== undefined) {
    const markedMs = Date.parse(timeIn(mark) ?? '');
    // Another client may have changed the time. With an impossible time the server would always refuse the status.
    const isPossible = markedMs >= 0 && markedMs <= nowMs;
    const at = microTimeText(isPossible ? markedMs : nowMs);
    return { kind: 'released', at, hook };
  }
  const why = whyNotHeld(hook);
  if (why !== null) return { kind: 'notHeld', why, hook };
  const at = microTimeText(nowMs);
  const { name } = identify(hook);
  const written = await annotate(client, hook, { [CUT_RELEASE]: cutMark(token, at) });
  if (written instanceof ApiError) {
    const refusal = `the server refuses the release of hook ${name}: ${written.message}`;
    return { kind: 'refused', why: refusal, hook: null };
  }
  if (written === null) return { kind: 'notHeld', why: `hook ${name} was deleted`, hook: null };
  const late = whyThawed(written);
  if (late !== null) return { kind: 'notHeld', why: late, hook: written };
  return { kind: 'released', at, hook: written };
}

/** Sets annotations of a hook. null: the hook was deleted; an error: the server has refused the write for good. */
async function annotate(
  client: KubeClient,
  hook: ExecutionHook,
  annotations: Readonly<Record<string, string>>,
): Promise<ExecutionHook | ApiError | null> {
  const { namespace, name, uid } = identify(hook);
  const key = { namespace, name };
  const body = { metadata: { uid, annotations } };
  try {
    return await client.patch(executionHooks, key, { type: 'merge', body });
  } catch (error) {
    if (isReason(error, 'NotFound') || isOtherObject(error)) return null;
    if (isRefusal(error)) return error;
    throw error;
  }
}
