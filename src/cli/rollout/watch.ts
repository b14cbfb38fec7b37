/** `lifehook rollout watch DEPLOYMENT`: follows it to its end. */
import process from 'node:process';

import type { HookAttempt } from '../../lifecycles/rollout/kinds.ts';
import { abortAfter, cancelOnSignals } from '../cancel-on-signals.ts';
import { exitCodes } from '../exit-codes.ts';
import { type CliCluster, connectToKube, type KubeOptions } from '../kube-connection.ts';
import type { QuietOptions } from '../shared-options.ts';
import { followRollout } from './follow-rollout.ts';
import { readRollout, type RolloutFacts } from './read-rollout.ts';
import { exitCodeOf, hasEnded, type HookView, type RolloutView } from './rollout-view.ts';
import { durationText, endText } from './status-text.ts';

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

/** What is new about a rollout, as lines; with null before, everything. Pure. */
export function newLines(before: RolloutView | null, view: RolloutView): string[] {
  const known = before?.number === view.number ? before : null;
  const head = known === null && view.number > 0 ? [`Rollout ${view.number}`] : [];
  const attempts = view.hooks.flatMap((hook) =>
    attemptLines(
      known?.hooks.find(({ name }) => name === hook.name),
      hook,
    ),
  );
  return [...head, ...phaseLines(known, view), ...attempts.map((line) => `    ${line}`)];
}

function phaseLines(known: RolloutView | null, view: RolloutView): string[] {
  if (known?.phase !== view.phase) return [`  ${phaseText(view)}`];
  if (known.waitsFor === view.waitsFor || !isPodCount(view)) return [];
  return [`    waits for ${view.waitsFor ?? ''}`];
}

function phaseText({ phase, direction, toRevision, waitsFor, failure }: RolloutView): string {
  const to = toRevision === undefined ? '' : ` to revision ${toRevision}`;
  const what = phase === 'Pre' && direction !== undefined ? ` (${direction}${to})` : '';
  if (failure !== undefined) return `${phase}: ${failure.reason}: ${failure.message}`;
  return `${phase}${what}${waitsFor === undefined ? '' : `: waits for ${waitsFor}`}`;
}

/** The other phases tell of their waits by the lines of their hooks. */
function isPodCount({ phase }: RolloutView): boolean {
  return ['NotBegun', 'Draining', 'Progressing', 'Restoring', 'RollingBack'].includes(phase);
}

function attemptLines(before: HookView | undefined, { stage, attempts }: HookView): string[] {
  return attempts.flatMap((attempt) => {
    const known = before?.attempts.find(({ number }) => number === attempt.number);
    const what = `${stage}, attempt ${attempt.number}`;
    const lines: string[] = [];
    if (known === undefined) lines.push(`${what}: pod ${attempt.podName}`);
    if (attempt.waitsFor !== undefined && attempt.waitsFor !== known?.waitsFor) {
      lines.push(`${what}: waits: ${attempt.waitsFor}`);
    }
    if (attempt.outcome !== undefined && known?.outcome === undefined) {
      lines.push(`${what}: ${outcomeText(attempt)}`);
      lines.push(...(attempt.lastLines ?? []).map((line) => `  | ${line}`));
    }
    return lines;
  });
}

function outcomeText(attempt: HookAttempt): string {
  const { outcome = '', startedAt, finishedAt = startedAt, message = '' } = attempt;
  const took = durationText(Date.parse(finishedAt) - Date.parse(startedAt));
  const how = outcome === 'Succeeded' ? '' : ` ${endText(attempt)}`.trimEnd();
  const said = message === '' ? '' : `: ${message.trim()}`;
  return `${outcome}${how} after ${took}${said}`;
}
