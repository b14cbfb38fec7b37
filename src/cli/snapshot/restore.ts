/** `lifehook snapshot restore NAME`: requests a restore, follows it, and reports its result. */
import process from 'node:process';

import {
  type SnapshotRestore,
  snapshotRestores,
  type RestoreHook,
  type ScaleAction,
  type SnapshotRestoreSpec,
} from '../../lifecycles/snapshot/restore/kinds.ts';
import { API_VERSION } from '../../model/api-version.ts';
import { LifehookError } from '../../model/problem.ts';
import { exitCodes } from '../exit-codes.ts';
import { type CliCluster, connectToKube } from '../kube-connection.ts';
import { printed } from '../listing.ts';
import { reportProblems } from '../report-problems.ts';
import { followObject } from './follow-object.ts';
import type { RestoreOptions } from './restore-options.ts';
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
  using cluster = await connectToKube(options, 'snapshot restore');
  const { client, namespace } = cluster;
  const made = await client.create(snapshotRestores, restoreOf(name, namespace, options));
  const isReported = output === 'text' && options.quiet !== true;
  if (isReported) process.stdout.write(`Requested ${namespace}/${nameOf(made)}.\n`);
  if (options.wait !== false) return await follow(cluster, made, options);
  process.stdout.write(printed(made, output, () => ''));
  return exitCodes.done;
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
    next: 'Restore again. Its pods are deleted; its claims are kept, unless it was a rehearsal.',
  });
}

function nameOf({ metadata }: SnapshotRestore): string {
  return metadata?.name ?? '';
}

/** The error of a wrong combination of options, with the next step; null: the combination is valid. */
export function whyWrongOptions(
  name: string | undefined,
  { volumeSnapshot = [], verify, command, image }: RestoreOptions,
): { readonly message: string; readonly next: string } | null {
  if ((name === undefined) === (volumeSnapshot.length === 0)) {
    return {
      message:
        'A restore needs one ApplicationSnapshot, or VolumeSnapshots: exactly one of the two.',
      next: 'Name an ApplicationSnapshot, or give --volume-snapshot NAME.',
    };
  }
  const checks = verify !== undefined || command !== undefined;
  if (checks === (image !== undefined)) return null;
  return {
    message: checks
      ? 'The check of the copy runs in a pod, which needs --image.'
      : 'The option --image needs a check of the copy.',
    next: checks
      ? 'Give the image of the application, in the version of the snapshot: --image mariadb:11.'
      : 'Give --verify RECIPE or --command LINE.',
  };
}

/** The SnapshotRestore that the options of `lifehook snapshot restore` describe. Pure. */
export function restoreOf(
  name: string | undefined,
  namespace: string,
  options: RestoreOptions,
): SnapshotRestore {
  const { volumeSnapshot = [], as } = options;
  const stem = name ?? volumeSnapshot[0] ?? '';
  return {
    apiVersion: API_VERSION,
    kind: 'SnapshotRestore',
    metadata: { namespace, ...(as === undefined ? { generateName: `${stem}-` } : { name: as }) },
    spec: {
      source:
        name === undefined
          ? { volumeSnapshotNames: [...volumeSnapshot] }
          : { applicationSnapshotName: name },
      ...given(options),
    },
  };
}

function given(options: RestoreOptions): Omit<SnapshotRestoreSpec, 'source'> {
  const { require: requiredVerdict, claim, storageClass, stop = [], scratch } = options;
  const verify = verifyOf(options);
  return {
    ...(requiredVerdict === undefined ? {} : { requiredVerdict }),
    ...(claim === undefined ? {} : { claims: [...claim] }),
    ...(storageClass === undefined ? {} : { storageClassName: storageClass }),
    ...(stop.length === 0 ? {} : { preRestore: stop.map(stopHook) }),
    ...(verify === null ? {} : { verify: [verify] }),
    ...(scratch === undefined ? {} : { scratch }),
  };
}

function stopHook(scale: ScaleAction, index: number): RestoreHook {
  return { name: `stop-${index}`, scale };
}

function verifyOf({ verify, image, command }: RestoreOptions): RestoreHook | null {
  if (image === undefined) return null;
  if (verify !== undefined) return { name: 'verify', pod: { image, recipe: verify } };
  return { name: 'verify', pod: { image, command: ['sh', '-c', command ?? ''] } };
}
