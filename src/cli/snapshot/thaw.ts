/**
 * `lifehook snapshot thaw` asks the hook controller to thaw now, and waits for the thaw; `snapshot release` records a
 * thaw by hand.
 */
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';

import { microTimeText } from '../../controller/kube-time.ts';
import { orNull } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import { getOrNull } from '../../kube/get-or-null.ts';
import { type FrozenTarget, frozenTargets } from '../../lifecycles/snapshot/frozen-targets.ts';
import { type ExecutionHook, executionHooks } from '../../lifecycles/snapshot/kinds.ts';
import { CUT_RELEASE, RELEASE, TAKEN_ON } from '../../lifecycles/snapshot/names.ts';
import { LifehookError, type Problem } from '../../model/problem.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { exitCodes } from '../exit-codes.ts';
import { type CliCluster, connectToKube, type KubeOptions } from '../kube-connection.ts';
import { reportProblems } from '../report-problems.ts';
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
  const wrong = whyWrong(names, options);
  if (wrong !== null) {
    reportProblems([{ code: 'LHS405', severity: 'error', ...wrong }]);
    return exitCodes.wrongUse;
  }
  using cluster = await connectToKube(options, 'snapshot thaw');
  const hooks = await chosen(cluster, names, options);
  if (hooks.length === 0) {
    if (options.quiet !== true) process.stdout.write('Nothing is frozen.\n');
    return exitCodes.done;
  }
  await askForThaws(cluster.client, hooks);
  return await untilThawed(cluster, hooks, options);
}

async function chosen(
  { client, namespace }: CliCluster,
  names: readonly string[],
  { all, allNamespaces }: ThawOptions,
): Promise<readonly ExecutionHook[]> {
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

/** The error of a wrong combination of arguments, with the next step; null: the combination is valid. */
function whyWrong(
  names: readonly string[],
  { all = false, allNamespaces = false }: ThawOptions,
): Pick<Problem, 'message' | 'next'> | null {
  if (all === names.length > 0) {
    return {
      message: 'Give the names of hooks, or --all: exactly one of the two.',
      next: 'See `lifehook snapshot list`: it names what is frozen, and by which hook.',
    };
  }
  if (all || !allNamespaces) return null;
  return {
    message: 'The option -A needs --all: the named hooks are those of one namespace.',
    next: 'Name that namespace with -n.',
  };
}

export async function untilThawed(
  { client }: Pick<CliCluster, 'client'>,
  hooks: readonly ExecutionHook[],
  { timeout, quiet = false }: ThawOptions,
): Promise<number> {
  const { clock } = nodePlatform;
  const endMs = clock.monotonicMs() + timeout * MS;
  let left = hooks.flatMap(frozenTargets);
  // A freeze that was in progress during the request may add a target, so every target that was ever seen is counted.
  const seen = new Set(left.map(targetKey));
  while (left.some(({ unproven }) => !unproven) && clock.monotonicMs() < endMs) {
    await wait(POLL_MS);
    const now = await Promise.all(
      hooks.map(({ metadata: { namespace = '', name = '' } = {} }) =>
        getOrNull(client, executionHooks, { namespace, name }),
      ),
    );
    left = now.flatMap((hook) => (hook === null ? [] : frozenTargets(hook)));
    for (const target of left) seen.add(targetKey(target));
  }
  if (!quiet) process.stdout.write(`Thawed ${seen.size - left.length} of ${seen.size}.\n`);
  for (const target of left) process.stderr.write(leftText(target));
  return left.length === 0 ? exitCodes.done : exitCodes.failed;
}

function targetKey({ namespace, hook, pod, container }: FrozenTarget): string {
  return [namespace, hook, pod, container].join('/');
}

function leftText({ namespace, pod, container, hook, unproven }: FrozenTarget): string {
  const where = `${namespace}/${pod}, container ${container} (hook ${hook})`;
  if (!unproven) return `Still frozen: ${where}.\n`;
  const next = `lifehook snapshot release -n ${namespace} ${hook} --by YOU`;
  return `Not proven to be thawed: ${where}. The container exited, so no thaw can run in it. If the volumes of the pod are still frozen, thaw them on the node. Then run: ${next}\n`;
}

/**
 * Requests the thaws of all hooks. A hook that was deleted meanwhile is left out, because its deletion also thaws. A
 * failed request delays no other thaw: this function rejects with the first failure after all requests.
 */
export async function askForThaws(
  client: KubeClient,
  hooks: readonly ExecutionHook[],
): Promise<void> {
  const failures: unknown[] = [];
  for (const hook of hooks) {
    await orNull(askForThaw(client, hook), 'NotFound').catch((error: unknown) => {
      failures.push(error);
    });
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Requests the thaw of a hook, with a user's request as the cause. If the thaw was requested before, its first cause
 * stays.
 */
async function askForThaw(client: KubeClient, { metadata = {} }: ExecutionHook): Promise<void> {
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
  if (overdue.length === 0) throw nothingFailed({ namespace, name });
  const body = { metadata: { annotations: { [TAKEN_ON]: options.by } } };
  await client.patch(executionHooks, { namespace, name }, { type: 'merge', body });
  for (const { pod, container } of overdue) {
    process.stdout.write(
      `${options.by} has marked the thaw of pod ${pod}, container ${container} as done by hand.\n`,
    );
  }
  return exitCodes.done;
}

export function nothingFailed({
  namespace,
  name,
}: Record<'namespace' | 'name', string>): LifehookError {
  return new LifehookError({
    code: 'LHS406',
    message: `No thaw of ExecutionHook "${name}" has failed: there is nothing to mark as done by hand.`,
    next: `To thaw what it has frozen, use \`lifehook snapshot thaw ${name} -n ${namespace}\`.`,
  });
}
