/** Follows a snapshot until it has ended, and turns its outcome into an exit code. */
import process from 'node:process';

import { listWatch } from '../../kube/list-watch.ts';
import type { Verdict } from '../../lifecycles/snapshot/evidence-kinds.ts';
import { type ApplicationSnapshot, applicationSnapshots } from '../../lifecycles/snapshot/kinds.ts';
import {
  reaches,
  type RequiredLevel,
  requiredLevelOf,
} from '../../lifecycles/snapshot/required-level.ts';
import { LifehookError, type Problem } from '../../model/problem.ts';
import { abortAfter, cancelOnSignals } from '../cancel-on-signals.ts';
import { exitCodes } from '../exit-codes.ts';
import type { CliCluster } from '../kube-connection.ts';
import { reportProblems } from '../report-problems.ts';
import { printed } from '../listing.ts';
import type { OutputFormat, QuietOptions } from '../shared-options.ts';
import { statusText, waitText } from './status-text.ts';

export interface FollowOptions extends QuietOptions {
  /** Seconds. */
  readonly timeout: number;
  readonly output: OutputFormat;
}

const MS = 1_000;

export async function followSnapshot(
  cluster: CliCluster,
  made: ApplicationSnapshot,
  { timeout, output, quiet = false }: FollowOptions,
): Promise<number> {
  const interrupted = cancelOnSignals();
  const signal = AbortSignal.any([interrupted, abortAfter(timeout * MS)]);
  const say = output === 'text' && !quiet ? phaseTeller() : (): void => {};
  const last = await lastState(cluster, made, { signal, say });
  process.stdout.write(printed(createdValue(last), output, () => ''));
  if (hasEnded(last)) return end(last, output);
  if (interrupted.aborted) return exitCodes.interrupted;
  process.stderr.write(
    `The snapshot had not ended after ${timeout} s; it goes on. See: lifehook snapshot status ${identityOf(made).name}\n`,
  );
  return exitCodes.deadline;
}

/** The state when the snapshot has ended, or when the signal aborted. */
async function lastState(
  { connection, namespace }: CliCluster,
  made: ApplicationSnapshot,
  of: { readonly signal: AbortSignal; readonly say: (snapshot: ApplicationSnapshot) => void },
): Promise<ApplicationSnapshot> {
  const { name, uid } = identityOf(made);
  const scope = { namespace, fieldSelector: `metadata.name=${name}`, signal: of.signal };
  let last = made;
  for await (const event of listWatch(connection, applicationSnapshots, scope)) {
    if (event.type === 'Delete') throw deletedEarly(name);
    if (event.type !== 'Upsert' || identityOf(event.object).uid !== uid) continue;
    last = event.object;
    of.say(last);
    if (hasEnded(last)) return last;
  }
  return last;
}

function identityOf({ metadata = {} }: ApplicationSnapshot): { name: string; uid: string } {
  const { name = '', uid = '' } = metadata;
  return { name, uid };
}

function hasEnded({ status = {} }: ApplicationSnapshot): boolean {
  return status.phase === 'Completed' || status.phase === 'Failed';
}

/** Prints each phase once, and before the start what the snapshot waits for. */
function phaseTeller(): (snapshot: ApplicationSnapshot) => void {
  let told = '';
  return ({ status = {} }) => {
    const text = waitText(status) ?? status.phase ?? '';
    if (text !== told) process.stdout.write(`  ${text}\n`);
    told = text;
  };
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
    severity: 'error',
    message: `The ApplicationSnapshot "${name}" was deleted before it had ended.`,
    next: 'What it had frozen is thawed by its hooks; see `lifehook snapshot list`.',
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
