/**
 * The hooks of one stage as a plan of the engine, which decides every attempt. Pure.
 *
 * The status of the restore is the ledger of the engine (SNAP-V10).
 */
import { bareResult } from '../../../engine/act.ts';
import { makePlan, type Plan } from '../../../engine/plan.ts';
import { type Decision, step } from '../../../engine/step.ts';
import type { RunRecord } from '../../../model/attempt.ts';
import type { ActionAttempt } from '../kinds.ts';
import { resolveRecipe } from '../recipes/all-recipes.ts';
import type { RestoreHook, RestoreHookStatus, RestoreStage, SnapshotRestore } from './kinds.ts';

/** Times in seconds. */
const DEFAULT_TIMEOUT = 300;
const RETRY_PAUSE = 5;
const RETRY_PAUSE_MAX = 60;

export function timeoutSecondsOf({ timeoutSeconds, pod }: RestoreHook): number {
  if (timeoutSeconds !== undefined) return timeoutSeconds;
  const recipe = pod?.recipe === undefined ? undefined : resolveRecipe(pod.recipe.name);
  return recipe?.verify?.timeoutSeconds ?? DEFAULT_TIMEOUT;
}

/** The decision about the hooks of a stage; null: the stage has none. */
export function decideStage(
  restore: SnapshotRestore,
  stage: RestoreStage,
  nowMs: number,
): Decision | null {
  const hooks = restore.spec[stage] ?? [];
  if (hooks.length === 0) return null;
  const records = hooks.flatMap((hook) => recordsOf(restore, hook));
  return step({ plan: planOf(restore, stage, hooks), records, nowMs });
}

export function statusOf({ status }: SnapshotRestore, name: string): RestoreHookStatus | undefined {
  return status?.hooks?.find((hook) => hook.name === name);
}

/** The attempt with an intent and no outcome; undefined: none. */
export function openAttempt(status: RestoreHookStatus | undefined): ActionAttempt | undefined {
  const last = status?.attempts?.at(-1);
  return last?.outcome === undefined ? last : undefined;
}

function planOf(
  { metadata }: SnapshotRestore,
  stage: RestoreStage,
  hooks: readonly RestoreHook[],
): Plan {
  const object = `SnapshotRestore ${metadata?.name ?? ''}`;
  return makePlan({
    runId: metadata?.uid ?? '',
    title: `${object} / ${stage}`,
    deadlineAtMs: null,
    steps: hooks.map((hook) => ({
      kind: 'main',
      name: hook.name,
      policy: {
        timeoutSeconds: timeoutSecondsOf(hook),
        retry: {
          limit: hook.retries ?? 0,
          backoffSeconds: RETRY_PAUSE,
          maxBackoffSeconds: RETRY_PAUSE_MAX,
        },
        failurePolicy: 'Abort',
      },
      source: { kind: 'object', object },
    })),
  });
}

function recordsOf(restore: SnapshotRestore, hook: RestoreHook): RunRecord[] {
  const runId = restore.metadata?.uid ?? '';
  const attempts = statusOf(restore, hook.name)?.attempts ?? [];
  return attempts.flatMap((attempt, index): RunRecord[] => {
    const at = { runId, step: hook.name, attempt: index + 1 };
    const atMs = Date.parse(attempt.startedAt);
    const started: RunRecord = { type: 'AttemptStarted', ...at, atMs };
    if (attempt.outcome === undefined) return [started];
    const endedMs = Date.parse(attempt.endedAt ?? attempt.startedAt);
    const outcome = knownOutcome(hook, attempt);
    const result = bareResult(outcome, attempt.reason ?? '', endedMs - atMs);
    return [started, { type: 'AttemptSettled', ...at, atMs: endedMs, result }];
  });
}

/**
 * A command that timed out may still be running, so its end is unknown. A pod that timed out was stopped, so it has
 * failed. An unknown end counts as a failure, which may be retried, only if the hook is idempotent.
 */
function knownOutcome(
  { idempotent = false, exec }: RestoreHook,
  { outcome = 'Unknown', notStarted }: ActionAttempt,
): 'Succeeded' | 'Failed' | 'Unknown' {
  if (outcome === 'Succeeded') return 'Succeeded';
  if (outcome === 'Failed' || notStarted !== undefined || idempotent) return 'Failed';
  return outcome === 'TimedOut' && exec === undefined ? 'Failed' : 'Unknown';
}
