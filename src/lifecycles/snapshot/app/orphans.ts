/**
 * Hooks that nobody waits for: the request that made one may have been on its way for long, and arrive when
 * its snapshot is over, or has been deleted, and the hooks that were there are gone. Nobody would call for its
 * thaw, and nobody wants to keep what it tells.
 */
import { controllerOf } from '../../../controller/indexes.ts';
import { isGoing, removeFinalizer } from '../../../controller/finalizers.ts';
import { parseKey } from '../../../controller/object-key.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import {
  applicationSnapshots,
  type ApplicationSnapshot,
  type ExecutionHook,
  executionHooks,
} from '../kinds.ts';
import { EVIDENCE_FINALIZER } from '../names.ts';
import type { SnapshotCaches } from './caches.ts';
import { deleteHook } from './end-steps.ts';

export interface OrphanOptions {
  readonly caches: SnapshotCaches;
  /** Fenced. */
  readonly client: KubeClient;
}

/**
 * Those of the key (namespace/name). `snapshot` null: none is there, as far as is known. The server is asked
 * before anything is done, since caches may know of a hook before its snapshot, or not of its last change.
 */
export async function letOrphansGo(
  { caches, client }: OrphanOptions,
  key: string,
  snapshot: ApplicationSnapshot | null,
): Promise<void> {
  const strange = orphansOf(caches.hooksOf(key), snapshot);
  if (strange.length === 0) return;
  const newest = await getOrNull(client, applicationSnapshots, parseKey(key));
  for (const { metadata } of strange) {
    const { namespace = '', name = '' } = metadata ?? {};
    const hook = await getOrNull(client, executionHooks, { namespace, name });
    const found = hook === null ? [] : orphansOf([hook], newest);
    for (const orphan of found) await letGo({ caches, client }, orphan);
  }
}

/** Those that hold what they tell for a snapshot that is not this one, or that has kept all of it. */
export function orphansOf(
  hooks: readonly ExecutionHook[],
  snapshot: ApplicationSnapshot | null,
): readonly ExecutionHook[] {
  return hooks.filter((hook) => {
    const holds = hook.metadata?.finalizers?.includes(EVIDENCE_FINALIZER) === true;
    const isOwn = controllerOf(hook)?.uid === snapshot?.metadata?.uid;
    return holds && (!isOwn || snapshot?.status?.completedAt !== undefined);
  });
}

/** Its deletion calls for the thaw, and the finalizer of the hook controller holds it until that is done. */
async function letGo(options: OrphanOptions, hook: ExecutionHook): Promise<void> {
  const { caches, client } = options;
  const object = isGoing(hook) ? hook : await deleteHook(options, hook);
  if (object === null) return;
  const finalizer = EVIDENCE_FINALIZER;
  const left = await removeFinalizer({ client, resource: executionHooks, object, finalizer });
  if (left !== null) caches.writtenHooks.remember(left);
}
