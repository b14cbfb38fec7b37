/**
 * `lifehook uninstall`: removes Lifehook from a cluster in an order in which no object stays terminating.
 *
 * - Backups stay: VolumeSnapshots of complete snapshots are disowned before anything is deleted, and again before each
 *   snapshot is deleted, because it may complete meanwhile.
 * - Frozen targets are thawed, and held templates are restored or released (`--release-held`), before the controllers
 *   are deleted. If the controllers were already deleted, the same controllers run in this process.
 * - The webhook configurations are deleted right after the controllers, which would create them again. From then on no
 *   request fails because the webhook server is gone.
 * - A kind is deleted once no object of it has a finalizer, so that its deletion waits for nothing.
 * - Every part is idempotent: it can be run again, and after an uninstall by hand.
 */
import process from 'node:process';

import { isTerminating } from '../../controller/finalizers.ts';
import { LedElsewhere } from '../../controller/only-leader.ts';
import { orNull } from '../../kube/api-error.ts';
import type { DeleteOptions, KubeClient } from '../../kube/client.ts';
import { getOrNull, objectKey } from '../../kube/get-or-null.ts';
import type { KubeObject, Resource } from '../../kube/object.ts';
import { deployments, namespaces, pods } from '../../kube/resources.ts';
import { LifehookError } from '../../model/problem.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import type { Platform } from '../../platform/platform.ts';
import { sleep } from '../../platform/sleep.ts';
import { exitCodes } from '../exit-codes.ts';
import { type CliCluster, connectToKube, type KubeOptions } from '../kube-connection.ts';
import type { EndedKind, StandingPart, UninstallPart } from '../lifecycle-parts.ts';
import { loadParts, uninstallParts } from '../lifecycles.ts';
import { reportProblems } from '../report-problems.ts';
import { LABELS, NAME } from './install-options.ts';
import { refuseIfShared } from './other-installations.ts';
import { runStandIn, type StandInOptions } from './stand-in-controllers.ts';
import { listOrNone, type StandingScope } from './standing.ts';
import { deleteIfThere, removeInstalled, removeWebhooks, stillTerminating } from './take-away.ts';

export interface UninstallOptions extends KubeOptions {
  readonly namespace: string;
  readonly namespaced?: boolean;
  /** Seconds; the deadline of each wait. */
  readonly timeout: number;
  readonly yes?: boolean;
  /** True: held templates start without their hooks. Absent: the last released templates are restored. */
  readonly releaseHeld?: boolean;
}

/** Returns the exit code. */
export async function uninstall(options: UninstallOptions): Promise<number> {
  using cluster = await connectToKube(options, 'uninstall');
  try {
    if (options.yes === true) {
      await carryOut(options, cluster);
      return exitCodes.done;
    }
    await refuseIfShared(cluster.client, options);
    const parts = await loadParts(uninstallParts);
    const standing = await gatherStanding(parts, cluster.client, scopeOf(options));
    say(`On ${cluster.server} (${cluster.source}):`);
    for (const line of whatHolds(standing)) say(`would clean up: ${line}`);
    for (const line of whatFollows(standing, options)) say(`afterwards: ${line}`);
    say('would remove: everything that `lifehook install` created.');
    say('would keep: the VolumeSnapshots of complete snapshots, and those of other clients.');
    say('Nothing was done. Run it with --yes.');
    return exitCodes.done;
  } catch (error) {
    if (!(error instanceof NotInTime)) throw error;
    reportProblems(error.problems);
    return exitCodes.deadline;
  }
}

export async function carryOut(options: UninstallOptions, cluster: CliCluster): Promise<void> {
  const { client } = cluster;
  const { namespace, namespaced = false } = options;
  const scope = scopeOf(options);
  const until = deadline(options.timeout);
  await refuseIfShared(client, options);
  const parts = await loadParts(uninstallParts);
  const standing = await gatherStanding(parts, client, scope);
  const ended = parts.flatMap((part) => part.ended);
  // Without the right to delete them, the webhooks would stay without a server, and refuse every change.
  if (!namespaced) await removeWebhooks(client, { dryRun: true });
  await keepAll(client, scope, ended);
  await prepare(standing, options);
  const left: Left = async () => {
    await endAll(client, scope, ended);
    return whatHolds(await gatherStanding(parts, client, scope));
  };
  await endAll(client, scope, ended);
  if (await isServed(client, namespace)) await untilNothingHolds(left, until);
  await stopControllers(client, namespace, until);
  if (!namespaced) await removeWebhooks(client);
  await standIn(cluster, { namespace, scope, left }, until);
  const records = parts.flatMap((part) => part.records);
  await deleteAll(client, scope, records);
  const removed = await removeInstalled(client, { namespace, namespaced });
  await until('The deletion', () => stillTerminating(client, { namespace, namespaced }));
  say(`Removed: ${removed.length === 0 ? 'nothing was there' : removed.join(', ')}`);
}

/** Prints the effects of the uninstall. With `--release-held` it releases held templates. */
async function prepare(
  standing: readonly StandingPart[],
  options: UninstallOptions,
): Promise<void> {
  for (const line of whatFollows(standing, options)) say(line);
  if (options.releaseHeld !== true) return;
  for (const { release } of standing) await release?.();
}

function scopeOf({ namespace, namespaced = false }: UninstallOptions): StandingScope {
  return namespaced ? { namespace } : {};
}

function gatherStanding(
  parts: readonly UninstallPart[],
  client: KubeClient,
  scope: StandingScope,
): Promise<readonly StandingPart[]> {
  return Promise.all(parts.map(({ gather }) => gather(client, scope)));
}

/** One line for each object that must be finished or deleted before the kinds can be deleted. */
function whatHolds(standing: readonly StandingPart[]): readonly string[] {
  return standing.flatMap(({ holds }) => holds);
}

/** One line for each object that the uninstall changes, such as a held Deployment that gets another template. */
function whatFollows(
  standing: readonly StandingPart[],
  { releaseHeld = false }: UninstallOptions,
): readonly string[] {
  return standing.flatMap(({ afterwards }) => afterwards?.(releaseHeld) ?? []);
}

/** Saves, of every object, the parts that users want to keep. Nothing is deleted yet if this fails. */
async function keepAll(
  client: KubeClient,
  scope: StandingScope,
  kinds: readonly EndedKind[],
): Promise<void> {
  for (const { resource, keep } of kinds) {
    if (keep === undefined) continue;
    const lines = await keep(client, scope, await listOrNone(client, resource, scope));
    for (const line of lines) say(line);
  }
}

/**
 * Saves again and deletes the objects. An object that changes in between stays: the next call saves and deletes it,
 * together with objects that are created meanwhile.
 */
async function endAll(
  client: KubeClient,
  scope: StandingScope,
  kinds: readonly EndedKind[],
): Promise<void> {
  for (const { resource, keep } of kinds) {
    const objects = await listOrNone<KubeObject>(client, resource, scope);
    for (const line of (await keep?.(client, scope, objects)) ?? []) say(line);
    for (const object of objects.filter((one) => !isTerminating(one))) {
      const options = keep === undefined ? {} : { preconditions: versionOf(object) };
      const deleted = client.delete(resource, objectKey(object), options);
      await orNull(deleted, 'NotFound', 'Conflict');
    }
  }
}

function versionOf({ metadata = {} }: KubeObject): NonNullable<DeleteOptions['preconditions']> {
  const { uid = '', resourceVersion = '' } = metadata;
  return { uid, resourceVersion };
}

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

/** True: the controllers run in the cluster, and are not terminating. */
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

/**
 * Deletes the objects that were created or changed meanwhile, and lists those that still hold a finalizer or a freeze.
 */
type Left = () => Promise<readonly string[]>;

function untilNothingHolds(left: Left, until: Until): Promise<void> {
  return until('The cleanup by the controllers', left);
}

/** Resolves when the process of every controller has exited, because two leaders would both run a hook. */
async function stopControllers(client: KubeClient, namespace: string, until: Until): Promise<void> {
  await deleteIfThere(client, deployments, { namespace, name: NAME });
  const labelSelector = Object.entries(LABELS)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
  await until('The stop of the controllers', async () => {
    const left = await listOrNone(client, pods, { namespace, labelSelector });
    return left.map(({ metadata }) => `Pod ${namespace}/${metadata?.name ?? ''}`);
  });
}

async function standIn(
  cluster: CliCluster,
  { namespace, scope, left }: Omit<StandInOptions, 'signal'> & { readonly left: Left },
  until: Until,
): Promise<void> {
  const holding = await left();
  if (holding.length === 0) return;
  for (const line of holding)
    say(`no controller runs in the cluster, so this command cleans up: ${line}`);
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = runStandIn(cluster, { namespace, scope, signal }).catch((error: unknown) => {
    if (!(error instanceof LedElsewhere)) throw error;
    say(`another controller cleans up: ${error.leader}. Stop it when this command has ended`);
  });
  try {
    await Promise.race([untilNothingHolds(left, until), failureOf(running)]);
  } finally {
    stopping.abort();
    await running;
  }
}

/** Rejects when `work` rejects, and never resolves. */
function failureOf(work: Promise<void>): Promise<never> {
  return new Promise((_, reject) => {
    work.catch(reject);
  });
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Polls until `look` returns an empty list. Rejects with `NotInTime` at the deadline of this wait. */
export type Until = (what: string, look: () => Promise<readonly string[]>) => Promise<void>;

export class NotInTime extends LifehookError {}

const LOOK_MS = 500;

export function deadline(
  seconds: number,
  { clock, timers }: Pick<Platform, 'clock' | 'timers'> = nodePlatform,
): Until {
  return async (what, look) => {
    const endMs = clock.monotonicMs() + seconds * 1_000;
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
    message: `${what} took longer than ${seconds} s; still left: ${left.join('; ')}.`,
    next: 'check what blocks it (kubectl describe) and run this again; if the controllers of the cluster cannot clean up, delete their Deployment first: this command then cleans up without them.',
  });
}
