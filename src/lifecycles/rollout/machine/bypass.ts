/** Detects pods that run without a release, or would run. Pure. */
import type { Managed, Rolling } from './facts.ts';
import { findCondition } from '../../../controller/conditions.ts';
import { marksOf } from './marks.ts';
import type { MachineStep, Emits } from './step.ts';
import { templateDigest } from '../template-digest.ts';
import { releasedTemplate } from './templates.ts';

export const GATE_BYPASSED = 'GateBypassed';

/**
 * The step against a bypass of the gate; null: no new bypass. A Deployment that is not paused is paused again each
 * time. A ReplicaSet that runs is reported once per rollout number.
 */
export function decideBypass(facts: Rolling): MachineStep | null {
  const { deployment, rollout } = facts;
  const isSet = findCondition(facts.lifecycle.status?.conditions ?? [], GATE_BYPASSED);
  if (deployment.spec?.paused !== true && !mayRun(rollout.phase)) {
    return {
      kind: 'changeDeployment',
      reason: 'it is gated, but was no longer paused',
      change: { paused: true },
      emits: bypassEmits(facts, 'the Deployment was unpaused before its release'),
    };
  }
  const running = unreleasedSet(facts);
  if (running === null || isSet?.status === 'True') return null;
  const message = `ReplicaSet ${running} runs a template that was not released`;
  return {
    kind: 'record',
    reason: message,
    status: {},
    bypass: message,
    emits: bypassEmits(facts, message),
  };
}

export function bypassEmits({ deployment }: Managed, message: string): Emits {
  const number = marksOf(deployment).number ?? 0;
  return {
    notices: [{ type: 'Warning', reason: 'GateBypassed', message: `${message}.` }],
    observed: [{ type: 'GateBypassed', number, message }],
  };
}

/**
 * True in phase Restoring, in which the Deployment may be unpaused. The spec then has the earlier template, whose
 * ReplicaSet must be created if it was deleted (ROLL-C14).
 */
function mayRun(phase: Rolling['rollout']['phase']): boolean {
  return phase === 'Restoring';
}

function unreleasedSet(facts: Rolling): string | null {
  const { rollout, sets } = facts;
  if (releasedTemplate(facts)?.digest === rollout.digest) return null;
  const found = sets.find(
    ({ spec }) => (spec?.replicas ?? 0) > 0 && templateDigest(spec?.template) === rollout.digest,
  );
  return found?.metadata?.name ?? null;
}
