/**
 * `lifehook snapshot thaw` asks the hook controller to thaw now, and waits for the thaw; `snapshot release` records a
 * thaw by hand.
 */
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';

import { microTimeText } from '../../controller/kube-time.ts';
import type { KubeClient } from '../../kube/client.ts';
import { getOrNull } from '../../kube/get-or-null.ts';
import { type FrozenTarget, frozenTargets } from '../../lifecycles/snapshot/frozen-targets.ts';
import { type ExecutionHook, executionHooks } from '../../lifecycles/snapshot/kinds.ts';
import { CUT_RELEASE, RELEASE, TAKEN_ON } from '../../lifecycles/snapshot/names.ts';
import { LifehookError } from '../../model/problem.ts';
import { exitCodes } from '../exit-codes.ts';
import { type CliCluster, connectToKube, type KubeOptions } from '../kube-connection.ts';
import type { QuietOptions } from '../shared-options.ts';

export interface ThawOptions extends KubeOptions, QuietOptions {
  readonly all?: boolean;
  readonly allNamespaces?: boolean;
  /** Seconds until the command stops waiting. */
  readonly timeout: number;
}

const POLL_MS = 250;
const MS = 1_000;

export async function runSnapshotThaw(
  names: readonly string[],
  options: ThawOptions,
): Promise<number> {
  using cluster = await connectToKube(options, 'snapshot thaw');
  const hooks = await chosen(cluster, names, options);
  if (hooks.length === 0) {
    if (options.quiet !== true) process.stdout.write('Nothing is frozen.\n');
    return exitCodes.done;
  }
  for (const hook of hooks) await askForThaw(cluster.client, hook);
  return await untilThawed(cluster, hooks, options);
}

async function chosen(
  { client, namespace }: CliCluster,
  names: readonly string[],
  { all, allNamespaces }: ThawOptions,
): Promise<readonly ExecutionHook[]> {
  if ((all === true) === names.length > 0) throw saysNotWhich();
  if (all === true) {
    const { items } = await client.list(
      executionHooks,
      allNamespaces === true ? {} : { namespace },
    );
    return items.filter((hook) => frozenTargets(hook).length > 0);
  }
  const found = await Promise.all(names.map((name) => readHook(client, { namespace, name })));
  return found.filter((hook) => frozenTargets(hook).length > 0);
}

export async function readHook(
  client: CliCluster['client'],
  key: { readonly namespace: string; readonly name: string },
): Promise<ExecutionHook> {
  const hook = await getOrNull(client, executionHooks, key);
  if (hook !== null) return hook;
  throw new LifehookError({
    code: 'LHS404',
    message: `There is no ExecutionHook "${key.name}" in namespace "${key.namespace}".`,
    next: 'See `lifehook snapshot list -A`: it names what is frozen, and by which hook.',
  });
}

function saysNotWhich(): LifehookError {
  return new LifehookError({
    code: 'LHS405',
    message: 'Give the names of hooks, or --all: exactly one of the two.',
    next: 'See `lifehook snapshot list`: it names what is frozen, and by which hook.',
  });
}

async function untilThawed(
  { client }: CliCluster,
  hooks: readonly ExecutionHook[],
  { timeout, quiet = false }: ThawOptions,
): Promise<number> {
  const endMs = Date.now() + timeout * MS;
  let left = hooks.flatMap(frozenTargets);
  const count = left.length;
  while (left.some(({ unproven }) => !unproven) && Date.now() < endMs) {
    await wait(POLL_MS);
    const now = await Promise.all(
      hooks.map(({ metadata: { namespace = '', name = '' } = {} }) =>
        getOrNull(client, executionHooks, { namespace, name }),
      ),
    );
    left = now.flatMap((hook) => (hook === null ? [] : frozenTargets(hook)));
  }
  if (!quiet) process.stdout.write(`Thawed ${count - left.length} of ${count}.\n`);
  for (const target of left) process.stderr.write(leftText(target));
  return left.length === 0 ? exitCodes.done : exitCodes.failed;
}

function leftText({ namespace, pod, container, hook, unproven }: FrozenTarget): string {
  const where = `${namespace}/${pod}, container ${container} (hook ${hook})`;
  if (!unproven) return `Still frozen: ${where}.\n`;
  const next = `lifehook snapshot release -n ${namespace} ${hook} --by YOU`;
  return `Not proven to be thawed: ${where}. Its pod is deleted, so no thaw can run there: thaw its volumes on their node if they are frozen, then: ${next}\n`;
}

/**
 * Requests the thaw of a hook, with a user's request as the cause. If the thaw was requested before, its first cause
 * stays.
 */
export async function askForThaw(
  client: KubeClient,
  { metadata = {} }: ExecutionHook,
): Promise<void> {
  const { namespace = '', name = '', annotations = {} } = metadata;
  if ((annotations[RELEASE] ?? annotations[CUT_RELEASE]) !== undefined) return;
  const body = { metadata: { annotations: { [RELEASE]: `Human@${microTimeText(Date.now())}` } } };
  await client.patch(executionHooks, { namespace, name }, { type: 'merge', body });
}

/**
 * `lifehook snapshot release HOOK --by USER`: marks the thaw as done by hand, so that the hook can be deleted
 * (SNAP-G15).
 */
export async function runSnapshotRelease(
  name: string,
  options: KubeOptions & { readonly by: string },
): Promise<number> {
  using cluster = await connectToKube(options, 'snapshot release');
  const { client, namespace } = cluster;
  const hook = await readHook(client, { namespace, name });
  const overdue = frozenTargets(hook).filter((target) => target.overdue || target.unproven);
  if (overdue.length === 0) throw nothingFailed(name);
  const body = { metadata: { annotations: { [TAKEN_ON]: options.by } } };
  await client.patch(executionHooks, { namespace, name }, { type: 'merge', body });
  for (const { pod, container } of overdue) {
    process.stdout.write(
      `${options.by} has marked the thaw of pod ${pod}, container ${container} as done by hand.\n`,
    );
  }
  return exitCodes.done;
}

function nothingFailed(name: string): LifehookError {
  return new LifehookError({
    code: 'LHS406',
    message: `No thaw of ExecutionHook "${name}" has failed: there is nothing to mark as done by hand.`,
    next: `To thaw what it has frozen, use \`lifehook snapshot thaw ${name}\`.`,
  });
}
