/** Computes the conditions of a lifecycle from the rest of its status. Pure. */
import { type Condition, type NewCondition, setCondition } from '../../../controller/conditions.ts';
import type { DeploymentLifecycle, DeploymentLifecycleStatus, RolloutStatus } from '../kinds.ts';
import { GATE_BYPASSED } from './bypass.ts';
import type { GateVerdict } from './gate-verdict.ts';
import { isOver } from './phases.ts';

type Told = Omit<NewCondition, 'observedGeneration'> | null;

export interface Judged {
  readonly status: DeploymentLifecycleStatus;
  /** null: the gate was not tested yet. */
  readonly gate: GateVerdict | null;
  /** What runs without a release; null: no new bypass. */
  readonly bypass: string | null;
  readonly nowMs: number;
}

/** For a lifecycle whose Deployment has an older lifecycle. */
export const rivalCondition: NonNullable<Told> = {
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
  const told = [
    armed(gate),
    rollout === undefined ? null : progressing(rollout),
    rollout === undefined ? null : failed(rollout),
    bypassed(bypass, isNew),
  ];
  return withTold(lifecycle, status, { told, nowMs });
}

export function asRival(lifecycle: DeploymentLifecycle, nowMs: number): DeploymentLifecycleStatus {
  return withTold(lifecycle, lifecycle.status ?? {}, { told: [rivalCondition], nowMs });
}

function withTold(
  { metadata }: DeploymentLifecycle,
  status: DeploymentLifecycleStatus,
  { told, nowMs }: { readonly told: readonly Told[]; readonly nowMs: number },
): DeploymentLifecycleStatus {
  const observedGeneration = metadata?.generation ?? 0;
  let conditions: readonly Condition[] = status.conditions ?? [];
  for (const next of told) {
    if (next === null) continue;
    conditions = setCondition(conditions, { ...next, observedGeneration }, nowMs);
  }
  return { ...status, observedGeneration, conditions: [...conditions] };
}

function armed(gate: GateVerdict | null): Told {
  if (gate === null) return null;
  const { reason, message } = gate;
  return { type: 'Armed', status: gate.armed ? 'True' : 'False', reason, message };
}

function progressing({ number, phase, waitingFor, reason: why, ...rollout }: RolloutStatus): Told {
  const type = 'Progressing';
  if (isOver({ number, phase, ...rollout })) {
    const reason = why === undefined || phase !== 'Done' ? phase : why;
    const message = `Rollout ${number} is over: ${phase}.`;
    return { type, status: 'False', reason, message };
  }
  const waits = waitingFor === undefined ? '' : ` It waits for ${waitingFor}.`;
  const message = `Rollout ${number} is in phase ${phase}.${waits}`;
  return { type, status: 'True', reason: phase, message };
}

function failed({ number, failure }: RolloutStatus): Told {
  const type = 'Failed';
  if (failure === undefined) {
    const message = `Rollout ${number} has not failed.`;
    return { type, status: 'False', reason: 'NotFailed', message };
  }
  return { type, status: 'True', reason: failure.reason, message: failure.message };
}

/** The condition stays until the next number. */
function bypassed(message: string | null, isNew: boolean): Told {
  const type = GATE_BYPASSED;
  if (message !== null) return { type, status: 'True', reason: 'GateBypassed', message };
  if (!isNew) return null;
  return {
    type,
    status: 'False',
    reason: 'NotBypassed',
    message: 'Nothing runs that was not released.',
  };
}
