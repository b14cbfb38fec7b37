/** The controller of the rollout lifecycle in a cluster. */
import { readLogTail } from '../../kube/log-tail.ts';
import type { RolloutContext } from '../../lifecycles/rollout/context.ts';
import { rolloutControllers } from '../../lifecycles/rollout/controllers.ts';
import { isAuthoredWith } from '../../lifecycles/rollout/gate/authored.ts';
import { proveWith } from '../../lifecycles/rollout/gate/write-proof.ts';
import { deploymentLifecycles } from '../../lifecycles/rollout/kinds.ts';
import { rolloutEnvelope } from '../../lifecycles/rollout/rollout-event.ts';
import type { ControllersOf } from '../lifecycle-parts.ts';

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

/** The functions by which the controllers sign and check writes, if a webhook is served. */
function proofsWith(key: string | null): Pick<RolloutContext, 'prove' | 'isAuthored'> {
  return key === null
    ? { prove: null }
    : { prove: proveWith(key), isAuthored: isAuthoredWith(key) };
}
