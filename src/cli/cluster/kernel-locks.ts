/**
 * What hooks keep frozen by locks that the end of their containers does not end (`lockScope: Kernel`): asked of the
 * cluster while it runs, and read from what it has stored when it was killed.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { openObjectStore } from '../../../packages/local-cluster/src/index.ts';
import { isReason } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import { resourceName } from '../../kube/object.ts';
import { type FrozenTarget, frozenTargets } from '../../lifecycles/snapshot/frozen-targets.ts';
import { outlivesContainer } from '../../lifecycles/snapshot/hook/targets.ts';
import { type ExecutionHook, executionHooks } from '../../lifecycles/snapshot/kinds.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { procTable } from '../../store/process-table.ts';

const ANSWER_MS = 5_000;

/** Rejects as the client does; none where the kinds are not installed. */
export async function locksOfRunning(client: KubeClient): Promise<readonly ExecutionHook[]> {
  try {
    const { items } = await client.list(executionHooks, { timeoutMs: ANSWER_MS });
    return items.filter(hasKernelLock);
  } catch (error) {
    if (isReason(error, 'NotFound')) return [];
    throw error;
  }
}

/** `folder`: the state folder, which this process has. */
export async function locksOfStopped(folder: string): Promise<readonly ExecutionHook[]> {
  const api = join(folder, 'api');
  if (!existsSync(api)) return [];
  const { files, clock, timers } = nodePlatform;
  const store = await openObjectStore({
    files,
    folder: api,
    processes: procTable(files),
    clock,
    timers,
  });
  try {
    const stored = store.list(resourceName(executionHooks));
    return stored.map(({ object }) => object as unknown as ExecutionHook).filter(hasKernelLock);
  } finally {
    await store.close();
  }
}

function hasKernelLock(hook: ExecutionHook): boolean {
  const resolved = hook.status?.resolved;
  const isKernel = resolved !== undefined && outlivesContainer(resolved);
  return isKernel && frozenTargets(hook).length > 0;
}

const SHOWN = 20;

/** "shop/db-0, container db (hook night); …" */
export function lockText(targets: readonly FrozenTarget[]): string {
  const shown = targets.slice(0, SHOWN).map(({ namespace, pod, container, hook }) => {
    return `${namespace}/${pod}, container ${container} (hook ${hook})`;
  });
  const more = targets.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join('; ');
}
