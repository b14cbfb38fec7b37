/** `lifehook snapshot restore NAME`: requests a restore, follows it, and reports its result. */
import process from 'node:process';

import { type SnapshotRestore, snapshotRestores } from '../../lifecycles/snapshot/restore/kinds.ts';
import { LifehookError } from '../../model/problem.ts';
import { exitCodes } from '../exit-codes.ts';
import { type CliCluster, connectToKube } from '../kube-connection.ts';
import { printed } from '../listing.ts';
import { reportProblems } from '../report-problems.ts';
import { followObject } from './follow-object.ts';
import type { RestoreOptions } from './restore-options.ts';
import { restoreOf, whyWrongOptions } from './restore-spec.ts';
import { failureText, restoreText, waitsForText } from './restore-text.ts';

export async function runSnapshotRestore(
  name: string | undefined,
  options: RestoreOptions,
): Promise<number> {
  const wrong = whyWrongOptions(name, options);
  if (wrong !== null) {
    reportProblems([{ code: 'LHS420', severity: 'error', ...wrong }]);
    return exitCodes.wrongUse;
  }
  const { output } = options;
  const cluster = await connectToKube(options, 'snapshot restore');
  try {
    const { client, namespace } = cluster;
    const made = await client.create(snapshotRestores, restoreOf(name, namespace, options));
    const isReported = output === 'text' && options.quiet !== true;
    if (isReported) process.stdout.write(`Requested ${namespace}/${nameOf(made)}.\n`);
    if (options.wait !== false) return await follow(cluster, made, options);
    process.stdout.write(printed(made, output, () => ''));
    return exitCodes.done;
  } finally {
    cluster.close();
  }
}

async function follow(
  cluster: CliCluster,
  made: SnapshotRestore,
  options: RestoreOptions,
): Promise<number> {
  const { timeout, output } = options;
  const { last, isInterrupted } = await followObject(
    cluster,
    {
      resource: snapshotRestores,
      made,
      hasEnded: ({ status }) => status?.completedAt !== undefined,
      phaseText: waitsForText,
      deletedEarly,
    },
    options,
  );
  process.stdout.write(printed(last, output, () => ''));
  if (last.status?.completedAt !== undefined) {
    if (output === 'text') process.stdout.write(`\n${restoreText(last)}`);
    return exitCodeOf(last);
  }
  const why = isInterrupted ? 'complete' : `complete after ${timeout} s`;
  const { namespace = '' } = made.metadata ?? {};
  const object = `snapshotrestore ${nameOf(made)} -n ${namespace}`;
  process.stderr.write(
    `The restore is not ${why}; it continues. See: kubectl describe ${object}. Stop it: kubectl delete ${object}\n`,
  );
  return isInterrupted ? exitCodes.interrupted : exitCodes.deadline;
}

function exitCodeOf(restore: SnapshotRestore): number {
  const { failure } = restore.status ?? {};
  if (failure === undefined) return exitCodes.done;
  const { reason } = failure;
  const { message, output } = failureText(restore);
  const next = 'See docs/snapshot-restore.md for the reason.';
  reportProblems([{ code: 'LHS421', severity: 'error', message, next }]);
  process.stderr.write(output);
  if (reason === 'VerdictTooLow') return exitCodes.belowRequired;
  return HOOK_REASONS.includes(reason) ? exitCodes.hookFailed : exitCodes.failed;
}

const HOOK_REASONS: readonly string[] = ['HookFailed', 'CheckFailed', 'CheckUnknown'];

function deletedEarly(name: string): LifehookError {
  return new LifehookError({
    code: 'LHS422',
    message: `The SnapshotRestore "${name}" was deleted before it was complete.`,
    next: 'Its pods are deleted; its claims are kept, unless it was a rehearsal.',
  });
}

function nameOf({ metadata }: SnapshotRestore): string {
  return metadata?.name ?? '';
}
