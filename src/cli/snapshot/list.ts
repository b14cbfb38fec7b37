/** `lifehook snapshot list`: the snapshots with their verdicts, and what is frozen at this moment. */
import process from 'node:process';

import { frozenTargets } from '../../lifecycles/snapshot/frozen-targets.ts';
import {
  type ApplicationSnapshot,
  type ApplicationSnapshotStatus,
  applicationSnapshots,
  executionHooks,
} from '../../lifecycles/snapshot/kinds.ts';
import { exitCodes } from '../exit-codes.ts';
import { connectToKube } from '../kube-connection.ts';
import { textTable } from '../text-table.ts';
import type { StatusOptions } from './status.ts';

export async function runSnapshotList(
  options: StatusOptions & { readonly allNamespaces?: boolean },
): Promise<number> {
  const cluster = await connectToKube(options, 'snapshot list');
  try {
    const scope = options.allNamespaces === true ? {} : { namespace: cluster.namespace };
    const [{ items: snapshots }, { items: hooks }] = await Promise.all([
      cluster.client.list(applicationSnapshots, scope),
      cluster.client.list(executionHooks, scope),
    ]);
    const frozen = hooks.flatMap(frozenTargets);
    if (options.output === 'json') {
      process.stdout.write(`${JSON.stringify({ snapshots, frozen }, null, 2)}\n`);
      return exitCodes.done;
    }
    process.stdout.write(snapshots.length === 0 ? 'There are no snapshots.\n' : table(snapshots));
    if (frozen.length > 0) {
      process.stdout.write(
        `\nFrozen now:\n${textTable(
          ['NAMESPACE', 'HOOK', 'POD', 'CONTAINER', 'SINCE', 'OVERDUE', 'UNPROVEN'],
          frozen.map((one) => [
            one.namespace,
            one.hook,
            one.pod,
            one.container,
            one.since,
            one.overdue ? 'yes' : 'no',
            one.unproven ? 'yes' : 'no',
          ]),
        )}`,
      );
    }
    return exitCodes.done;
  } finally {
    cluster.close();
  }
}

function table(snapshots: readonly ApplicationSnapshot[]): string {
  return textTable(
    ['NAMESPACE', 'NAME', 'PHASE', 'VERDICT', 'REASON', 'FROZEN'],
    snapshots.map(row),
  );
}

function row({ metadata = {}, status = {} }: ApplicationSnapshot): string[] {
  const { namespace = '', name = '' } = metadata;
  return [namespace, name, status.phase ?? 'Pending', ...verdictCells(status)];
}

function verdictCells({ verdict, failure }: ApplicationSnapshotStatus): string[] {
  if (verdict === undefined) return ['-', failure?.reason ?? '-', '-'];
  const { value, reason, freezeWindowMs } = verdict;
  return [value, reason, freezeWindowMs === undefined ? '-' : `${freezeWindowMs} ms`];
}
