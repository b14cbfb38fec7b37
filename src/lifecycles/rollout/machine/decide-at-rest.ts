/** Between two rollouts. Pure. */
import { adoptPods, dropStrays, dropSurplus } from './decide-runs.ts';
import type { Rolling } from './facts.ts';
import { marksOf } from './marks.ts';
import { ROLLOUT, WANTED_REPLICAS } from '../names.ts';
import type { MachineStep } from './step.ts';
import { digestOf } from './templates.ts';

export function decideAtRest(facts: Rolling): MachineStep {
  return (
    decideRetry(facts) ??
    dropStrays(facts, null) ??
    adoptPods(facts) ??
    dropSurplus(facts) ?? { kind: 'wait', reason: 'nothing is rolled out' }
  );
}

/** A new number of the same template, whose digest is forgotten; the annotation tells that number what it is. */
export function decideRetry(facts: Rolling): MachineStep | null {
  const { deployment, lifecycle, number, rollout } = facts;
  const { retry, wanted } = marksOf(deployment);
  if (retry !== number || rollout.phase === 'Done') return null;
  const { abortedDigests = [] } = lifecycle.status ?? {};
  const reason = `rollout ${number} is tried again`;
  if (abortedDigests.includes(rollout.digest)) {
    const left = abortedDigests.filter((digest) => digest !== rollout.digest);
    return { kind: 'record', reason, status: { abortedDigests: left }, telling: {} };
  }
  const isThere = digestOf(facts) === rollout.digest;
  const annotations = { [ROLLOUT]: String(number + 1) };
  // Nothing that is at 0 may be scaled up while it is gated (ROLL-E15); what is wanted already stays so (ROLL-C17).
  const held = deployment.spec?.replicas === 0 ? { [WANTED_REPLICAS]: String(wanted ?? 0) } : {};
  return {
    kind: 'changeDeployment',
    reason,
    change: {
      ...(isThere ? {} : { template: rollout.template }),
      paused: true,
      annotations: { ...held, ...annotations },
    },
    telling: {},
  };
}
