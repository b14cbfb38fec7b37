/** What the rollout controller follows, and how it finds a Deployment from what belongs to it. */
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
import { deploymentLabel } from '../hookpod/hook-pod-name.ts';
import { OF_DEPLOYMENT, ROLLOUT } from '../names.ts';

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
  /** By key, until the cache has them. */
  readonly #madeRuns = new Map<string, HookRun>();

  constructor({ informers, scope }: Pick<RolloutContext, 'informers' | 'scope'>) {
    this.lifecycles = informers.of(deploymentLifecycles, {
      scope,
      indexes: { deployment: byDeploymentName, label: byLabelOfName },
    });
    this.deployments = informers.of<Deployment>(deployments, { scope });
    this.sets = informers.of<ReplicaSet>(replicaSets, { scope, indexes: { owner: byOwnerUid } });
    // All pods, since others hold them already: each is held and watched once.
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
    // Nobody may ask for it any more once it is gone.
    this.pods.listen(({ key, after }) => {
      this.#writtenPods.newest(key, after ?? undefined);
    });
  }

  /** Those that name it, the oldest first. */
  lifecyclesOf(key: string): readonly DeploymentLifecycle[] {
    const named = this.lifecycles
      .byIndex('deployment', key)
      .map((lifecycle) => this.writtenLifecycles.newest(keyOf(lifecycle), lifecycle) ?? lifecycle);
    return oldestFirst(named, key);
  }

  /** Of every Deployment that has had this name. */
  hookPodsOf({ namespace = '', name }: ObjectKey): readonly Pod[] {
    return this.pods
      .byIndex('hooked', keyText({ namespace, name: deploymentLabel(name) }))
      .map((pod) => this.#writtenPods.newest(keyOf(pod), pod) ?? pod);
  }

  /** As the server answered a change of it. What the cache does not have is new, or gone already. */
  rememberPod(pod: Pod): void {
    if (this.pods.get(keyOf(pod)) !== undefined) this.#writtenPods.remember(pod);
  }

  /** With those that the cache has yet to be told of. */
  hookRunsOf(key: string): readonly HookRun[] {
    const known = this.runs
      .byIndex('deployment', key)
      .map((run) => this.#writtenRuns.newest(keyOf(run), run) ?? run);
    const made = [...this.#madeRuns.values()].filter((run) => byDeploymentOfRun(run).includes(key));
    return [...known, ...made.filter((run) => !this.#isKnown(run))];
  }

  /** As the server answered it. */
  rememberRun(run: HookRun): void {
    if (this.#isKnown(run)) {
      this.#writtenRuns.remember(run);
    } else {
      this.#madeRuns.set(keyOf(run), run);
    }
  }

  /** Called before they are read; returns what remembers each as it was read (CTRL-W4). */
  beforeReadingRuns(): (run: HookRun) => void {
    const cached = new Map(this.runs.list().map((run) => [keyOf(run), run]));
    return (run) => {
      if (this.#isKnown(run)) this.#writtenRuns.rememberRead(run, cached.get(keyOf(run)));
      else this.#madeRuns.set(keyOf(run), run);
    };
  }

  /** The server has no such one: it was deleted before the cache was told of it, as with its namespace. */
  forgetRun(run: HookRun): void {
    this.#madeRuns.delete(keyOf(run));
  }

  /** The cache has it: then it also tells when it goes. */
  #isKnown(run: HookRun): boolean {
    const key = keyOf(run);
    if (this.runs.get(key) === undefined) return false;
    const made = this.#madeRuns.get(key);
    if (made !== undefined) this.#writtenRuns.remember(made);
    this.#madeRuns.delete(key);
    return true;
  }

  deployment(key: string): Deployment | null {
    return this.writtenDeployments.newest(key, this.deployments.get(key)) ?? null;
  }

  /** Keys are those of the Deployments. */
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

  /** A hook pod, or one of the Deployment's own while it is drained. */
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

  /** Where no lifecycle has it, the label is as good as the name: its pods are found by it. */
  #keepersOf(label: string): readonly string[] {
    const keepers = this.lifecycles.byIndex('label', label).flatMap(byDeploymentName);
    return keepers.length > 0 ? keepers : [label];
  }

  #isDraining(key: string): boolean {
    return this.lifecyclesOf(key).some(({ status }) => status?.rollout?.phase === 'Draining');
  }
}

/** Those of them that name the Deployment. */
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

/** Of the same second the names decide. */
function ageOf({ metadata }: KubeObject): string {
  return `${metadata?.creationTimestamp ?? ''} ${metadata?.name ?? ''}`;
}
