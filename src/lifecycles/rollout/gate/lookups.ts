/**
 * What the gate has to know beyond the request. From caches where there are some, so that Deployments which
 * are none of ours (every one that is created or scaled in the cluster comes by) wait for nothing.
 */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import type { Informer } from '../../../controller/informer.ts';
import { isReason } from '../../../kube/api-error.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { deployments } from '../../../kube/resources.ts';
import type { CancelSignal } from '../../../platform/platform.ts';
import { type DeploymentLifecycle, deploymentLifecycles } from '../kinds.ts';
import { gateStateOf } from './gate-state.ts';

export interface DeploymentKey {
  readonly namespace: string;
  readonly name: string;
}

export interface GateLookups {
  /** null: there is none, or it has no label of ours, or nobody could say. Never rejects. */
  gatedDeployment(key: DeploymentKey, signal: CancelSignal): Promise<Deployment | null>;
  /** null: there is none, or nobody could say. Never rejects. */
  deployment(key: DeploymentKey, signal: CancelSignal): Promise<Deployment | null>;
  /** Whether a DeploymentLifecycle with `gate: Admission` names it; null: nobody could say. Never rejects. */
  isNamed(key: DeploymentKey, signal: CancelSignal): Promise<boolean | null>;
}

export interface GateLookupsOptions {
  readonly client: KubeClient;
  /** Looked into once they have synced. */
  readonly caches?: {
    readonly deployments: Informer<Deployment>;
    readonly lifecycles: Informer<DeploymentLifecycle>;
  };
}

/** Well within the time that an API server gives us. */
const TIMEOUT_MS = 1_000;

export function gateLookups({ client, caches }: GateLookupsOptions): GateLookups {
  const read: GateLookups['deployment'] = async (key, signal) => {
    try {
      return await client.get(deployments, key, { signal, timeoutMs: TIMEOUT_MS });
    } catch {
      return null;
    }
  };
  return {
    deployment: read,
    gatedDeployment: async (key, signal) => {
      if (caches?.deployments.hasSynced === true) {
        const cached = caches.deployments.get(`${key.namespace}/${key.name}`);
        // The cache says whose it is; how it stands is asked anew, since that may just have changed.
        if (cached !== undefined && !gateStateOf(cached).labelled) return null;
      }
      return read(key, signal);
    },
    isNamed: async ({ namespace, name }, signal) => {
      if (caches?.lifecycles.hasSynced === true) {
        const cached = caches.lifecycles.list();
        if (cached.some((one) => one.metadata?.namespace === namespace && names(one, name))) {
          return true;
        }
      }
      try {
        const options = { namespace, signal, timeoutMs: TIMEOUT_MS };
        const { items } = await client.list(deploymentLifecycles, options);
        return items.some((one) => names(one, name));
      } catch (error) {
        // The kind is not installed.
        return isReason(error, 'NotFound') ? false : null;
      }
    },
  };
}

function names({ metadata, spec }: DeploymentLifecycle, name: string): boolean {
  const { deploymentName, gate = 'Admission' } = spec;
  const going = metadata?.deletionTimestamp !== undefined;
  return deploymentName === name && gate === 'Admission' && !going;
}
