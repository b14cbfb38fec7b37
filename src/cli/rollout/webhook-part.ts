/** The gate of rollouts at admission. */
import { deployments } from '../../kube/resources.ts';
import { isAuthoredWith, proveAuthorWith } from '../../lifecycles/rollout/gate/authored.ts';
import { gateConfigurations } from '../../lifecycles/rollout/gate/gate-configurations.ts';
import { gateRoutes } from '../../lifecycles/rollout/gate/gate-routes.ts';
import { gateLookups } from '../../lifecycles/rollout/gate/lookups.ts';
import { isProvenWith } from '../../lifecycles/rollout/gate/write-proof.ts';
import { deploymentLifecycles } from '../../lifecycles/rollout/kinds.ts';
import { GATE_CONFIGURATION } from '../../lifecycles/rollout/names.ts';
import type { WebhookPart } from '../lifecycle-parts.ts';

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
