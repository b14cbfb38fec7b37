/** The rollout lifecycle as metrics. */
import { findCondition } from '../../controller/conditions.ts';
import type { DeploymentLifecycle, Phase } from '../../lifecycles/rollout/kinds.ts';
import type { RolloutEvent } from '../../lifecycles/rollout/rollout-event.ts';
import { type Exposed, MetricSet } from '../metric-set.ts';
import type { ObservedEvent } from '../observed-event.ts';

export interface RolloutMetrics extends Exposed {
  readonly observe: (event: ObservedEvent) => void;
}

const ENDS: readonly Phase[] = ['Done', 'Failed', 'Held', 'RolledBack'];
/** Seconds. Hooks range from short calls to long migrations. */
const HOOK_BUCKETS = [0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600];
const MS = 1_000;

/** Creates the metrics. `lifecycles` is called at each scrape, so that the values are correct after a restart too. */
export function makeRolloutMetrics(
  lifecycles: () => readonly DeploymentLifecycle[],
): RolloutMetrics {
  const metrics = new MetricSet();
  addGauges(metrics, lifecycles);
  const counted = eventMetrics(metrics);
  return {
    observe: (event) => {
      if (event.lifecycle === 'rollout') counted(event.detail);
    },
    expose: metrics.expose,
  };
}

function addGauges(metrics: MetricSet, lifecycles: () => readonly DeploymentLifecycle[]): void {
  const open = metrics.gauge(
    'lifehook_rollout_open',
    'rollouts that have not ended, by phase',
    'phase',
  );
  metrics.scraped(open, () => {
    for (const { status } of lifecycles()) {
      const phase = status?.rollout?.phase;
      if (phase !== undefined && !ENDS.includes(phase)) open.inc({ phase });
    }
  });
  const held = metrics.gauge(
    'lifehook_rollout_held',
    'rollouts that are held until a user applies another template or retries',
  );
  metrics.scraped(held, () => {
    held.set(lifecycles().filter(({ status }) => status?.rollout?.phase === 'Held').length);
  });
  const armed = metrics.gauge(
    'lifehook_rollout_gates',
    'DeploymentLifecycles, by whether their gate is armed',
    'armed',
  );
  metrics.scraped(armed, () => {
    for (const { status } of lifecycles()) {
      const found = findCondition(status?.conditions ?? [], 'Armed');
      armed.inc({ armed: found?.status ?? 'Unknown' });
    }
  });
}

function eventMetrics(metrics: MetricSet): (event: RolloutEvent) => void {
  const ended = metrics.counter(
    'lifehook_rollouts_total',
    'rollouts that have ended, by their result',
    'end',
  );
  const attempt = [
    'lifehook_rollout_hook_attempt_seconds',
    'duration of attempts of hooks, from their record to their end',
  ] as const;
  const attempts = metrics.histogram(attempt, HOOK_BUCKETS, 'stage', 'outcome');
  const bypasses = metrics.counter(
    'lifehook_rollout_gate_bypasses_total',
    'templates that ran, or would have run, without their hooks',
  );
  return (event) => {
    if (event.type === 'PhaseEntered' && ENDS.includes(event.phase)) {
      ended.inc({ end: event.phase });
    }
    if (event.type === 'AttemptEnded') {
      const { stage, outcome, durationMs } = event;
      attempts.observe({ stage, outcome }, durationMs / MS);
    }
    if (event.type === 'GateBypassed') bypasses.inc();
  };
}
