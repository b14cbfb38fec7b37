/**
 * Thaws kernel locks before the local cluster stops, because no controller could thaw them afterwards. If a lock stays,
 * the stop is rejected, and the error lists the frozen containers.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';

import { openObjectStore } from '../../../packages/local-cluster/src/index.ts';
import { orNull, UnreachableError } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import { resourceName } from '../../kube/object.ts';
import { type FrozenTarget, frozenTargets } from '../../lifecycles/snapshot/frozen-targets.ts';
import { outlivesContainer } from '../../lifecycles/snapshot/hook/targets.ts';
import { type ExecutionHook, executionHooks } from '../../lifecycles/snapshot/kinds.ts';
import { LifehookError } from '../../model/problem.ts';
import { errorText } from '../../platform/error-text.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { procTable } from '../../store/process-table.ts';
import { type CliCluster, connectToKube } from '../kube-connection.ts';
import type { StopOptions } from '../lifecycle-parts.ts';
import { askForThaws } from './thaw.ts';
import type { RunningCluster } from '../cluster/cluster-state.ts';

const POLL_MS = 250;

/**
 * Rejects with LHA109 if a target would stay frozen. If the cluster does not answer from the start, it is stopped
 * nevertheless.
 */
export async function beforeStop(running: RunningCluster, options: StopOptions): Promise<void> {
  using cluster = await connectOrNull(running);
  const hooks = cluster === null ? [] : await locksOrNone(cluster.client);
  if (cluster === null || hooks.length === 0) return;
  const targets = hooks.flatMap(frozenTargets);
  if (options.leaveFrozen === true) {
    sayLeft(targets);
    return;
  }
  const left = await thaw(cluster.client, hooks, options.thawTimeout);
  if (left.length > 0) throw stillFrozen(options, left, 'See why with');
  process.stdout.write(`Thawed before the cluster stops: ${lockText(targets)}.\n`);
}

async function connectOrNull({ kubeconfig }: RunningCluster): Promise<CliCluster | null> {
  try {
    return await connectToKube({ kubeconfig }, 'down');
  } catch (error) {
    sayUnknown(error);
    return null;
  }
}

async function locksOrNone(client: KubeClient): Promise<readonly ExecutionHook[]> {
  try {
    return await locksOfRunning(client);
  } catch (error) {
    sayUnknown(error);
    return [];
  }
}

function sayUnknown(error: unknown): void {
  const why = errorText(error);
  process.stderr.write(`It is not known whether a hook keeps something frozen: ${why}\n`);
}

/**
 * Requests the thaws. Resolves with the targets that are still frozen at the deadline. If the cluster does not answer
 * then, these are the targets that were frozen at its last answer.
 */
export async function thaw(
  client: KubeClient,
  hooks: readonly ExecutionHook[],
  timeoutMs: number,
): Promise<readonly FrozenTarget[]> {
  const { clock } = nodePlatform;
  const endMs = clock.monotonicMs() + timeoutMs;
  await askForThaws(client, hooks);
  let last = hooks;
  for (;;) {
    last = await locksOrLast(client, last);
    const left = last.flatMap(frozenTargets);
    if (left.length === 0 || clock.monotonicMs() > endMs) return left;
    await wait(POLL_MS);
  }
}

async function locksOrLast(
  client: KubeClient,
  last: readonly ExecutionHook[],
): Promise<readonly ExecutionHook[]> {
  try {
    return await locksOfRunning(client);
  } catch (error) {
    if (error instanceof UnreachableError) return last;
    throw error;
  }
}

/**
 * Rejects with LHA109 if a killed cluster has left targets frozen, unless `--leave-frozen` is set. Only a running
 * cluster can thaw them. `folder`: its state directory, which this process has locked.
 */
export async function refuseStop(folder: string, options: StopOptions): Promise<void> {
  const left = (await locksOfStopped(folder)).flatMap(frozenTargets);
  if (left.length === 0) return;
  if (options.leaveFrozen === true) {
    sayLeft(left);
    return;
  }
  throw stillFrozen(
    options,
    left,
    'Start it again with `lifehook up`, which thaws; see the state of the thaw with',
  );
}

function sayLeft(left: readonly FrozenTarget[]): void {
  process.stderr.write(`Left frozen: ${lockText(left)}. Thaw it by hand.\n`);
}

function stillFrozen(
  { cluster }: StopOptions,
  left: readonly FrozenTarget[],
  look: string,
): LifehookError {
  const { namespace = '', hook = '' } = left[0] ?? {};
  return new LifehookError({
    code: 'LHA109',
    message: `The cluster "${cluster}" was not stopped, since these are still frozen: ${lockText(left)}. Stopping a container does not thaw it.`,
    next: `${look} \`kubectl describe executionhook -n ${namespace} ${hook}\`; if you have thawed it by hand: \`lifehook snapshot release -n ${namespace} ${hook} --by YOU\`; to stop nevertheless: --leave-frozen.`,
  });
}

const ANSWER_MS = 5_000;

/**
 * The hooks whose locks outlive their containers (`lockScope: Kernel`), read from the running cluster. Rejects with the
 * errors of the client; empty if the kinds are not installed.
 */
async function locksOfRunning(client: KubeClient): Promise<readonly ExecutionHook[]> {
  const hooks = await orNull(client.list(executionHooks, { timeoutMs: ANSWER_MS }), 'NotFound');
  return hooks?.items.filter(hasKernelLock) ?? [];
}

/**
 * Hooks with such locks, read from the store of a killed cluster. `folder`: its state directory, which this process has
 * locked.
 */
async function locksOfStopped(folder: string): Promise<readonly ExecutionHook[]> {
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

/** Lists frozen targets as "shop/db-0, container db (hook night); …". */
function lockText(targets: readonly FrozenTarget[]): string {
  const shown = targets.slice(0, SHOWN).map(({ namespace, pod, container, hook }) => {
    return `${namespace}/${pod}, container ${container} (hook ${hook})`;
  });
  const more = targets.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join('; ');
}
