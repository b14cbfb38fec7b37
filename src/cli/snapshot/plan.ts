/** `lifehook snapshot plan`: prints the volumes of a snapshot, its targets and hooks, and the obstacles. */
import process from 'node:process';

import type {
  ResolvedAction,
  ApplicationSnapshot,
  ContainerStatus,
} from '../../lifecycles/snapshot/kinds.ts';
import {
  type PlannedHook,
  planWithoutDoing,
  type SnapshotPlan,
} from '../../lifecycles/snapshot/plan-snapshot.ts';
import { LifehookError } from '../../model/problem.ts';
import { exitCodes } from '../exit-codes.ts';
import { type CliCluster, connectToKube } from '../kube-connection.ts';
import { printed } from '../listing.ts';
import { textTable } from '../terminal-text.ts';
import { askedHooksOf } from './check-asked.ts';
import { type CreateOptions, snapshotOf } from './create.ts';
import { findExplained } from './find-explained.ts';
import { refusePlan } from './refuse-options.ts';
import type { StatusOptions } from './status.ts';

export async function runSnapshotPlan(
  name: string | undefined,
  options: CreateOptions & StatusOptions,
): Promise<number> {
  const refused = refusePlan(name, options);
  if (refused !== null) return refused;
  using cluster = await connectToKube(options, 'snapshot plan');
  const described = snapshotOf(name ?? 'planned', cluster.namespace, options);
  const snapshot = described ?? (await readPlanned(cluster, name ?? ''));
  if ((await askedHooksOf(cluster, snapshot)) === null) return exitCodes.wrongUse;
  const plan = await planWithoutDoing(cluster.client, snapshot);
  process.stdout.write(printed(plan, options.output, () => planText(plan)));
  return plan.obstacles.length === 0 ? exitCodes.done : exitCodes.failed;
}

async function readPlanned(cluster: CliCluster, name: string): Promise<ApplicationSnapshot> {
  const { kind, object } = await findExplained(cluster, name);
  // The server returned the object for this kind, so it has the type of the kind.
  if (kind === 'ApplicationSnapshot') return object as ApplicationSnapshot;
  throw new LifehookError({
    code: 'LHS413',
    message: `A plan needs the name of an ApplicationSnapshot, but "${name}" is a ${kind}.`,
    next: 'Describe a snapshot by --claim or --selector, or see `lifehook snapshot status`.',
  });
}

function planText({ volumes, hooks, obstacles, missingPermissions }: SnapshotPlan): string {
  const parts: string[] = [];
  if (volumes.length > 0) {
    const rows = volumes.map((volume) => [
      volume.claimName,
      volume.inUse ? 'yes' : 'no',
      volume.driver ?? '-',
      volume.snapshotClassName,
      volume.cutSignal,
    ]);
    parts.push('Cut:\n', textTable(['CLAIM', 'IN USE', 'DRIVER', 'CLASS', 'CUT SEEN BY'], rows));
  }
  for (const hook of hooks) parts.push('\n', hookText(hook));
  if (volumes.length > 0 && hooks.length === 0) parts.push('\nFreeze: nothing.\n');
  for (const obstacle of obstacles) parts.push(`\nObstacle: ${obstacle}\n`);
  if (missingPermissions.length > 0) {
    const list = missingPermissions.map(({ verb, resource }) => `${verb} ${resource}`);
    parts.push(`\nPermissions that the controller needs and you do not have: ${list.join(', ')}\n`);
  }
  parts.push(
    obstacles.length === 0
      ? '\nNothing was changed; the snapshot could be taken.\n'
      : '\nNothing was changed.\n',
  );
  return parts.join('').trimStart();
}

function hookText({ name, status }: PlannedHook): string {
  if (status === null) return `Freeze: hook ${name} could not begin.\n`;
  const { resolved, containerExecutionHookStatuses: targets = [] } = status;
  const lines = [
    `Freeze, by hook ${name}${resolved === undefined ? '' : ` (${resolved.origin})`}:`,
  ];
  if (resolved !== undefined) {
    lines.push(`  pre    ${actionText(resolved.preAction)}`);
    if (resolved.postAction !== undefined)
      lines.push(`  post   ${actionText(resolved.postAction)}`);
    if (resolved.probe !== undefined) lines.push(`  probe  ${resolved.probe.command.join(' ')}`);
    if (resolved.expirationSeconds !== undefined)
      lines.push(`  at most ${resolved.expirationSeconds} s frozen`);
  }
  const table = textTable(['  POD', 'CONTAINER', 'NODE'], targets.map(targetRow));
  return `${lines.join('\n')}\n${table}`;
}

function targetRow({ podName, containerName, nodeName = '-' }: ContainerStatus): string[] {
  return [`  ${podName}`, containerName, nodeName];
}

function actionText({ exec, httpGet, tcpSocket, session, ...rest }: ResolvedAction): string {
  const within = `within ${rest.actionTimeoutSeconds} s`;
  if (exec !== undefined) return `${exec.command.join(' ')} (${within})`;
  if (session !== undefined) {
    const what = session.client === undefined ? session.freeze.join(' ') : session.client.join(' ');
    return `held session: ${what} (${within}; thaws by itself ${session.windowSeconds ?? 15} s without a renewal)`;
  }
  if (httpGet !== undefined)
    return `GET ${httpGet.path ?? '/'} on port ${httpGet.port} (${within})`;
  return `connect to port ${tcpSocket?.port ?? '?'} (${within})`;
}
