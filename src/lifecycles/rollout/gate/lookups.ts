/**
 * Looks up the objects that the gate needs besides the request. They are read from caches if possible: the webhook gets
 * every create and scale of the cluster, and must not delay writes to other Deployments.
 */
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';

import type { Informer } from '../../../controller/informer.ts';
import { isReason } from '../../../kube/api-error.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { deployments, replicaSets } from '../../../kube/resources.ts';
import type { CancelSignal } from '../../../platform/platform.ts';
import { type DeploymentLifecycle, deploymentLifecycles } from '../kinds.ts';
import { oldestFirst } from '../machine/caches.ts';
import { GATED } from '../names.ts';
import { gateStateOf } from './gate-state.ts';
import { belongsTo, type GatedOwner } from './judge-set.ts';

export interface DeploymentKey {
  readonly namespace: string;
  readonly name: string;
}

export interface GateLookups {
  /** null: the Deployment does not exist, has no label according to the cache, or could not be read. Never rejects. */
  gatedDeployment(key: DeploymentKey, signal: CancelSignal): Promise<Deployment | null>;
  /** null: the Deployment does not exist, or could not be read. Never rejects. */
  deployment(key: DeploymentKey, signal: CancelSignal): Promise<Deployment | null>;
  /**
   * True: a DeploymentLifecycle with `gate: Admission` names the Deployment. null: not known, because the lifecycles
   * could not be read. Never rejects.
   */
  isNamed(key: DeploymentKey, signal: CancelSignal): Promise<boolean | null>;
  /**
   * The lifecycle in charge, the oldest that names the Deployment; null: there is none, or it could not be read. Never
   * rejects.
   */
  incumbent(key: DeploymentKey, signal: CancelSignal): Promise<DeploymentLifecycle | null>;
  /** null: the ReplicaSet does not exist, or could not be read. Never rejects. */
  replicaSet(key: DeploymentKey, signal: CancelSignal): Promise<ReplicaSet | null>;
  /**
   * The labelled Deployments that own the ReplicaSet or would adopt it, without those that cannot be read. Never
   * rejects.
   */
  gatedOwners(set: ReplicaSet, signal: CancelSignal): Promise<readonly GatedOwner[]>;
}

export interface GateLookupsOptions {
  readonly client: KubeClient;
  /** Caches, each of which is used once it has synced. */
  readonly caches?: {
    readonly deployments: Informer<Deployment>;
    readonly lifecycles: Informer<DeploymentLifecycle>;
  };
}

/**
 * Milliseconds of one lookup. In a call to a webhook that fails open, up to three follow each other. If they exceed the
 * timeout of the call, the server allows the write.
 */
const TIMEOUT_MS = 1_000;

export function gateLookups({ client, caches }: GateLookupsOptions): GateLookups {
  const server = new ServerReads(client);
  return {
    deployment: (key, signal) => server.deployment(key, signal),
    gatedDeployment: async (key, signal) => {
      if (caches?.deployments.hasSynced === true) {
        const cached = caches.deployments.get(`${key.namespace}/${key.name}`);
        // The cache only shows whether the Deployment is labelled. Its state is read from the server, because it may
        // just have changed.
        if (cached !== undefined && !gateStateOf(cached).labelled) return null;
      }
      return server.deployment(key, signal);
    },
    isNamed: async (key, signal) => {
      if (caches?.lifecycles.hasSynced === true) {
        const cached = caches.lifecycles.list();
        const own = cached.filter(({ metadata }) => metadata?.namespace === key.namespace);
        if (own.some((one) => names(one, key.name))) return true;
      }
      const lifecycles = await server.lifecycles(key.namespace, signal);
      return lifecycles?.some((one) => names(one, key.name)) ?? null;
    },
    incumbent: async (key, signal) => {
      const named = (await server.lifecycles(key.namespace, signal)) ?? [];
      return oldestFirst(named, `${key.namespace}/${key.name}`)[0] ?? null;
    },
    replicaSet: (key, signal) => server.replicaSet(key, signal),
    gatedOwners: async (set, signal) => {
      const { namespace = '' } = set.metadata ?? {};
      const labelled =
        caches?.deployments.hasSynced === true
          ? caches.deployments.list().filter((one) => gateStateOf(one).labelled)
          : await server.labelled(namespace, signal);
      const owners = labelled.filter((one) => belongsTo(set, one));
      return owners.length === 0 ? [] : server.owners(namespace, owners, signal);
    },
  };
}

/** Reads from the server. They never reject: an object that could not be read is null or left out. */
class ServerReads {
  readonly #client: KubeClient;

  constructor(client: KubeClient) {
    this.#client = client;
  }

  deployment(key: DeploymentKey, signal: CancelSignal): Promise<Deployment | null> {
    return this.#client.get(deployments, key, { signal, timeoutMs: TIMEOUT_MS }).catch(() => null);
  }

  replicaSet(key: DeploymentKey, signal: CancelSignal): Promise<ReplicaSet | null> {
    return this.#client.get(replicaSets, key, { signal, timeoutMs: TIMEOUT_MS }).catch(() => null);
  }

  async labelled(namespace: string, signal: CancelSignal): Promise<readonly Deployment[]> {
    const options = { namespace, labelSelector: GATED, signal, timeoutMs: TIMEOUT_MS };
    return (await this.#client.list(deployments, options).catch(() => null))?.items ?? [];
  }

  async lifecycles(
    namespace: string,
    signal: CancelSignal,
  ): Promise<readonly DeploymentLifecycle[] | null> {
    const options = { namespace, signal, timeoutMs: TIMEOUT_MS };
    try {
      return (await this.#client.list(deploymentLifecycles, options)).items;
    } catch (error) {
      // NotFound: the kind is not installed, so there are no lifecycles.
      return isReason(error, 'NotFound') ? [] : null;
    }
  }

  /** Reads the current objects: a cache may still show a rollout as gated although it was just released. */
  async owners(
    namespace: string,
    found: readonly Deployment[],
    signal: CancelSignal,
  ): Promise<GatedOwner[]> {
    const [lifecycles, read] = await Promise.all([
      this.lifecycles(namespace, signal),
      Promise.all(
        found.map(({ metadata }) =>
          this.deployment({ namespace, name: metadata?.name ?? '' }, signal),
        ),
      ),
    ]);
    return read.flatMap((deployment) => {
      if (deployment === null) return [];
      const { name } = deployment.metadata ?? {};
      const own = (lifecycles ?? []).filter(({ spec }) => spec.deploymentName === name);
      return [{ deployment, lifecycles: own }];
    });
  }
}

function names({ metadata, spec }: DeploymentLifecycle, name: string): boolean {
  const { deploymentName, gate = 'Admission' } = spec;
  const terminating = metadata?.deletionTimestamp !== undefined;
  return deploymentName === name && gate === 'Admission' && !terminating;
}
