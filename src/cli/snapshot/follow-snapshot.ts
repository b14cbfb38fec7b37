/** Follows a snapshot until it has ended, and turns its outcome into an exit code. */
import process from 'node:process';

import type { Verdict } from '../../lifecycles/snapshot/evidence-kinds.ts';
import { type ApplicationSnapshot, applicationSnapshots } from '../../lifecycles/snapshot/kinds.ts';
import {
  reaches,
  type RequiredLevel,
  requiredLevelOf,
} from '../../lifecycles/snapshot/required-level.ts';
import { LifehookError, type Problem } from '../../model/problem.ts';
import { exitCodes } from '../exit-codes.ts';
import type { CliCluster } from '../kube-connection.ts';
import { reportProblems } from '../report-problems.ts';
import { printed } from '../listing.ts';
import type { OutputFormat } from '../shared-options.ts';
import { followObject, type FollowOptions } from './follow-object.ts';
import { statusText, waitText } from './status-text.ts';

export async function followSnapshot(
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
  process.stderr.write(
    `The snapshot has not ended after ${timeout} s; it continues. See: lifehook snapshot status ${made.metadata?.name ?? ''}\n`,
  );
  return exitCodes.deadline;
}

function hasEnded({ status = {} }: ApplicationSnapshot): boolean {
  return status.phase === 'Completed' || status.phase === 'Failed';
}

/** Before the start it is what the snapshot waits for. */
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

/**
 * A verdict and the required level, for programs.
 * `reached` is null while the snapshot has no verdict.
 */
export function createdValue(snapshot: ApplicationSnapshot): object {
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
    message: `The verdict on ${name} is ${value} (${reason}), and ${required} is required: ${message}.`,
    next: nextFor(value),
  };
}

function nextFor(value: Verdict['value']): string {
  return value === 'CrashConsistent'
    ? 'Accept it with --require CrashConsistent, or let hooks freeze the application.'
    : "Do not restore from it. See docs/snapshots.md for the verdict's reason, and take another.";
}
