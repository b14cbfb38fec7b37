/** `lifehook snapshot create NAME`: requests a snapshot, follows it, and reports its verdict. */
import process from 'node:process';

import {
  type ApplicationSnapshot,
  applicationSnapshots,
  type ApplicationSnapshotSpec,
  type ExecutionHookInfo,
} from '../../lifecycles/snapshot/kinds.ts';
import { REQUIRED_LEVEL } from '../../lifecycles/snapshot/names.ts';
import { defaultLevel, type RequiredLevel } from '../../lifecycles/snapshot/required-level.ts';
import { exitCodes } from '../exit-codes.ts';
import { connectToKube, type KubeOptions } from '../kube-connection.ts';
import { reportProblems } from '../report-problems.ts';
import { printed } from '../listing.ts';
import type { OutputFormat, QuietOptions } from '../shared-options.ts';
import { askedHooksOf } from './check-asked.ts';
import { createdValue, followSnapshot } from './follow-snapshot.ts';
import type { RequestOptions } from './request-options.ts';

export interface CreateOptions extends KubeOptions, RequestOptions, QuietOptions {
  readonly wait?: boolean;
  /** Seconds. */
  readonly timeout: number;
  /** Absent: the level depends on whether the request has hooks. */
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
    const isReported = output === 'text' && options.quiet !== true;
    if (isReported) process.stdout.write(`Requested ${namespace}/${name}.\n`);
    if (options.wait !== false) return await followSnapshot(cluster, made, options);
    process.stdout.write(printed(createdValue(made), output, () => ''));
    return exitCodes.done;
  } finally {
    cluster.close();
  }
}

/** Stores the level on the object, so that every later check uses the same level. */
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

/** The ApplicationSnapshot of the options of a command; null: the options select no volume. Pure. */
export function snapshotOf(
  name: string,
  namespace: string,
  options: RequestOptions,
): ApplicationSnapshot | null {
  const source = sourceOf(options);
  if (source === null) return null;
  const { group = false, cutDeadline, class: className } = options;
  const infos = infosOf(options);
  const classField = group ? 'volumeGroupSnapshotClassName' : 'volumeSnapshotClassName';
  return {
    apiVersion: 'lifehook.dev/v1alpha1',
    kind: 'ApplicationSnapshot',
    metadata: { name, namespace },
    spec: {
      source,
      mode: group ? 'Group' : 'Single',
      ...(className === undefined ? {} : { [classField]: className }),
      ...(cutDeadline === undefined ? {} : { cutDeadlineSeconds: cutDeadline }),
      ...(infos.length === 0 ? {} : { executionHookInfos: infos }),
    },
  };
}

function sourceOf({ claim, selector }: RequestOptions): ApplicationSnapshotSpec['source'] | null {
  if (claim !== undefined) return { persistentVolumeClaimNames: [...claim] };
  return selector === undefined ? null : { selector: { matchLabels: { ...selector } } };
}

function infosOf({ template, recipe, pods, container }: RequestOptions): ExecutionHookInfo[] {
  if (template === undefined && recipe === undefined) return [];
  const info: ExecutionHookInfo = {};
  if (template !== undefined) info.executionHookTemplateName = template;
  if (recipe !== undefined) info.recipe = recipe;
  if (pods !== undefined) info.podSelector = { matchLabels: { ...pods } };
  if (container !== undefined) info.containerSelector = { ContainerName: container };
  return [info];
}
