/** Judges one stage of the open rollout for the machine. Pure. */
import type { HookRun, Stage } from '../kinds.ts';
import { decideStage } from '../runs/decide-stage.ts';
import type { StageAbort, StageRequest, StageStep } from '../runs/stage.ts';
import { AUTHOR_PROOF } from '../names.ts';
import type { Rolling } from './facts.ts';
import { marksOf } from './marks.ts';
import { deadlineSeconds, hookOf } from './stage-hooks.ts';
import type { MachineStep } from './step.ts';
import { setOf } from './templates.ts';
import type { RolloutFailure } from '../kinds.ts';

export type StageVerdict =
  /** The stage has no hook, or its hook has succeeded, or its failure is ignored. */
  | { readonly kind: 'passed'; readonly reason: string }
  | { readonly kind: 'failed'; readonly cause: Omit<RolloutFailure, 'at'> }
  | { readonly kind: 'busy'; readonly step: MachineStep };

export function judgeStage(facts: Rolling, stage: Stage): StageVerdict {
  const run = runOf(facts, stage);
  // A stage keeps the hook with which it began, even if the lifecycle has changed.
  const hook = run?.spec.hook ?? hookOf(facts, stage);
  const abort = abortAsked(facts);
  if (hook === null || (run === null && abort !== null)) {
    if (abort !== null) return { kind: 'failed', cause: { stage, ...abort } };
    return { kind: 'passed', reason: `there is no ${stage} hook` };
  }
  if (run === null && !facts.isAuthored) {
    return { kind: 'failed', cause: { stage, reason: 'HookNotAuthorized', message: UNASKED } };
  }
  const { hookPods: pods, nowMs } = facts;
  const request = requestOf(facts, stage, hook);
  return verdictOf(stage, decideStage({ run, request, pods, nowMs, abort }));
}

const UNASKED =
  'the spec of its DeploymentLifecycle was changed while the right of its author to create pods could not be checked: ' +
  `review it, then annotate the DeploymentLifecycle with ${AUTHOR_PROOF}=ask`;

export function abortAsked({ deployment, number }: Rolling): StageAbort | null {
  if (marksOf(deployment).abort !== number) return null;
  return { reason: 'AbortedByUser', message: `a user requested the abort of rollout ${number}` };
}

function runOf({ hookRuns, number, deployment }: Rolling, stage: Stage): HookRun | null {
  const { uid } = deployment.metadata ?? {};
  const found = hookRuns.find(
    ({ spec }) => spec.rollout === number && spec.stage === stage && spec.deploymentUID === uid,
  );
  return found ?? null;
}

function requestOf(facts: Rolling, stage: Stage, hook: StageRequest['hook']): StageRequest {
  const { deployment, lifecycle, number, rollout, sets } = facts;
  const { direction, digest, template, fromRevision, toRevision } = rollout;
  return {
    deployment,
    lifecycle,
    number,
    stage,
    direction,
    digest,
    template,
    ...(fromRevision === undefined ? {} : { fromRevision }),
    ...(toRevision === undefined ? {} : { toRevision }),
    hook,
    deadlineSeconds: deadlineSeconds(facts),
    replicaSet: setOf(sets, digest),
  };
}

function verdictOf(stage: Stage, step: StageStep): StageVerdict {
  if (step.kind !== 'settled') {
    return { kind: 'busy', step: { kind: 'stage', step, reason: `the ${stage} hook runs` } };
  }
  const { phase, reason, message } = step;
  switch (phase) {
    case 'Succeeded':
    case 'Ignored':
      return { kind: 'passed', reason: message };
    case 'Aborted':
    case 'Failed':
    case 'Unknown':
      return {
        kind: 'failed',
        cause: { stage, reason: failureReason(stage, reason), message },
      };
    default:
      return phase satisfies never;
  }
}

const KEPT_REASONS: readonly string[] = ['DeadlineExceeded', 'AbortedByUser'];

function failureReason(stage: Stage, reason: string): string {
  if (KEPT_REASONS.includes(reason)) return reason;
  return `${stage.charAt(0).toUpperCase()}${stage.slice(1)}HookFailed`;
}
