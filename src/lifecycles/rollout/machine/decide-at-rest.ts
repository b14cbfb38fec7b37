/** The decisions after a rollout has ended, until the next one begins. Pure. */
import { adoptPods, dropStrays, dropSurplus } from './decide-runs.ts';
import type { Rolling } from './facts.ts';
import { holdAtZero, marksOf } from './marks.ts';
import { ROLLOUT } from '../names.ts';
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

/**
 * The next step of a retry, which a user requests by the rollout number in RETRY. First the digest of the template is
 * removed from the aborted digests. Then a new number is started with the template. null: no retry is requested.
 */
export function decideRetry(facts: Rolling): MachineStep | null {
  const { deployment, lifecycle, number, rollout } = facts;
  const { retry } = marksOf(deployment);
  if (retry !== number || rollout.phase === 'Done') return null;
  const { abortedDigests = [] } = lifecycle.status ?? {};
  const reason = `rollout ${number} is retried`;
  if (abortedDigests.includes(rollout.digest)) {
    const left = abortedDigests.filter((digest) => digest !== rollout.digest);
    return { kind: 'record', reason, status: { abortedDigests: left }, emits: {} };
  }
  const isThere = digestOf(facts) === rollout.digest;
  const annotations = { [ROLLOUT]: String(number + 1) };
  return {
    kind: 'changeDeployment',
    reason,
    change: {
      ...(isThere ? {} : { template: rollout.template }),
      paused: true,
      annotations: { ...holdAtZero(deployment), ...annotations },
    },
    emits: {},
  };
}
