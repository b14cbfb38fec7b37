/**
 * `lifehook uninstall`: removes Lifehook from a cluster in an order in which no object stays terminating.
 *
 * - Backups stay: VolumeSnapshots of complete snapshots are disowned before anything is deleted.
 * - Frozen targets are thawed, and held templates are restored or released (`--release-held`), before the controllers
 *     are deleted; if none runs any more (they were deleted first), the same controllers run in this process.
 * - The webhooks are deleted after the controllers, which would restore them, and before anything else: from then on no
 *     change fails for lack of a webhook.
 * - A kind is deleted when no object of it is held: then its deletion waits for no finalizer.
 * - Every part is idempotent: it can be run again, and after an uninstall by hand.
 */
import process from 'node:process';

import { LedElsewhere } from '../../controller/only-leader.ts';
import type { KubeClient } from '../../kube/client.ts';
import { getOrNull } from '../../kube/get-or-null.ts';
import type { KubeObject, Resource } from '../../kube/object.ts';
import { deployments, namespaces, pods } from '../../kube/resources.ts';
import { deploymentLifecycles, hookRuns } from '../../lifecycles/rollout/kinds.ts';
import {
  applicationSnapshots,
  executionHooks,
  executionHookTemplates,
} from '../../lifecycles/snapshot/kinds.ts';
import { LifehookError } from '../../model/problem.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { sleep } from '../../platform/sleep.ts';
import { exitCodes } from '../exit-codes.ts';
import { type CliCluster, connectToKube, type KubeOptions } from '../kube-connection.ts';
import { reportProblems } from '../report-problems.ts';
import { heldLines, setToRelease } from './held-deployments.ts';
import { LABELS, NAME } from './install-options.ts';
import { keepSnapshots } from './keep-snapshots.ts';
import { runStandIn, type StandInOptions } from './stand-in-controllers.ts';
import { gatherStanding, listOrNone, type StandingScope, whatHolds } from './standing.ts';
import { deleteIfThere, removeInstalled, removeWebhooks, stillGoing } from './take-away.ts';

export interface UninstallOptions extends KubeOptions {
  readonly namespace: string;
  readonly namespaced?: boolean;
  /** Seconds. */
  readonly timeout: number;
  readonly yes?: boolean;
  /** Held templates start without their hooks, in place of the released ones. */
  readonly releaseHeld?: boolean;
}

/** Returns the exit code. */
export async function uninstall(options: UninstallOptions): Promise<number> {
  const cluster = await connectToKube(options, 'uninstall');
  try {
    if (options.yes === true) {
      await carryOut(options, cluster);
      return exitCodes.done;
    }
    const standing = await gatherStanding(cluster.client, scopeOf(options));
    say(`On ${cluster.server} (${cluster.source}):`);
    for (const line of whatHolds(standing)) say(`would end: ${line}`);
    for (const line of heldLines(standing, options.releaseHeld === true))
      say(`afterwards: ${line}`);
    say(`would remove: what \`lifehook install\` has brought. VolumeSnapshots stay.`);
    say('Nothing was done. Run it with --yes.');
    return exitCodes.done;
  } catch (error) {
    if (!(error instanceof NotInTime)) throw error;
    reportProblems(error.problems);
    return exitCodes.deadline;
  } finally {
    cluster.close();
  }
}

async function carryOut(options: UninstallOptions, cluster: CliCluster): Promise<void> {
  const { client } = cluster;
  const { namespace, namespaced = false, releaseHeld = false } = options;
  const scope = scopeOf(options);
  const until = deadline(options.timeout);
  const standing = await gatherStanding(client, scope);
  const kept = await keepSnapshots(client, scope, standing.snapshots);
  if (kept > 0) say(`${kept} VolumeSnapshots stay, and are nobody's now`);
  for (const line of heldLines(standing, releaseHeld)) say(line);
  if (releaseHeld) await setToRelease(client, standing.lifecycles);
  await deleteAll(client, scope, ENDED);
  if (await isServed(client, namespace)) await untilNothingHolds(client, scope, until);
  await stopControllers(client, namespace, until);
  if (!namespaced) await removeWebhooks(client);
  await standIn(cluster, { namespace, scope }, until);
  await deleteAll(client, scope, RECORDS);
  const removed = await removeInstalled(client, { namespace, namespaced });
  await until('these are gone', () => stillGoing(client, { namespace, namespaced }));
  say(`Removed: ${removed.length === 0 ? 'nothing was there' : removed.join(', ')}`);
}

function scopeOf({ namespace, namespaced = false }: UninstallOptions): StandingScope {
  return namespaced ? { namespace } : {};
}

/** Kinds with running work; the controllers resolve their finalizers. Hooks follow their snapshots. */
const ENDED = [deploymentLifecycles, applicationSnapshots, executionHooks] as readonly Resource[];
/** Kinds that the controllers read until then. */
const RECORDS = [hookRuns, executionHookTemplates] as readonly Resource[];

async function deleteAll(
  client: KubeClient,
  scope: StandingScope,
  resources: readonly Resource[],
): Promise<void> {
  for (const resource of resources) {
    for (const { metadata } of await listOrNone<KubeObject>(client, resource, scope)) {
      if (metadata?.deletionTimestamp !== undefined) continue;
      const key = { namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' };
      await deleteIfThere(client, resource, key);
    }
  }
}

/** True: controllers run in the cluster, or will start. */
async function isServed(client: KubeClient, namespace: string): Promise<boolean> {
  const [space, deployment] = await Promise.all([
    getOrNull(client, namespaces, { name: namespace }),
    getOrNull(client, deployments, { namespace, name: NAME }),
  ]);
  const stays = (object: KubeObject | null): boolean =>
    object !== null && object.metadata?.deletionTimestamp === undefined;
  const available = deployment?.status?.availableReplicas ?? 0;
  return stays(space) && stays(deployment) && available > 0;
}

async function untilNothingHolds(
  client: KubeClient,
  scope: StandingScope,
  until: Until,
): Promise<void> {
  await until('the controllers have ended these', async () =>
    whatHolds(await gatherStanding(client, scope)),
  );
}

/** Resolves when none of their processes is left: two leaders would both run a hook. */
async function stopControllers(client: KubeClient, namespace: string, until: Until): Promise<void> {
  await deleteIfThere(client, deployments, { namespace, name: NAME });
  const labelSelector = Object.entries(LABELS)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
  await until('the controllers have ended', async () => {
    const left = await listOrNone(client, pods, { namespace, labelSelector });
    return left.map(({ metadata }) => `Pod ${namespace}/${metadata?.name ?? ''}`);
  });
}

async function standIn(
  cluster: CliCluster,
  { namespace, scope }: Omit<StandInOptions, 'signal'>,
  until: Until,
): Promise<void> {
  const holding = whatHolds(await gatherStanding(cluster.client, scope));
  if (holding.length === 0) return;
  for (const line of holding) say(`no controller runs in the cluster; ending here: ${line}`);
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = runStandIn(cluster, { namespace, scope, signal }).catch((error: unknown) => {
    if (!(error instanceof LedElsewhere)) throw error;
    say(`left to another controller, which is to be stopped afterwards: ${error.message}`);
  });
  try {
    await Promise.race([untilNothingHolds(cluster.client, scope, until), failureOf(running)]);
  } finally {
    stopping.abort();
    await running;
  }
}

/** Never resolves; rejects as `work` does. */
function failureOf(work: Promise<void>): Promise<never> {
  return new Promise((_, reject) => {
    work.catch(reject);
  });
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Polls until `look` returns an empty list; rejects with `NotInTime` at the deadline. */
export type Until = (what: string, look: () => Promise<readonly string[]>) => Promise<void>;

export class NotInTime extends LifehookError {}

const LOOK_MS = 500;

/** One deadline for all waits, from now on. */
export function deadline(seconds: number): Until {
  const { clock, timers } = nodePlatform;
  const endMs = clock.monotonicMs() + seconds * 1_000;
  return async (what, look) => {
    for (;;) {
      const left = await look();
      if (left.length === 0) return;
      if (clock.monotonicMs() > endMs) throw notInTime(what, seconds, left);
      await sleep(timers, LOOK_MS);
    }
  };
}

function notInTime(what: string, seconds: number, left: readonly string[]): NotInTime {
  return new NotInTime({
    code: 'LHK040',
    severity: 'error',
    message: `It was required that ${what} within ${seconds} s; left are: ${left.join('; ')}.`,
    next: 'see what holds it (kubectl describe) and run this again; where the controllers of the cluster cannot end it, delete their Deployment first, and this command does it itself.',
  });
}
