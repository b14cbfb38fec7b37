/** `lifehook rollout watch DEPLOYMENT`: follows a rollout until it ends. */
import process from 'node:process';

import type { KubeObject, Resource } from '../../kube/object.ts';
import { deployments } from '../../kube/resources.ts';
import {
  deploymentLifecycles,
  type HookAttempt,
  type HookRun,
  hookRuns,
} from '../../lifecycles/rollout/kinds.ts';
import { LifehookError } from '../../model/problem.ts';
import { abortAfter, cancelOnSignals } from '../cancel-on-signals.ts';
import { exitCodes } from '../exit-codes.ts';
import { type CliCluster, connectToKube, type KubeOptions } from '../kube-connection.ts';
import type { QuietOptions } from '../shared-options.ts';
import { readRollout, type RolloutFacts, runsOf } from './read-rollout.ts';
import { exitCodeOf, hasEnded, type HookView, type RolloutView, viewOf } from './rollout-view.ts';
import { printable } from '../terminal-text.ts';
import { uidOf, watchChanges, type WatchedScope } from '../watch-changes.ts';
import { durationText, endText } from './status-text.ts';

export interface WatchOptions extends KubeOptions, QuietOptions {
  /** Seconds until the command stops waiting; absent: no limit. */
  readonly timeout?: number;
}

const MS = 1_000;

export async function runRolloutWatch(name: string, options: WatchOptions): Promise<number> {
  using cluster = await connectToKube(options, 'rollout watch');
  const facts = await readRollout(cluster, name);
  return await followToEnd(cluster, { ...options, facts, hasEnded });
}

export interface FollowToEndOptions extends QuietOptions {
  readonly facts: RolloutFacts;
  /** Seconds until the watch stops; absent: no limit. */
  readonly timeout?: number | undefined;
  readonly hasEnded: (view: RolloutView) => boolean;
}

/** Prints each change; resolves with the exit code of the outcome. */
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
  process.stderr.write(`The rollout has not ended after ${timeoutSeconds} s; it continues.\n`);
  return exitCodes.deadline;
}

/** The changes of a rollout as lines. `before`: the last view; null: everything is new. Pure. */
export function newLines(before: RolloutView | null, view: RolloutView): string[] {
  const known = before?.number === view.number ? before : null;
  const head = known === null && view.number > 0 ? [`Rollout ${view.number}`] : [];
  const attempts = view.hooks.flatMap((hook) =>
    attemptLines(
      known?.hooks.find(({ name }) => name === hook.name),
      hook,
    ),
  );
  const lines = [...head, ...phaseLines(known, view), ...attempts.map((line) => `    ${line}`)];
  return lines.map((line) => printable(line));
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

/** True: the phase waits for pods, so their number is shown. In other phases the lines of hooks show the wait. */
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

export interface FollowOptions {
  /** The objects of the rollout, as read before the watch. */
  readonly facts: RolloutFacts;
  /** Called with each view; true ends the watch. */
  readonly look: (view: RolloutView) => boolean;
  readonly signal: AbortSignal;
}

/**
 * Follows a rollout with three watches: on its Deployment, its lifecycle and its HookRuns. Resolves with the view for
 * which `look` returned true; null: the signal aborted before. Rejects with LHR404 if the Deployment or its lifecycle
 * is deleted.
 */
export async function followRollout(
  cluster: CliCluster,
  { facts, look, signal }: FollowOptions,
): Promise<RolloutView | null> {
  const { namespace } = cluster;
  const stopping = new AbortController();
  const now = { deployment: facts.deployment, lifecycle: facts.lifecycle };
  const runs = new Map<string, HookRun>();
  const synced = new Set<string>();
  let last: RolloutView | null = null;
  const changed = (): void => {
    if (synced.size < RESOURCES || last !== null) return;
    const view = viewOf({ ...now, runs: [...runs.values()] });
    if (!look(view)) return;
    last = view;
    stopping.abort();
  };
  const follow = async <T extends KubeObject>(
    resource: Resource<T>,
    scope: Scope<T>,
    see: (object: T, isDeleted: boolean) => void,
  ): Promise<void> => {
    const options = { namespace, ...scope, signal: AbortSignal.any([signal, stopping.signal]) };
    for await (const event of watchChanges(cluster.connection, resource, options)) {
      if (event.type === 'Upsert') see(event.object, false);
      if (event.type === 'Delete') see(event.object, true);
      if (event.type === 'Synced') synced.add(resource.kind);
      changed();
    }
  };
  const required = (one: KubeObject, isDeleted: boolean): void => {
    if (isDeleted) throw deleted(one);
  };
  const named = <T extends KubeObject>(object: T): Scope<T> => ({
    fieldSelector: `metadata.name=${object.metadata?.name ?? ''}`,
    known: [object],
  });
  const following = [
    follow(deployments, named(now.deployment), (one, isDeleted) => {
      required(one, isDeleted);
      now.deployment = one;
    }),
    follow(deploymentLifecycles, named(now.lifecycle), (one, isDeleted) => {
      required(one, isDeleted);
      now.lifecycle = one;
    }),
    follow(hookRuns, { labelSelector: runsOf(now.deployment), known: [] }, (run, isDeleted) => {
      if (isDeleted) runs.delete(uidOf(run));
      else runs.set(uidOf(run), run);
    }),
  ];
  try {
    await Promise.all(following);
    return last;
  } finally {
    stopping.abort();
    await Promise.allSettled(following);
  }
}

const RESOURCES = 3;

type Scope<T extends KubeObject> = Omit<WatchedScope<T>, 'signal' | 'namespace'>;

function deleted({ kind = 'object', metadata }: KubeObject): LifehookError {
  const next =
    kind === 'DeploymentLifecycle'
      ? 'Its field spec.onDelete decides what happens to the rollout: look at the Deployment.'
      : 'Apply it again, then watch again.';
  return new LifehookError({
    code: 'LHR404',
    message: `The ${kind} "${metadata?.name ?? ''}" was deleted before the rollout had ended.`,
    next,
  });
}
