/** Computes the conditions of a lifecycle from the other fields of its status. Pure. */
import { findCondition, type Reported, withReported } from '../../../controller/conditions.ts';
import { progressConditions } from '../../../controller/progress-conditions.ts';
import type { DeploymentLifecycle, DeploymentLifecycleStatus, RolloutStatus } from '../kinds.ts';
import { GATE_BYPASSED } from './bypass.ts';
import type { GateVerdict } from './gate-verdict.ts';
import { isOver } from './phases.ts';

type ReportedCondition = Reported | null;

export interface Judged {
  readonly status: DeploymentLifecycleStatus;
  /** null: the gate was not tested yet. */
  readonly gate: GateVerdict | null;
  /** A message about a template that runs without a release; null: no new bypass. */
  readonly bypass: string | null;
  readonly nowMs: number;
}

/** The condition of a lifecycle that is not in charge, because an older one names the same Deployment. */
export const rivalCondition: NonNullable<ReportedCondition> = {
  type: 'Armed',
  status: 'False',
  reason: 'NotTheOldest',
  message:
    'An older DeploymentLifecycle names the same Deployment: this one does nothing. Delete one of them.',
};

/** The complete status to write. */
export function withConditions(
  lifecycle: DeploymentLifecycle,
  { status, gate, bypass, nowMs }: Judged,
): DeploymentLifecycleStatus {
  const { rollout } = status;
  const isNew = rollout !== undefined && rollout.number !== lifecycle.status?.rollout?.number;
  const isArmed = armed(gate);
  const reported = [
    isArmed,
    rollout === undefined ? null : progressing(rollout),
    rollout === undefined ? null : failed(rollout),
    bypassed(bypass, isNew),
    ...progressOf(isArmed ?? findCondition(status.conditions ?? [], 'Armed') ?? null, rollout),
  ];
  return withReported(status, reported, { metadata: lifecycle.metadata, nowMs });
}

export function asRival(lifecycle: DeploymentLifecycle, nowMs: number): DeploymentLifecycleStatus {
  const reported = [
    rivalCondition,
    ...progressConditions({ ...rivalCondition, verdict: 'Failed' }),
  ];
  return withReported(lifecycle.status ?? {}, reported, { metadata: lifecycle.metadata, nowMs });
}

function armed(gate: GateVerdict | null): ReportedCondition {
  if (gate === null) return null;
  const { reason, message } = gate;
  return { type: 'Armed', status: gate.armed ? 'True' : 'False', reason, message };
}

function progressing({
  number,
  phase,
  waitingFor,
  reason: why,
  ...rollout
}: RolloutStatus): NonNullable<ReportedCondition> {
  const type = 'Progressing';
  if (isOver({ number, phase, ...rollout })) {
    const reason = why === undefined || phase !== 'Done' ? phase : why;
    const message = `Rollout ${number} has ended: ${phase}.`;
    return { type, status: 'False', reason, message };
  }
  const waits = waitingFor === undefined ? '' : ` It waits for ${waitingFor}.`;
  const message = `Rollout ${number} is in phase ${phase}.${waits}`;
  return { type, status: 'True', reason: phase, message };
}

/** The conditions about the progress; empty: the gate was not tested yet. */
function progressOf(
  gate: ReportedCondition,
  rollout: RolloutStatus | undefined,
): NonNullable<ReportedCondition>[] {
  if (rollout !== undefined && !isOver(rollout))
    return progressConditions({ ...progressing(rollout), verdict: 'InProgress' });
  if (rollout?.failure !== undefined)
    return progressConditions({ ...rollout.failure, verdict: 'Failed' });
  if (gate === null) return [];
  return progressConditions({
    ...gate,
    verdict: gate.status === 'True' ? 'Current' : 'InProgress',
  });
}

function failed({ number, failure }: RolloutStatus): ReportedCondition {
  const type = 'Failed';
  if (failure === undefined) {
    const message = `Rollout ${number} has not failed.`;
    return { type, status: 'False', reason: 'NotFailed', message };
  }
  return { type, status: 'True', reason: failure.reason, message: failure.message };
}

/** The condition GateBypassed, which stays until the next rollout number. */
function bypassed(message: string | null, isNew: boolean): ReportedCondition {
  const type = GATE_BYPASSED;
  if (message !== null) return { type, status: 'True', reason: 'GateBypassed', message };
  if (!isNew) return null;
  return {
    type,
    status: 'False',
    reason: 'NotBypassed',
    message: 'Only released templates run.',
  };
}
