/** Gathers the current state of one guard as one value. */
import { keyText } from '../../../controller/object-key.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import { namespaces } from '../../../kube/resources.ts';
import { type SnapshotGuard, type ApplicationSnapshot, executionHookTemplates } from '../kinds.ts';
import { GUARD_ENABLED, GUARD_ENABLED_VALUE } from '../names.ts';
import type { GuardCaches } from './caches.ts';

export interface GuardFacts {
  /** null: the guard does not exist. Windows of a deleted guard may still exist. */
  readonly guard: SnapshotGuard | null;
  /** The windows of the guard, oldest first. */
  readonly windows: readonly ApplicationSnapshot[];
  /** Whether the server calls the webhook for snapshots of the namespace. */
  readonly isEnabled: boolean;
  readonly missingTemplates: readonly string[];
  readonly nowMs: number;
}

export interface GatherGuardOptions {
  readonly caches: GuardCaches;
  readonly client: KubeClient;
  readonly nowMs: number;
}

export async function gatherGuardFacts(
  { caches, client, nowMs }: GatherGuardOptions,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<GuardFacts> {
  const key = keyText({ namespace, name });
  const guard = caches.guards.get(key) ?? null;
  const windows = caches.windowsOf(key);
  if (guard === null) return { guard, windows, isEnabled: false, missingTemplates: [], nowMs };
  const [isEnabled, missingTemplates] = await Promise.all([
    isEnabledIn(client, namespace),
    findMissingTemplates(client, guard),
  ]);
  return { guard, windows, isEnabled, missingTemplates, nowMs };
}

async function isEnabledIn(client: KubeClient, namespace: string): Promise<boolean> {
  const found = await getOrNull(client, namespaces, { name: namespace });
  return found?.metadata?.labels?.[GUARD_ENABLED] === GUARD_ENABLED_VALUE;
}

async function findMissingTemplates(
  client: KubeClient,
  { metadata, spec }: SnapshotGuard,
): Promise<readonly string[]> {
  const namespace = metadata?.namespace ?? '';
  const names = spec.executionHookInfos.flatMap((info) => info.executionHookTemplateName ?? []);
  const found = await Promise.all(
    [...new Set(names)].map(async (name) => ({
      name,
      template: await getOrNull(client, executionHookTemplates, { namespace, name }),
    })),
  );
  return found.flatMap(({ name, template }) => (template === null ? [name] : []));
}
