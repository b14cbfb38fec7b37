/**
 * Reads from the server, right before the plan, whether it serves the kinds that a snapshot needs.
 *
 * A server continues the watches of a deleted definition for a second or more, so a watch does not show that a kind is
 * missing. Nothing may freeze for a kind that is not served. The kinds of contents are not checked: they are installed
 * and deleted together with the kinds of the snapshots.
 */
import { isReason } from '../../../kube/api-error.ts';
import type { KubeClient, ListOptions } from '../../../kube/client.ts';
import { apiVersionOf, type KubeObject, type Resource } from '../../../kube/object.ts';
import type { SnapshotClass } from '../../../kube/snapshots.ts';
import type { ApplicationSnapshot, ApplicationSnapshotStatus } from '../kinds.ts';
import { identify } from './identify.ts';
import type { SnapshotKinds } from './snapshot-kinds.ts';
import { findCondition, withReported } from '../../../controller/conditions.ts';
import { type Outcome, requeueAfter } from '../../../controller/reconcile.ts';
import { LOOK_MS } from '../../../controller/served-kind.ts';
import { type Acting, recordEvent, writeStatus } from './acting.ts';

export type KindsRead =
  | { readonly classes: readonly SnapshotClass[] }
  /** Names of the missing kinds, for a message. */
  | { readonly missing: readonly string[] };

export async function readKinds(
  client: KubeClient,
  kinds: SnapshotKinds,
  snapshot: ApplicationSnapshot,
): Promise<KindsRead> {
  const { mode } = snapshot.spec;
  const made = mode === 'Group' ? kinds.groups : kinds.snapshots;
  const ofClass = kinds.classes(mode);
  if (ofClass === null) return { missing: [made.text] };
  const { namespace, name } = identify(snapshot);
  const few = { namespace, fieldSelector: `metadata.name=${name}` };
  const [found, classes] = await Promise.all([
    listOrNull<KubeObject>(client, made.resource, few),
    listOrNull(client, ofClass),
  ]);
  if (found === null) return { missing: [made.text] };
  return classes === null ? { missing: [classText(ofClass)] } : { classes };
}

/** The text for messages: "VolumeSnapshotClass (snapshot.storage.k8s.io/v1)". */
export function classText(resource: Resource): string {
  return `${resource.kind} (${apiVersionOf(resource)})`;
}

/** null: the kind is not served. */
export async function listOrNull<T extends KubeObject>(
  client: Pick<KubeClient, 'list'>,
  resource: Resource<T>,
  options?: ListOptions,
): Promise<readonly T[] | null> {
  try {
    const { items } = await client.list(resource, options);
    return items;
  } catch (error) {
    if (isReason(error, 'NotFound')) return null;
    throw error;
  }
}

/** The type of the condition. KIND_NOT_SERVED is its reason while it is False. */
export const KINDS_SERVED = 'KindsServed';
export const KIND_NOT_SERVED = 'KindNotServed';

export function missingText(missing: readonly string[]): string {
  return `This cluster does not serve ${missing.join(', ')}: install the kinds and the controller of volume snapshots of your storage.`;
}

/** Handles a snapshot that cannot begin because the server lacks kinds: reports that once, and waits. */
export async function waitForKinds(acting: Acting, missing: readonly string[]): Promise<Outcome> {
  const message = missingText(missing);
  const { conditions = [] } = acting.facts.snapshot.status ?? {};
  if (findCondition(conditions, KINDS_SERVED)?.message !== message) {
    await writeStatus(acting, condition(acting, { status: 'False', message }));
    recordEvent(acting, 'Warning', { reason: KIND_NOT_SERVED, message });
  }
  return requeueAfter(LOOK_MS, message);
}

/** The condition to write when the snapshot begins; empty if the snapshot did not have to wait. */
export function whenKindsServed(acting: Acting): Pick<ApplicationSnapshotStatus, 'conditions'> {
  const { conditions = [] } = acting.facts.snapshot.status ?? {};
  if (findCondition(conditions, KINDS_SERVED) === undefined) return {};
  return condition(acting, {
    status: 'True',
    message: 'The cluster serves the kinds that are needed.',
  });
}

function condition(
  { context, facts }: Acting,
  reported: { readonly status: 'True' | 'False'; readonly message: string },
): Required<Pick<ApplicationSnapshotStatus, 'conditions'>> {
  const { metadata, status: { conditions } = {} } = facts.snapshot;
  const reason = reported.status === 'True' ? 'Served' : KIND_NOT_SERVED;
  const nowMs = context.platform.clock.nowMs();
  const next = { type: KINDS_SERVED, ...reported, reason };
  return withReported({ ...(conditions && { conditions }) }, [next], { metadata, nowMs });
}
