/** `lifehook snapshot create NAME`: requests a snapshot, follows it, and says whether it can be trusted. */
import process from 'node:process';

import { type ApplicationSnapshot, applicationSnapshots } from '../../lifecycles/snapshot/kinds.ts';
import { REQUIRED_LEVEL } from '../../lifecycles/snapshot/names.ts';
import { defaultLevel, type RequiredLevel } from '../../lifecycles/snapshot/required-level.ts';
import { exitCodes } from '../exit-codes.ts';
import { connectToKube, type KubeOptions } from '../kube-connection.ts';
import { reportProblems } from '../report-problems.ts';
import { askedHooksOf } from './check-asked.ts';
import { followSnapshot } from './follow-snapshot.ts';
import type { RequestOptions } from './request-options.ts';
import { snapshotOf } from './snapshot-of.ts';
import type { OutputFormat } from '../output-option.ts';
import { printed } from '../printed.ts';
import type { QuietOptions } from '../quiet-option.ts';
import { createdValue } from './verdict-text.ts';

export interface CreateOptions extends KubeOptions, RequestOptions, QuietOptions {
  readonly wait?: boolean;
  /** Seconds. */
  readonly timeout: number;
  /** Absent: by whether hooks are asked for. */
  readonly require?: RequiredLevel;
  readonly output: OutputFormat;
}

export async function runSnapshotCreate(name: string, options: CreateOptions): Promise<number> {
  const { output } = options;
  const cluster = await connectToKube(options, 'snapshot create');
  try {
    const { client, namespace } = cluster;
    const wanted = snapshotOf(name, namespace, options);
    if (wanted === null) return refuseWithoutClaims();
    const asked = await askedHooksOf(cluster, wanted);
    if (asked === null) return exitCodes.wrongUse;
    const level = options.require ?? defaultLevel(asked.infos.length > 0);
    const made = await client.create(applicationSnapshots, requiring(wanted, level));
    const isTold = output === 'text' && options.quiet !== true;
    if (isTold) process.stdout.write(`Requested ${namespace}/${name}.\n`);
    if (options.wait !== false) return await followSnapshot(cluster, made, options);
    process.stdout.write(printed(createdValue(made), output, () => ''));
    return exitCodes.done;
  } finally {
    cluster.close();
  }
}

/** It is kept on the object, so that all who judge the snapshot later judge it by the same level. */
function requiring(snapshot: ApplicationSnapshot, level: RequiredLevel): ApplicationSnapshot {
  const annotations = { [REQUIRED_LEVEL]: level };
  return { ...snapshot, metadata: { ...snapshot.metadata, annotations } };
}

/** Returns the exit code. */
export function refuseWithoutClaims(): number {
  reportProblems([
    {
      code: 'LHS402',
      severity: 'error',
      message: 'A snapshot is of claims: neither --claim nor --selector was given.',
      next: 'Name claims with --claim data, or choose them with --selector app=shop.',
    },
  ]);
  return exitCodes.wrongUse;
}
