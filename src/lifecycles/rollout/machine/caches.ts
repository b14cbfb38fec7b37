/** The caches of the rollout controller, and the mapping from objects to their Deployments. */
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import { byOwnerUid, controllerKey, controllerOf, ownKey } from '../../../controller/indexes.ts';
import type { Informer } from '../../../controller/informer.ts';
import { keyOf, keyText } from '../../../controller/object-key.ts';
import { OwnWrites } from '../../../controller/own-writes.ts';
import { type Source, watched } from '../../../controller/source.ts';
import type { KubeObject, ObjectKey } from '../../../kube/object.ts';
import { deployments, pods, replicaSets } from '../../../kube/resources.ts';
import type { RolloutContext } from '../context.ts';
import {
  type DeploymentLifecycle,
  deploymentLifecycles,
  type HookRun,
  hookRuns,
} from '../kinds.ts';
import { deploymentLabel } from '../hookpod/identity.ts';
import { OF_DEPLOYMENT, ROLLOUT } from '../names.ts';
import { MadeRuns } from './made-runs.ts';

export class RolloutCaches {
  readonly lifecycles: Informer<DeploymentLifecycle>;
  readonly deployments: Informer<Deployment>;
  readonly sets: Informer<ReplicaSet>;
  readonly pods: Informer<Pod>;
  readonly runs: Informer<HookRun>;
  readonly writtenLifecycles: OwnWrites<DeploymentLifecycle>;
  readonly writtenDeployments: OwnWrites<Deployment>;

  readonly #writtenPods: OwnWrites<Pod>;
  readonly #writtenRuns: OwnWrites<HookRun>;
  readonly #madeRuns: MadeRuns;

  constructor({ informers, scope }: Pick<RolloutContext, 'informers' | 'scope'>) {
    this.lifecycles = informers.of(deploymentLifecycles, {
      scope,
      indexes: { deployment: byDeploymentName, label: byLabelOfName },
    });
    this.deployments = informers.of<Deployment>(deployments, { scope });
    this.sets = informers.of<ReplicaSet>(replicaSets, { scope, indexes: { owner: byOwnerUid } });
    // All pods, not only hook pods: other controllers of this process cache them already, so that each pod is stored
    // and watched once.
    const { namespace } = scope;
    this.pods = informers.of<Pod>(pods, {
      scope: namespace === undefined ? {} : { namespace },
      indexes: { owner: byOwnerUid, hooked: byDeploymentLabel },
    });
    this.runs = informers.of(hookRuns, { scope, indexes: { deployment: byDeploymentOfRun } });
    this.writtenLifecycles = new OwnWrites(this.lifecycles);
    this.writtenDeployments = new OwnWrites(this.deployments);
    this.#writtenPods = new OwnWrites(this.pods);
    this.#writtenRuns = new OwnWrites(this.runs);
    this.#madeRuns = new MadeRuns(this.runs, this.#writtenRuns);
    // Drops the entry of a deleted pod, which may never be read again.
    this.pods.listen(({ key, after }) => {
      this.#writtenPods.newest(key, after ?? undefined);
    });
  }

  /** The lifecycles that name the Deployment, the oldest first. */
  lifecyclesOf(key: string): readonly DeploymentLifecycle[] {
    const named = this.lifecycles
      .byIndex('deployment', key)
      .map((lifecycle) => this.writtenLifecycles.newest(keyOf(lifecycle), lifecycle) ?? lifecycle);
    return oldestFirst(named, key);
  }

  /** The hook pods of the Deployment, and those of earlier Deployments of the same name. */
  hookPodsOf({ namespace = '', name }: ObjectKey): readonly Pod[] {
    return this.pods
      .byIndex('hooked', keyText({ namespace, name: deploymentLabel(name) }))
      .map((pod) => this.#writtenPods.newest(keyOf(pod), pod) ?? pod);
  }

  /**
   * Stores a pod as the server returned it for a change. A pod that is not cached is ignored: it is new, or already
   * deleted.
   */
  rememberPod(pod: Pod): void {
    if (this.pods.get(keyOf(pod)) !== undefined) this.#writtenPods.remember(pod);
  }

  /** The HookRuns of the Deployment, with those that the cache does not have yet. */
  hookRunsOf(key: string): readonly HookRun[] {
    const known = this.runs
      .byIndex('deployment', key)
      .map((run) => this.#writtenRuns.newest(keyOf(run), run) ?? run);
    const made = this.#madeRuns.list().filter((run) => byDeploymentOfRun(run).includes(key));
    return [...known, ...made];
  }

  /** Stores a HookRun as the server returned it. */
  rememberRun(run: HookRun): void {
    if (this.#isCached(run)) this.#writtenRuns.remember(run);
    else this.#madeRuns.remember(run);
  }

  /** Call it before a read. It returns a function that stores each HookRun that was read (CTRL-W4). */
  beforeReadingRuns(): (run: HookRun) => void {
    const cached = new Map(this.runs.list().map((run) => [keyOf(run), run]));
    return (run) => {
      if (this.#isCached(run)) this.#writtenRuns.rememberRead(run, cached.get(keyOf(run)));
      else this.#madeRuns.remember(run);
    };
  }

  /**
   * Forgets a HookRun that the server does not have: it was deleted before the cache had it, for example with its
   * namespace.
   */
  forgetRun(run: HookRun): void {
    this.#madeRuns.forget(run);
  }

  /** True: the cache has the HookRun, and will also report its deletion. */
  #isCached(run: HookRun): boolean {
    return this.runs.get(keyOf(run)) !== undefined;
  }

  deployment(key: string): Deployment | null {
    return this.writtenDeployments.newest(key, this.deployments.get(key)) ?? null;
  }

  /** The sources of events; their keys are those of Deployments. */
  sources(): readonly Source[] {
    return [
      watched({ informer: this.lifecycles, keys: byDeploymentName }),
      watched({
        informer: this.deployments,
        keys: ownKey,
        when: ({ before, after }) => [before, after].some((each) => this.#isOurs(each)),
      }),
      watched({
        informer: this.sets,
        keys: (set) => controllerKey(deployments)(set).filter((key) => this.#isKept(key)),
      }),
      watched({ informer: this.pods, keys: (pod) => this.#ofPod(pod) }),
      watched({ informer: this.runs, keys: byDeploymentOfRun }),
    ];
  }

  #isOurs(deployment: Deployment | null): boolean {
    if (deployment === null) return false;
    const isStamped = deployment.metadata?.annotations?.[ROLLOUT] !== undefined;
    return isStamped || this.#isKept(keyOf(deployment));
  }

  #isKept(key: string): boolean {
    return this.lifecycles.byIndex('deployment', key).length > 0;
  }

  /** The keys to reconcile after a change of a hook pod, or of one of the Deployment's own pods during a drain. */
  #ofPod(pod: Pod): readonly string[] {
    const namespace = pod.metadata?.namespace ?? '';
    const hooked = byDeploymentLabel(pod);
    if (hooked.length > 0) return hooked.flatMap((label) => this.#keepersOf(label));
    const set = controllerOf(pod);
    if (set === undefined || set.kind !== replicaSets.kind) return [];
    const owner = this.sets.get(keyText({ namespace, name: set.name }));
    const keys = owner === undefined ? [] : controllerKey(deployments)(owner);
    return keys.filter((key) => this.#isDraining(key));
  }

  /**
   * The keys of the Deployments of a hook pod, from its label, which may be cut. If no lifecycle matches the label, the
   * label itself is the key: the pods are found by it too.
   */
  #keepersOf(label: string): readonly string[] {
    const keepers = this.lifecycles.byIndex('label', label).flatMap(byDeploymentName);
    return keepers.length > 0 ? keepers : [label];
  }

  #isDraining(key: string): boolean {
    return this.lifecyclesOf(key).some(({ status }) => status?.rollout?.phase === 'Draining');
  }
}

/** Those of the given lifecycles that name the Deployment, the oldest first. */
export function oldestFirst(
  lifecycles: readonly DeploymentLifecycle[],
  key: string,
): readonly DeploymentLifecycle[] {
  return lifecycles
    .filter((lifecycle) => byDeploymentName(lifecycle).includes(key))
    .toSorted((a, b) => (ageOf(a) < ageOf(b) ? -1 : 1));
}

function byDeploymentName({ metadata, spec }: DeploymentLifecycle): readonly string[] {
  return [keyText({ namespace: metadata?.namespace ?? '', name: spec.deploymentName })];
}

function byLabelOfName({ metadata, spec }: DeploymentLifecycle): readonly string[] {
  const name = deploymentLabel(spec.deploymentName);
  return [keyText({ namespace: metadata?.namespace ?? '', name })];
}

function byDeploymentOfRun({ metadata, spec }: HookRun): readonly string[] {
  return [keyText({ namespace: metadata?.namespace ?? '', name: spec.deploymentName })];
}

function byDeploymentLabel({ metadata }: KubeObject): readonly string[] {
  const name = metadata?.labels?.[OF_DEPLOYMENT];
  return name === undefined ? [] : [keyText({ namespace: metadata?.namespace ?? '', name })];
}

/** The key by which lifecycles are sorted: by creation time, and those of the same second by name. */
function ageOf({ metadata }: KubeObject): string {
  return `${metadata?.creationTimestamp ?? ''} ${metadata?.name ?? ''}`;
}
