/** The kinds of the rollout lifecycle that the timeline of a cluster follows. */
import { deploymentLifecycles, hookRuns } from '../../../lifecycles/rollout/kinds.ts';
import type { ClusterSource } from '../follow-cluster.ts';
import { hookRunBars } from './hook-run-bars.ts';
import { endOfPhase, lifecycleBars } from './rollout-bars.ts';

export const rolloutSource: ClusterSource = (follow) => [
  follow({ resource: deploymentLifecycles, barsOf: lifecycleBars, succeeded: endOfPhase }),
  follow({ resource: hookRuns, barsOf: hookRunBars }),
];
