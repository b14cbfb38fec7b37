/** Emits the Events, metrics and logs of a HookRun after it is durable (ROLL-DH17). */
import type { ObjectReference } from 'kubernetes-types/core/v1.js';

import type { Notice } from '../../../controller/event-correlator.ts';
import { aboutObject } from '../../../controller/event-recorder.ts';
import { apiVersionOf } from '../../../kube/object.ts';
import { deployments } from '../../../kube/resources.ts';
import { type HookAttempt, type HookRun, hookRuns } from '../kinds.ts';
import { endedEvent } from '../recorded-events.ts';
import type { RolloutEvent } from '../rollout-event.ts';
import { describeAttempt } from './describe-attempt.ts';
import { timeMs } from './run-plan.ts';
import type { StageActing } from './stage-acting.ts';

export function reportBegun(
  acting: StageActing,
  run: HookRun,
  { attempt, why }: { readonly attempt: number; readonly why: string },
): void {
  const { stage, rollout: number } = run.spec;
  const reason = attempt === 1 ? 'HookStarted' : 'HookRetried';
  const text = `Attempt ${attempt} of the ${stage} hook of rollout ${number} has started`;
  note(acting, run, {
    type: 'Normal',
    reason,
    message: attempt === 1 ? `${text}.` : `${text}: ${why}`,
  });
  acting.context.observe({ type: 'AttemptStarted', ...about(run), attempt });
}

/**
 * Reports why a pod waits; it is called again when the reason changes. Events with equal text are merged and counted.
 */
export function reportWaiting(
  acting: StageActing,
  run: HookRun,
  { attempt, waitsFor }: { readonly attempt: number; readonly waitsFor: string },
): void {
  const { stage, rollout } = run.spec;
  const message = `Rollout ${rollout}: attempt ${attempt} of the ${stage} hook waits: ${waitsFor}`;
  note(acting, run, { type: 'Warning', reason: 'HookWaiting', message });
}

/** Reports the end of an attempt. `trouble`: the reason why the log could not be read; null: it was read. */
export function reportEnded(
  acting: StageActing,
  run: HookRun,
  { attempt: number, trouble }: { readonly attempt: number; readonly trouble: string | null },
): void {
  const attempt = run.status?.attempts.find((each) => each.number === number);
  if (attempt?.outcome === undefined) return;
  const { outcome } = attempt;
  const good = outcome === 'Succeeded';
  const unread = trouble === null ? '' : ` (its log could not be read: ${trouble})`;
  const message = `${describeAttempt(run.spec.stage, attempt)}${unread}`;
  note(acting, run, {
    type: good ? 'Normal' : 'Warning',
    reason: good ? 'HookSucceeded' : 'HookFailed',
    message: `Rollout ${run.spec.rollout}: ${message}`,
  });
  const durationMs = durationOf(attempt);
  const ended = { ...about(run), attempt: number, outcome, durationMs };
  acting.context.observe({ type: 'AttemptEnded', ...ended });
}

/**
 * Reports the end of a run; emits nothing while it runs. A failure without an attempt also gets an Event here, because
 * no attempt has reported one.
 */
export function reportSettled(acting: StageActing, run: HookRun): void {
  const ended = endedEvent(run);
  if (ended === null) return;
  const { phase, message = '', attemptCount = 0 } = run.status ?? {};
  const { stage, rollout } = run.spec;
  const text = `Rollout ${rollout}, ${stage}: ${message}`;
  if (attemptCount === 0 && phase !== 'Aborted') {
    note(acting, run, { type: 'Warning', reason: 'HookFailed', message: text });
  }
  if (phase === 'Ignored') {
    note(acting, run, { type: 'Warning', reason: 'HookIgnored', message: text });
  }
  acting.context.observe(ended);
}

function note({ context }: StageActing, run: HookRun, reported: Notice): void {
  for (const object of [deploymentOf(run), aboutObject(hookRuns, run)]) {
    context.recorder.record({ about: object, ...reported });
  }
}

function deploymentOf({ metadata, spec }: HookRun): ObjectReference {
  return {
    apiVersion: apiVersionOf(deployments),
    kind: deployments.kind,
    namespace: metadata?.namespace ?? '',
    name: spec.deploymentName,
    uid: spec.deploymentUID,
  };
}

function about({ metadata, spec }: HookRun): Pick<RolloutEvent, 'namespace' | 'deployment'> & {
  number: number;
  stage: HookRun['spec']['stage'];
} {
  const { deploymentName: deployment, rollout: number, stage } = spec;
  return { namespace: metadata?.namespace ?? '', deployment, number, stage };
}

function durationOf({ startedAt, finishedAt = startedAt }: HookAttempt): number {
  return Math.max(0, timeMs(finishedAt) - timeMs(startedAt));
}
