/**
 * The reads of the webhook of the guards. They always ask the server, since a cache may lack a guard that was just
 * created.
 */
import type { Resource } from '../../../kube/object.ts';
import { persistentVolumeClaims } from '../../../kube/resources.ts';
import { snapshots } from '../../../kube/snapshots.ts';
import { labelSelectorText } from '../../../kube/label-selector.ts';
import type { CancelSignal } from '../../../platform/platform.ts';
import { isTerminating } from '../../../controller/finalizers.ts';
import { groupsOf } from '../app/snapshot-kinds.ts';
import {
  type SnapshotGuard,
  snapshotGuards,
  applicationSnapshots,
  type ApplicationSnapshot,
} from '../kinds.ts';
import { findObject } from './find-object.ts';
import { isWindowOf, windowNumber } from './guard-window.ts';
import type { GuardWorld } from './guard-world.ts';
import { CALL_MS } from './limits.ts';
import { type RequestedClaim, selects } from './match-guards.ts';
import type { RequestedSnapshot } from './requested-snapshot.ts';
import { GUARD_NAME } from '../names.ts';

type Reader = Pick<GuardWorld, 'client'>;

export async function readGuards(
  { client }: Reader,
  { namespace }: Pick<RequestedSnapshot, 'namespace'>,
  signal: CancelSignal,
): Promise<readonly SnapshotGuard[]> {
  const { items } = await client.list(snapshotGuards, { namespace, ...callOf(signal) });
  return items;
}

/**
 * Whether an ApplicationSnapshot creates this object now. Then its own hooks have frozen, and no guard is needed
 * (SNAP-W7). After its cut this is false: another client may copy its owner reference.
 */
export async function isPlanned(
  { client }: Reader,
  { namespace, kind, name, owner, source }: RequestedSnapshot,
): Promise<boolean> {
  if (owner === null) return false;
  const planned = await findObject(client, applicationSnapshots, { namespace, name: owner.name });
  if (planned?.metadata?.uid !== owner.uid || !isCutting(planned)) return false;
  const { volumes = [], volumeGroupSnapshotName } = planned.status ?? {};
  if (kind === 'VolumeGroupSnapshot') return name === volumeGroupSnapshotName;
  const claimName = source.kind === 'claim' ? source.name : '';
  return volumes.some((each) => each.volumeSnapshotName === name && each.claimName === claimName);
}

function isCutting({ spec, status = {} }: ApplicationSnapshot): boolean {
  const { cutRequestedAt, cutObservedAt, failure } = status;
  if (spec.window !== undefined || cutRequestedAt === undefined) return false;
  return cutObservedAt === undefined && failure === undefined;
}

/** An `orphan` names a group that does not exist: it was deleted, or there was none. */
export type Membership = 'member' | 'orphan' | 'none';

/**
 * Determines how a snapshot relates to a group. `member`: the snapshot controller records a part of a group that
 * exists. Nothing is cut for it, and the group was judged at its own creation (SNAP-W7). A snapshot that only names the
 * group gets no verdict from it: `membersOf` in `app/content-of.ts`.
 */
export async function membershipOf(
  { client }: Reader,
  { namespace, group }: RequestedSnapshot,
): Promise<Membership> {
  const resource = group === null ? null : groupsOf(group.version);
  if (group === null || resource === null) return 'none';
  const found = await findObject(client, resource, { namespace, name: group.name });
  return found?.metadata?.uid === group.uid ? 'member' : 'orphan';
}

/**
 * Whether an object of that name exists. Then the server refuses the request after the webhook, whatever the webhook
 * answers.
 */
export async function isTaken(
  { client }: Reader,
  { kind, version, namespace, name, uid }: RequestedSnapshot,
): Promise<boolean> {
  const resource: Resource | null = kind === 'VolumeSnapshot' ? snapshots : groupsOf(version);
  const found = resource === null ? null : await findObject(client, resource, { namespace, name });
  return found !== null && found.metadata?.uid !== uid;
}

export async function readClaims(
  { client }: Reader,
  { namespace, source }: RequestedSnapshot,
  signal: CancelSignal,
): Promise<readonly RequestedClaim[]> {
  if (source.kind === 'claim') {
    const { name } = source;
    const claim = await findObject(client, persistentVolumeClaims, { namespace, name });
    return [{ name, claim }];
  }
  const labelSelector = labelSelectorText({ matchLabels: { ...source.matchLabels } });
  const list = { namespace, labelSelector, ...callOf(signal) };
  const { items } = await client.list(persistentVolumeClaims, list);
  return items.map((claim) => ({ name: claim.metadata?.name ?? '', claim }));
}

/** Names of the bound claims that the guard selects, sorted. */
export async function readGuardedClaims(
  { client }: Reader,
  guard: SnapshotGuard,
  signal: CancelSignal,
): Promise<readonly string[]> {
  const namespace = guard.metadata?.namespace ?? '';
  const { items } = await client.list(persistentVolumeClaims, { namespace, ...callOf(signal) });
  return items
    .filter((claim) => selects(guard, claim) && claim.status?.phase === 'Bound')
    .filter((claim) => !isTerminating(claim))
    .map(({ metadata }) => metadata?.name ?? '')
    .toSorted();
}

/** The windows of the guard, oldest first. */
export async function readWindows(
  { client }: Reader,
  guard: SnapshotGuard,
  signal: CancelSignal,
): Promise<readonly ApplicationSnapshot[]> {
  const { namespace = '', name = '' } = guard.metadata ?? {};
  const labelSelector = `${GUARD_NAME}=${name}`;
  const list = { namespace, labelSelector, ...callOf(signal) };
  const { items } = await client.list(applicationSnapshots, list);
  return items
    .filter((each) => isWindowOf(each, guard))
    .toSorted((a, b) => windowNumber(a) - windowNumber(b));
}

export function callOf(signal: CancelSignal): {
  readonly signal: CancelSignal;
  readonly timeoutMs: number;
} {
  return { signal, timeoutMs: CALL_MS };
}
