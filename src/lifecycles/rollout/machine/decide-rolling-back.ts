/** Restores the earlier template: before the release in one write, and after it as a new number. Pure. */
import { RELEASED, ROLLOUT, WANTED_REPLICAS } from '../names.ts';
import type { Rolling } from './facts.ts';
import { holdAtZero, marksOf, replicasAfterHold } from './marks.ts';
import { lastReleased, isComplete } from './parts.ts';
import { enter, leftMs } from './phases.ts';
import { deadlineSeconds } from './stage-hooks.ts';
import type { MachineStep } from './step.ts';

export function decideRollingBack(facts: Rolling): MachineStep {
  const { deployment, number, rollout, lifecycle } = facts;
  const { released } = marksOf(deployment);
  const wanted = replicasAfterHold(deployment);
  const before = lastReleased(lifecycle);
  if (before === null)
    return enter(facts, 'Failed', { reason: 'there is no template to go back to' });
  const { template } = before;
  if (rollout.releasedAt !== undefined) {
    // Starts the next number. Opening that number ends this one.
    const annotations = { ...holdAtZero(deployment), [ROLLOUT]: String(number + 1) };
    const change = { template, paused: true, annotations };
    const reason = 'the previous template is rolled out';
    return { kind: 'changeDeployment', reason, change, emits: {} };
  }
  if (released !== number) {
    const replicas = wanted === null ? {} : { replicas: wanted };
    const annotations = { [RELEASED]: String(number), [WANTED_REPLICAS]: null };
    const change = { template, paused: false, ...replicas, annotations };
    const reason = 'the previous template is restored';
    return { kind: 'changeDeployment', reason, change, emits: {} };
  }
  const left = leftMs(facts, deadlineSeconds(facts));
  if (!isComplete(deployment) && left > 0) {
    return { kind: 'waitFor', ms: left, reason: 'the pods of the previous template are restored' };
  }
  const message = `Rollout ${number} was rolled back: the previous template is in place.`;
  return enter(facts, 'RolledBack', {
    reason: message,
    status: { released: { ...before, number } },
    notices: [{ type: 'Normal', reason: 'RolledBack', message }],
  });
}
