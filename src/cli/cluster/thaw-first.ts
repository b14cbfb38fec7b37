/**
 * Thaws kernel locks before the local cluster stops: no controller could thaw them afterwards. If a lock stays, the stop is
 * refused, and the error lists the frozen containers.
 */
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';

import { isReason } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import { type FrozenTarget, frozenTargets } from '../../lifecycles/snapshot/frozen-targets.ts';
import type { ExecutionHook } from '../../lifecycles/snapshot/kinds.ts';
import { LifehookError } from '../../model/problem.ts';
import { type CliCluster, connectToKube } from '../kube-connection.ts';
import { askForThaw } from '../snapshot/ask-for-thaw.ts';
import type { ClusterChoice } from './cluster-options.ts';
import type { RunningCluster } from './cluster-state.ts';
import { locksOfRunning, locksOfStopped, lockText } from './kernel-locks.ts';

const POLL_MS = 250;

export interface ThawFirst extends ClusterChoice {
  /** Stop the cluster without a thaw. */
  readonly leaveFrozen?: boolean;
  /** Milliseconds. */
  readonly thawTimeout: number;
}

/** Rejects with LHA109 where something would stay frozen. A cluster that does not answer is stopped all the same. */
export async function thawFirst(running: RunningCluster, options: ThawFirst): Promise<void> {
  const cluster = await connectOrNull(running);
  try {
    const hooks = cluster === null ? [] : await locksOrNone(cluster.client);
    if (cluster === null || hooks.length === 0) return;
    const targets = hooks.flatMap(frozenTargets);
    if (options.leaveFrozen === true) {
      sayLeft(targets);
      return;
    }
    const left = await thaw(cluster.client, hooks, options.thawTimeout);
    if (left.length > 0) throw stillFrozen(options, left, 'See why with');
    process.stdout.write(`Thawed before the end: ${lockText(targets)}.\n`);
  } finally {
    cluster?.close();
  }
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
  const why = error instanceof Error ? error.message : String(error);
  process.stderr.write(`It is not known whether a hook keeps something frozen: ${why}\n`);
}

/** Resolves with what is left at the deadline. */
async function thaw(
  client: KubeClient,
  hooks: readonly ExecutionHook[],
  timeoutMs: number,
): Promise<readonly FrozenTarget[]> {
  const endMs = Date.now() + timeoutMs;
  for (const hook of hooks) {
    await askForThaw(client, hook).catch((error: unknown) => {
      // It was deleted in this moment, which thaws too.
      if (!isReason(error, 'NotFound')) throw error;
    });
  }
  for (;;) {
    const left = (await locksOfRunning(client)).flatMap(frozenTargets);
    if (left.length === 0 || Date.now() > endMs) return left;
    await wait(POLL_MS);
  }
}

/** Of a cluster that was killed: it has to run again for a thaw. `folder`: this process has it. */
export async function refuseFrozen(folder: string, options: ThawFirst): Promise<void> {
  const left = (await locksOfStopped(folder)).flatMap(frozenTargets);
  if (left.length === 0) return;
  if (options.leaveFrozen === true) {
    sayLeft(left);
    return;
  }
  throw stillFrozen(options, left, 'Start it again with `lifehook up`, which thaws; see how with');
}

function sayLeft(left: readonly FrozenTarget[]): void {
  process.stderr.write(`Left frozen: ${lockText(left)}. Thaw it by hand.\n`);
}

function stillFrozen(
  { cluster }: ThawFirst,
  left: readonly FrozenTarget[],
  look: string,
): LifehookError {
  const { namespace = '', hook = '' } = left[0] ?? {};
  return new LifehookError({
    code: 'LHA109',
    severity: 'error',
    message: `The cluster "${cluster}" was not stopped: still frozen: ${lockText(left)}. The end of a container does not thaw that.`,
    next: `${look} \`kubectl describe executionhook -n ${namespace} ${hook}\`; if you have thawed it by hand: \`lifehook snapshot release -n ${namespace} ${hook} --by YOU\`; to stop all the same: --leave-frozen.`,
  });
}
