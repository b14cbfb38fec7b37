/** The controllers of the rollout lifecycle in a cluster, their webhook, and the subscribers of their events. */
import { readLogTail } from '../../kube/log-tail.ts';
import { deployments } from '../../kube/resources.ts';
import type { RolloutContext } from '../../lifecycles/rollout/context.ts';
import { rolloutControllers } from '../../lifecycles/rollout/controllers.ts';
import { isAuthoredWith, proveAuthorWith } from '../../lifecycles/rollout/gate/review-authors.ts';
import { gateConfigurations } from '../../lifecycles/rollout/gate/gate-configurations.ts';
import { gateRoutes } from '../../lifecycles/rollout/gate/gate-routes.ts';
import { gateLookups } from '../../lifecycles/rollout/gate/lookups.ts';
import { proveWith, isProvenWith } from '../../lifecycles/rollout/gate/write-proof.ts';
import { deploymentLifecycles, hookRuns } from '../../lifecycles/rollout/kinds.ts';
import { GATE_CONFIGURATION } from '../../lifecycles/rollout/names.ts';
import { recordedEvents } from '../../lifecycles/rollout/recorded-events.ts';
import { rolloutEnvelope } from '../../lifecycles/rollout/rollout-event.ts';
import { makeRolloutMetrics } from '../../observe/rollout/rollout-metrics.ts';
import type {
  ControllersOf,
  WebhookPart,
  MetricsOf,
  RecordedEventsOf,
} from '../lifecycle-parts.ts';

export const rolloutControllersOf: ControllersOf = (world) => {
  const { connection, secretsOf, platform, observe, informers, scope, webhookKey } = world;
  const controllers = rolloutControllers({
    ...world,
    ...proofsWith(webhookKey),
    observe: (event) => {
      observe(rolloutEnvelope(event, platform.clock.nowMs()));
    },
    readLogTail: async (pod, limits) => {
      const { namespace = '', name } = pod;
      const secrets = await secretsOf({ ...pod, namespace, pod: name });
      return readLogTail(connection, pod, { ...limits, secrets });
    },
  });
  return { controllers, cache: informers.of(deploymentLifecycles, { scope }) };
};

/** The functions by which the controllers sign and verify writes; none without a webhook. */
function proofsWith(key: string | null): Pick<RolloutContext, 'prove' | 'isAuthored'> {
  return key === null
    ? { prove: null }
    : { prove: proveWith(key), isAuthored: isAuthoredWith(key) };
}

/** The admission webhook that gates rollouts. */
export const rolloutWebhook: WebhookPart = {
  name: GATE_CONFIGURATION,
  mutating: (to) => gateConfigurations({ name: GATE_CONFIGURATION, ...to }).mutating,
  validating: (to) => gateConfigurations({ name: GATE_CONFIGURATION, ...to }).validating,
  routes: ({ client, key, ask, cacheOf }) => {
    const caches =
      cacheOf === undefined
        ? {}
        : {
            caches: {
              deployments: cacheOf(deployments),
              lifecycles: cacheOf(deploymentLifecycles),
            },
          };
    return gateRoutes({
      isProven: isProvenWith(key),
      lookups: gateLookups({ client, ...caches }),
      authors: { ask, proveAuthor: proveAuthorWith(key), isAuthored: isAuthoredWith(key) },
    });
  },
};

/** The metrics and the recorded events of rollouts, from the caches of this process. */
export const metricsOf: MetricsOf = (cacheOf) =>
  makeRolloutMetrics(() => cacheOf(deploymentLifecycles).list());

export const recordedEventsOf: RecordedEventsOf = (cacheOf, sinceMs) =>
  recordedEvents({
    lifecycles: cacheOf(deploymentLifecycles).list(),
    runs: cacheOf(hookRuns).list(),
    sinceMs,
  });
