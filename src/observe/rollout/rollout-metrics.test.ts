import { expect, test } from 'vitest';

import type { DeploymentLifecycle, Phase } from '../../lifecycles/rollout/kinds.ts';
import { type RolloutEvent, rolloutEnvelope } from '../../lifecycles/rollout/rollout-event.ts';
import { makeRolloutMetrics } from './rollout-metrics.ts';

const about = { namespace: 'shop', deployment: 'web', number: 4 } as const;

function lifecycle(phase: Phase, armed: 'True' | 'False'): DeploymentLifecycle {
  const at = '2026-01-01T00:00:00Z';
  const condition = {
    type: 'Armed',
    status: armed,
    reason: 'X',
    message: '',
    lastTransitionTime: at,
  };
  const rollout = { number: 4, phase, direction: 'Rollout', digest: '', template: {} } as const;
  return {
    spec: { deploymentName: 'web' },
    status: { rollout: { ...rollout, startedAt: at, phaseStartedAt: at }, conditions: [condition] },
  };
}

test('open rollouts and gates are counted from the lifecycles at the time of the scrape', async () => {
  let now = [lifecycle('Pre', 'True'), lifecycle('Pre', 'False'), lifecycle('Done', 'True')];
  const { expose } = makeRolloutMetrics(() => now);
  const { text } = await expose();
  expect(text).toContain('lifehook_rollout_open{phase="Pre"} 2\n');
  expect(text).not.toContain('phase="Done"');
  expect(text).toContain('lifehook_rollout_gates{armed="True"} 2\n');
  expect(text).toContain('lifehook_rollout_gates{armed="False"} 1\n');
  expect(text).toContain('lifehook_rollout_held 0\n');
  now = [lifecycle('Held', 'True'), lifecycle('Failed', 'True')];
  expect((await expose()).text).toContain('lifehook_rollout_held 1\n');
  now = [];
  expect((await expose()).text).not.toContain('phase="Pre"');
});

test('finished rollouts, attempts and gate bypasses are counted as their events arrive', async () => {
  const metrics = makeRolloutMetrics(() => []);
  const observe = (event: RolloutEvent): void => {
    metrics.observe(rolloutEnvelope(event, 0));
  };
  observe({ type: 'PhaseEntered', ...about, phase: 'Post' });
  observe({ type: 'PhaseEntered', ...about, phase: 'Held' });
  observe({ type: 'GateBypassed', ...about, message: '' });
  const attempt = { stage: 'pre', attempt: 1, outcome: 'Failed', durationMs: 2_000 } as const;
  observe({ type: 'AttemptEnded', ...about, ...attempt });
  const { text } = await metrics.expose();
  expect(text).toContain('lifehook_rollouts_total{end="Held"} 1\n');
  expect(text).not.toContain('end="Post"');
  expect(text).toContain('lifehook_rollout_gate_bypasses_total 1\n');
  const seconds = 'lifehook_rollout_hook_attempt_seconds_sum{stage="pre",outcome="Failed"} 2\n';
  expect(text).toContain(seconds);
});
