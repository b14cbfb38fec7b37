/**
 * Releases orphaned hooks. The request that created such a hook was slow, and arrived after its snapshot was complete
 * or deleted. No other step would request its thaw or remove our evidence finalizer.
 */
import { controllerOf } from '../../../controller/indexes.ts';
import { isTerminating, removeFinalizer } from '../../../controller/finalizers.ts';
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
  /** Refuses to write once this process no longer leads. */
  readonly client: KubeClient;
}

/**
 * Releases the orphaned hooks of the key (namespace/name). `snapshot` null: the cache has none. The server is read
 * before anything is changed: a cache may have a hook before its snapshot, or lack its last change.
 */
export async function releaseOrphans(
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
    for (const orphan of found) await release({ caches, client }, orphan);
  }
}

/** Hooks that still have our evidence finalizer although their snapshot was deleted, replaced or completed. */
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

/** The deletion requests the thaw, and the finalizer of the hook controller keeps the hook until that is done. */
async function release(options: OrphanOptions, hook: ExecutionHook): Promise<void> {
  const { caches, client } = options;
  const object = isTerminating(hook) ? hook : await deleteHook(options, hook);
  if (object === null) return;
  const finalizer = EVIDENCE_FINALIZER;
  const left = await removeFinalizer({ client, resource: executionHooks, object, finalizer });
  if (left !== null) caches.writtenHooks.remember(left);
}
