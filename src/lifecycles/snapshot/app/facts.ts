/**
 * Gathers the current state of one snapshot as one value. It comes from the caches, since a frozen application waits
 * for it. The server is read for each hook once in a term, for a claim that the cache shows as lost, and for objects
 * that should exist and are in no cache.
 */
import { isTerminating } from '../../../controller/finalizers.ts';
import type { Informer } from '../../../controller/informer.ts';
import { keyText } from '../../../controller/object-key.ts';
import { readOnce } from '../../../controller/read-once.ts';
import type { ServedKind } from '../../../controller/served-kind.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import type { KubeObject } from '../../../kube/object.ts';
import {
  partsOf,
  type VolumeGroupSnapshot,
  type VolumeGroupSnapshotContent,
  type VolumeSnapshot,
  type VolumeSnapshotContent,
} from '../../../kube/snapshots.ts';
import type { ApplicationSnapshot, ExecutionHook, SnapshotVolume } from '../kinds.ts';
import { type AdmittedFacts, gatherAdmitted } from './admitted-facts.ts';
import type { SnapshotCaches } from './caches.ts';
import { contentOf, membersOf } from './content-of.ts';
import { identify } from './identify.ts';

export interface SnapshotFacts {
  readonly snapshot: ApplicationSnapshot;
  /** One entry for each of `status.executionHookNames`. */
  readonly hooks: readonly HookFacts[];
  /** One entry for each of `status.volumes`; empty for a window, which creates no snapshots. */
  readonly volumes: readonly VolumeFacts[];
  /** The group snapshot; null: the mode is Single. */
  readonly group: GroupFacts | null;
  /** One entry for each of `status.admitted`; empty if it is not a window of a guard. */
  readonly admitted: readonly AdmittedFacts[];
  /** Planned claims that are deleted, terminating, or replaced by others of the same name. */
  readonly lostClaims: readonly string[];
  /** Kinds that the snapshot needs and the server does not serve now, for messages. */
  readonly missingKinds: readonly string[];
  /** Whether it is a window that existed but had not begun at the first reconcile of this term. */
  readonly isInherited?: boolean;
  readonly nowMs: number;
  /** Milliseconds since the cut was requested, by the monotonic clock; absent: use the wall clock. */
  readonly cutForMs?: number | undefined;
}

export interface HookFacts {
  readonly name: string;
  /** null: the hook does not exist yet, or was deleted. */
  readonly hook: ExecutionHook | null;
}

export interface VolumeFacts {
  readonly plan: SnapshotVolume;
  readonly snapshot: VolumeSnapshot | null;
  /** The content that refers to this snapshot; the snapshot may not refer to it yet. null: not found. */
  readonly content: VolumeSnapshotContent | null;
}

export interface GroupFacts {
  readonly snapshot: VolumeGroupSnapshot | null;
  readonly content: VolumeGroupSnapshotContent | null;
}

export interface GatherOptions {
  readonly caches: SnapshotCaches;
  readonly client: KubeClient;
  readonly isInherited: boolean;
  readonly nowMs: number;
  readonly cutForMs?: number | undefined;
  /** Milliseconds since this process first saw the admission of a UID. */
  readonly admittedForMs: (uid: string) => number;
}

export async function gatherFacts(
  options: GatherOptions,
  snapshot: ApplicationSnapshot,
): Promise<SnapshotFacts> {
  const group = await gatherGroup(options, snapshot);
  return {
    snapshot,
    hooks: await gatherHooks(options, snapshot),
    volumes:
      group === null
        ? await gatherVolumes(options, snapshot)
        : gatherMembers(options, snapshot, group),
    group,
    admitted: await gatherAdmitted(options, snapshot),
    lostClaims: await findLostClaims(options, snapshot),
    missingKinds: options.caches.kinds.missing(snapshot.spec.mode),
    isInherited: options.isInherited,
    nowMs: options.nowMs,
    cutForMs: options.cutForMs,
  };
}

/**
 * Reads the hooks of the snapshot. Hooks are created in order. So until the cut is requested, or the snapshot fails or
 * is deleted, the server is not asked for hooks after the first missing one.
 */
async function gatherHooks(
  options: GatherOptions,
  snapshot: ApplicationSnapshot,
): Promise<readonly HookFacts[]> {
  const { namespace } = identify(snapshot);
  const { executionHookNames = [], completedAt } = snapshot.status ?? {};
  const all = mayAllBeThere(snapshot);
  const found: HookFacts[] = [];
  let expected = completedAt === undefined;
  for (const name of executionHookNames) {
    const hook = await findHook(options, { namespace, name, expected });
    found.push({ name, hook });
    expected &&= all || hook !== null;
  }
  return found;
}

function mayAllBeThere(snapshot: ApplicationSnapshot): boolean {
  const { failure, cutRequestedAt } = snapshot.status ?? {};
  return isTerminating(snapshot) || failure !== undefined || cutRequestedAt !== undefined;
}

async function findHook(
  { caches, client }: GatherOptions,
  { namespace, name, expected }: Wanted,
): Promise<ExecutionHook | null> {
  const { hooks: cache, writtenHooks: own } = caches;
  const key = keyText({ namespace, name });
  if (!expected) return caches.hook(key) ?? null;
  if (cache.get(key) === undefined) return getOrNull(client, cache.resource, { namespace, name });
  return (await readOnce({ client, cache, own }, key)) ?? null;
}

async function gatherVolumes(
  options: GatherOptions,
  { metadata, spec, status = {} }: ApplicationSnapshot,
): Promise<readonly VolumeFacts[]> {
  if (spec.window !== undefined) return [];
  const namespace = metadata?.namespace ?? '';
  return Promise.all(
    (status.volumes ?? []).map(async (plan) => {
      const { volumeSnapshotName: name = '', volumeSnapshotUID } = plan;
      const { snapshots: informer, kinds } = options.caches;
      const expected = volumeSnapshotUID !== undefined && status.completedAt === undefined;
      const among = { informer, kind: kinds.snapshots };
      const snapshot = await find(options, among, { namespace, name, expected });
      const found = options.caches.contents.byIndex('snapshot', keyText({ namespace, name }));
      const content = contentOf(found, {
        uid: volumeSnapshotUID ?? snapshot?.metadata?.uid,
        bound: snapshot?.status?.boundVolumeSnapshotContentName,
      });
      return { plan, snapshot, content };
    }),
  );
}

async function gatherGroup(
  options: GatherOptions,
  { metadata, status = {} }: ApplicationSnapshot,
): Promise<GroupFacts | null> {
  const { volumeGroupSnapshotName: name, volumeGroupSnapshotUID: uid, completedAt } = status;
  const { groups, groupContents, kinds } = options.caches;
  if (name === undefined) return null;
  const namespace = metadata?.namespace ?? '';
  const expected = uid !== undefined && completedAt === undefined;
  const among = { informer: groups, kind: kinds.groups };
  const snapshot = await find(options, among, { namespace, name, expected });
  const found = groupContents.byIndex('snapshot', keyText({ namespace, name }));
  const bound = snapshot?.status?.boundVolumeGroupSnapshotContentName;
  return { snapshot, content: contentOf(found, { uid, bound }) };
}

/** The group's content maps the handle of a part to a volume. */
function gatherMembers(
  { caches }: GatherOptions,
  { status = {} }: ApplicationSnapshot,
  { content: groupContent }: GroupFacts,
): readonly VolumeFacts[] {
  const uid = status.volumeGroupSnapshotUID ?? '';
  const members = membersOf(caches, { uid, content: groupContent });
  const parts = groupContent === null ? [] : (partsOf(groupContent) ?? []);
  return (status.volumes ?? []).map((plan) => {
    const part = parts.find(({ volumeHandle }) => volumeHandle === handleOf(plan));
    const member = members.find(({ handle }) => handle === part?.snapshotHandle);
    return { plan, snapshot: member?.object ?? null, content: member?.content ?? null };
  });
}

/** The identifier by which a content names a volume: its handle for a CSI volume, else its name. */
export function handleOf({ volumeHandle, volumeName }: SnapshotVolume): string {
  return volumeHandle ?? volumeName;
}

/** The claims are checked until the cut is seen. Asks the server, since a cache that lags must not fail a snapshot. */
async function findLostClaims(
  { caches, client }: GatherOptions,
  snapshot: ApplicationSnapshot,
): Promise<readonly string[]> {
  const { namespace } = identify(snapshot);
  const { cutObservedAt, failure, volumes = [] } = snapshot.status ?? {};
  // In a window, a lost claim must not fail the snapshots of the other claims (SNAP-W3).
  if (snapshot.spec.window !== undefined) return [];
  if (cutObservedAt !== undefined || failure !== undefined) return [];
  const lost: string[] = [];
  for (const { claimName: name, claimUID } of volumes) {
    if (isThere(caches.claims.get(keyText({ namespace, name })), claimUID)) continue;
    const claim = await getOrNull(client, caches.claims.resource, { namespace, name });
    if (claim === null || !isThere(claim, claimUID)) lost.push(name);
  }
  return lost;
}

function isThere(claim: KubeObject | undefined, uid: string): boolean {
  return claim !== undefined && identify(claim).uid === uid && !isTerminating(claim);
}

interface Wanted {
  readonly namespace: string;
  readonly name: string;
  /** Whether the object existed before. If so, its absence from the cache may only mean that the cache lags. */
  readonly expected: boolean;
}

interface Among<T extends KubeObject> {
  readonly informer: Informer<T>;
  readonly kind: ServedKind<T>;
}

async function find<T extends KubeObject>(
  { client }: GatherOptions,
  { informer, kind }: Among<T>,
  { namespace, name, expected }: Wanted,
): Promise<T | null> {
  const cached = informer.get(keyText({ namespace, name }));
  if (cached !== undefined) return cached;
  return expected ? getOrNull(client, kind.resource, { namespace, name }) : null;
}
