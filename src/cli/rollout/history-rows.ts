/**
 * The rollouts that can still be told of: from the HookRuns (the last ten), the lifecycle's status (the last
 * one) and the ReplicaSets (what a number was called by `kubectl rollout history`). Pure.
 */
import type { ReplicaSet } from 'kubernetes-types/apps/v1.js';

import type { Direction, HookRun, Phase, Stage } from '../../lifecycles/rollout/kinds.ts';
import { templateDigest } from '../../lifecycles/rollout/template-digest.ts';
import { textTable } from '../text-table.ts';
import type { RolloutFacts } from './read-rollout.ts';
import { STAGES } from './rollout-view.ts';
import { durationText } from './status-text.ts';

export interface RolloutEntry {
  readonly number: number;
  /** As `kubectl rollout history` counts; absent: it never ran, or its ReplicaSet is gone. */
  readonly revision?: string;
  readonly direction: Direction;
  /** Of the last rollout alone: of the older ones, their hooks tell. */
  readonly phase?: Phase;
  readonly startedAt: string;
  readonly hooks: readonly HookEntry[];
}

export interface HookEntry {
  readonly stage: Stage;
  readonly result: string;
  readonly reason?: string;
  readonly attempts: number;
  readonly durationMs?: number;
}

const REVISION = 'deployment.kubernetes.io/revision';

/** The newest first. */
export function historyOf(facts: RolloutFacts, sets: readonly ReplicaSet[]): RolloutEntry[] {
  const { rollout } = facts.lifecycle.status ?? {};
  const byNumber = new Map<number, HookRun[]>();
  for (const run of facts.runs) {
    byNumber.set(run.spec.rollout, [...(byNumber.get(run.spec.rollout) ?? []), run]);
  }
  const revisions = revisionsOf(facts, sets);
  const entries = [...byNumber.values()].flatMap((runs) => {
    const [first] = STAGES.flatMap((stage) => runs.filter(({ spec }) => spec.stage === stage));
    if (first === undefined) return [];
    const isLast = first.spec.rollout === rollout?.number;
    return [entryOf(first, { runs, revisions, ...(isLast ? { phase: rollout.phase } : {}) })];
  });
  if (rollout !== undefined && !byNumber.has(rollout.number)) {
    const { number, direction, phase, startedAt, digest } = rollout;
    const revision = revisionOf(revisions, { digest, toRevision: rollout.toRevision });
    const known = { number, direction, phase, startedAt, hooks: [] };
    entries.push(revision === undefined ? known : { ...known, revision });
  }
  return entries.toSorted((one, other) => other.number - one.number);
}

export function historyText(history: readonly RolloutEntry[]): string {
  if (history.length === 0) return 'No rollout is recorded.\n';
  const heading = ['NUMBER', 'REVISION', 'DIRECTION', 'PHASE', ...STAGES.map(upper), 'STARTED'];
  return textTable(
    heading,
    history.map((entry) => [
      `${entry.number}`,
      entry.revision ?? '-',
      entry.direction,
      entry.phase ?? '-',
      ...STAGES.map((stage) => hookText(entry.hooks.find((hook) => hook.stage === stage))),
      entry.startedAt,
    ]),
  );
}

function revisionsOf(
  { deployment }: RolloutFacts,
  sets: readonly ReplicaSet[],
): Map<string, string> {
  const uid = deployment.metadata?.uid;
  const own = sets.filter(({ metadata }) =>
    (metadata?.ownerReferences ?? []).some((owner) => owner.uid === uid),
  );
  return new Map(
    own.flatMap(({ metadata, spec }) => {
      const revision = metadata?.annotations?.[REVISION];
      return revision === undefined ? [] : [[templateDigest(spec?.template), revision]];
    }),
  );
}

interface Known {
  readonly runs: readonly HookRun[];
  readonly revisions: ReadonlyMap<string, string>;
  readonly phase?: Phase;
}

function entryOf(first: HookRun, { runs, revisions, phase }: Known): RolloutEntry {
  const hooks = STAGES.flatMap((stage) => runs.filter(({ spec }) => spec.stage === stage));
  const { rollout: number, direction, digest } = first.spec;
  // Later hooks know more than the first.
  const revision = revisionOf(revisions, { digest, toRevision: hooks.at(-1)?.spec.toRevision });
  return {
    number,
    ...(revision === undefined ? {} : { revision }),
    direction,
    ...(phase === undefined ? {} : { phase }),
    startedAt: first.status?.startedAt ?? '-',
    hooks: hooks.map(hookEntry),
  };
}

/** What a hook was told is a forecast: without a ReplicaSet it did not come true. */
function revisionOf(
  revisions: ReadonlyMap<string, string>,
  { digest, toRevision }: { readonly digest: string; readonly toRevision: string | undefined },
): string | undefined {
  const now = revisions.get(digest);
  return now === undefined ? undefined : (toRevision ?? now);
}

function hookEntry({ spec, status }: HookRun): HookEntry {
  const { phase: result = 'Running', reason, attemptCount: attempts = 0 } = status ?? {};
  const entry = {
    stage: spec.stage,
    result,
    attempts,
    ...(reason === undefined ? {} : { reason }),
  };
  if (status?.finishedAt === undefined) return entry;
  return { ...entry, durationMs: Date.parse(status.finishedAt) - Date.parse(status.startedAt) };
}

function hookText(hook: HookEntry | undefined): string {
  if (hook === undefined) return '-';
  const { result, attempts, durationMs } = hook;
  const often = attempts > 1 ? ` x${attempts}` : '';
  return `${result}${often}${durationMs === undefined ? '' : ` ${durationText(durationMs)}`}`;
}

function upper(stage: Stage): string {
  return stage.toUpperCase();
}
