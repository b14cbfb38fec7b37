/** `lifehook snapshot create NAME`: requests a snapshot, follows it, and reports its verdict. */
import process from 'node:process';

import {
  type Verdict,
  type ApplicationSnapshot,
  applicationSnapshots,
  type ApplicationSnapshotSpec,
  type ExecutionHookInfo,
} from '../../lifecycles/snapshot/kinds.ts';
import { REQUIRED_LEVEL } from '../../lifecycles/snapshot/names.ts';
import {
  defaultLevel,
  type RequiredLevel,
  reaches,
  requiredLevelOf,
} from '../../lifecycles/snapshot/required-level.ts';
import { API_VERSION } from '../../model/api-version.ts';
import { LifehookError, type Problem } from '../../model/problem.ts';
import { exitCodes } from '../exit-codes.ts';
import { connectToKube, type KubeOptions, type CliCluster } from '../kube-connection.ts';
import { reportProblems } from '../report-problems.ts';
import { printed } from '../listing.ts';
import type { OutputFormat, QuietOptions } from '../shared-options.ts';
import { askedHooksOf } from './check-asked.ts';
import { followObject, type FollowOptions } from './follow-object.ts';
import { refuseWithoutClaims, refuseWithoutHook } from './refuse-options.ts';
import type { RequestOptions } from './request-options.ts';
import { statusText, waitText } from './status-text.ts';

export interface CreateOptions extends KubeOptions, RequestOptions, QuietOptions {
  readonly wait?: boolean;
  /** Seconds until the command stops waiting. */
  readonly timeout: number;
  /** The required level. Absent: it depends on whether the request has hooks. */
  readonly require?: RequiredLevel;
  readonly output: OutputFormat;
}

export async function runSnapshotCreate(name: string, options: CreateOptions): Promise<number> {
  const { output } = options;
  const refused = refuseWithoutHook(options);
  if (refused !== null) return refused;
  using cluster = await connectToKube(options, 'snapshot create');
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
}

/** Stores the required level on the object, so that every later check uses it. */
function requiring(snapshot: ApplicationSnapshot, level: RequiredLevel): ApplicationSnapshot {
  const annotations = { [REQUIRED_LEVEL]: level };
  return { ...snapshot, metadata: { ...snapshot.metadata, annotations } };
}

/** The ApplicationSnapshot that the options of a command describe; null: they select no volume. Pure. */
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
    apiVersion: API_VERSION,
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

/** Follows a snapshot until it has ended, and turns its outcome into an exit code. */
async function followSnapshot(
  cluster: CliCluster,
  made: ApplicationSnapshot,
  options: FollowOptions,
): Promise<number> {
  const { timeout, output } = options;
  const followed = { resource: applicationSnapshots, made, hasEnded, phaseText, deletedEarly };
  const { last, isInterrupted } = await followObject(cluster, followed, options);
  process.stdout.write(printed(createdValue(last), output, () => ''));
  if (hasEnded(last)) return end(last, output);
  if (isInterrupted) return exitCodes.interrupted;
  process.stderr.write(continuesText(made.metadata, timeout));
  return exitCodes.deadline;
}

/** The message after `timeout` seconds. */
export function continuesText(
  { namespace = '', name = '' }: ApplicationSnapshot['metadata'] = {},
  timeout: number,
): string {
  return `The snapshot has not ended after ${timeout} s; it continues. See: lifehook snapshot status ${name} -n ${namespace}\n`;
}

function hasEnded({ status = {} }: ApplicationSnapshot): boolean {
  return status.phase === 'Completed' || status.phase === 'Failed';
}

/** The phase as a text. Before the start it is the reason for the wait. */
function phaseText({ status = {} }: ApplicationSnapshot): string {
  return waitText(status) ?? status.phase ?? '';
}

function end(snapshot: ApplicationSnapshot, output: OutputFormat): number {
  if (output === 'text') process.stdout.write(`\n${statusText(snapshot)}`);
  const { phase, verdict } = snapshot.status ?? {};
  if (phase !== 'Completed' || verdict === undefined) return exitCodes.failed;
  const required = requiredLevelOf(snapshot);
  if (reaches(verdict, required)) return exitCodes.done;
  reportProblems([belowRequired(snapshot, { verdict, required })]);
  return exitCodes.belowRequired;
}

function deletedEarly(name: string): LifehookError {
  return new LifehookError({
    code: 'LHS403',
    message: `The ApplicationSnapshot "${name}" was deleted before it had ended.`,
    next: 'Its hooks thaw what they have frozen; see `lifehook snapshot list`.',
  });
}

/** A snapshot's verdict and the required level, for programs. `reached`: null while the snapshot has no verdict. */
function createdValue(snapshot: ApplicationSnapshot): object {
  const { verdict } = snapshot.status ?? {};
  const required = requiredLevelOf(snapshot);
  const reached = verdict === undefined ? null : reaches(verdict, required);
  return { required, reached, snapshot };
}

function belowRequired(
  { metadata = {} }: ApplicationSnapshot,
  of: { readonly verdict: Verdict; readonly required: RequiredLevel },
): Problem {
  const { verdict, required } = of;
  const { value, reason, message } = verdict;
  const name = `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
  return {
    code: 'LHS410',
    severity: 'error',
    message: `The verdict on ${name} is ${value} (${reason}: ${message}), but ${required} is required.`,
    next: nextFor(value),
  };
}

function nextFor(value: Verdict['value']): string {
  return value === 'CrashConsistent'
    ? 'Accept it with --require CrashConsistent, or let hooks freeze the application.'
    : "Do not restore from it. See docs/snapshots.md for the verdict's reason, and take another.";
}
