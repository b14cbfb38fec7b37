/** `lifehook rollout watch DEPLOYMENT`: follows it to its end. */
import process from 'node:process';

import { abortAfter } from '../abort-after.ts';
import { cancelOnSignals } from '../cancel-on-signals.ts';
import { exitCodes } from '../exit-codes.ts';
import { type CliCluster, connectToKube, type KubeOptions } from '../kube-connection.ts';
import type { QuietOptions } from '../quiet-option.ts';
import { followRollout } from './follow-rollout.ts';
import { readRollout, type RolloutFacts } from './read-rollout.ts';
import { newLines } from './rollout-lines.ts';
import { exitCodeOf, hasEnded, type RolloutView } from './rollout-view.ts';

export interface WatchOptions extends KubeOptions, QuietOptions {
  /** Seconds; absent: as long as it takes. */
  readonly timeout?: number;
}

const MS = 1_000;

export async function runRolloutWatch(name: string, options: WatchOptions): Promise<number> {
  const cluster = await connectToKube(options, 'rollout watch');
  try {
    const facts = await readRollout(cluster, name);
    return await followToEnd(cluster, { ...options, facts, hasEnded });
  } finally {
    cluster.close();
  }
}

export interface FollowToEndOptions extends QuietOptions {
  readonly facts: RolloutFacts;
  /** Seconds. */
  readonly timeout?: number | undefined;
  readonly hasEnded: (view: RolloutView) => boolean;
}

/** Prints what happens; the exit code is that of the end. */
export async function followToEnd(
  cluster: CliCluster,
  { facts, timeout, quiet = false, hasEnded: isOver }: FollowToEndOptions,
): Promise<number> {
  const interrupted = cancelOnSignals();
  const timed = timeout === undefined ? [] : [abortAfter(timeout * MS)];
  let before: RolloutView | null = null;
  const end = await followRollout(cluster, {
    facts,
    signal: AbortSignal.any([interrupted, ...timed]),
    look: (view) => {
      const lines = quiet ? [] : newLines(before, view);
      for (const line of lines) process.stdout.write(`${line}\n`);
      before = view;
      return isOver(view);
    },
  });
  if (end === null) return stopped(interrupted.aborted, timeout ?? 0);
  if (end.next !== undefined && !quiet) process.stdout.write(`\nNext: ${end.next}\n`);
  return exitCodeOf(end);
}

function stopped(isInterrupted: boolean, timeoutSeconds: number): number {
  if (isInterrupted) return exitCodes.interrupted;
  process.stderr.write(`The rollout had not ended after ${timeoutSeconds} s; it goes on.\n`);
  return exitCodes.deadline;
}
