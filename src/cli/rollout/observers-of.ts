/** The metrics and the recorded events of rollouts, from the caches of this process. */
import { deploymentLifecycles, hookRuns } from '../../lifecycles/rollout/kinds.ts';
import { recordedEvents } from '../../lifecycles/rollout/recorded-events.ts';
import { makeRolloutMetrics } from '../../observe/rollout/rollout-metrics.ts';
import type { MetricsOf, RecordedEventsOf } from '../lifecycle-parts.ts';

export const metricsOf: MetricsOf = (cacheOf) =>
  makeRolloutMetrics(() => cacheOf(deploymentLifecycles).list());

export const recordedEventsOf: RecordedEventsOf = (cacheOf, sinceMs) =>
  recordedEvents({
    lifecycles: cacheOf(deploymentLifecycles).list(),
    runs: cacheOf(hookRuns).list(),
    sinceMs,
  });
