/**
 * ROLL-L1 and ROLL-L6 for lifecycles that are created or deleted. Adding or removing the gate starts no template that
 * did not run before, unless the lifecycle has onDelete Release.
 */
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';

import { controllerOf } from '../../../src/controller/indexes.ts';
import { replicaSets } from '../../../src/kube/resources.ts';
import { gateStateOf } from '../../../src/lifecycles/rollout/gate/gate-state.ts';
import {
  deploymentLifecycles,
  type DeploymentLifecycleSpec,
} from '../../../src/lifecycles/rollout/kinds.ts';
import type { SimApi } from '../controller/sim-api.ts';
import type { World } from '../world.ts';
import type { DeploymentLog, Stamped } from './deployment-log.ts';
import type { LifecycleSpecs } from './lifecycle-specs.ts';
import { KEY_OF_WEB, versionOf } from './scene.ts';

export interface KeepingOptions {
  readonly world: World;
  readonly api: SimApi;
  readonly specs: LifecycleSpecs;
}

export class KeepingJudge {
  readonly #options: KeepingOptions;

  constructor(options: KeepingOptions) {
    this.#options = options;
  }

  /** `log`: the state before this write of the Deployment. */
  judge(log: DeploymentLog, deployment: Deployment): void {
    const wasHeld = log.isHeld;
    log.isHeld = this.#isHeld(deployment);
    const version = versionOf(deployment.spec?.template);
    if (version === log.released || log.unguarded.has(version)) return;
    if (gateStateOf(deployment).rollout === null) {
      const isUnreleased = log.held.has(version) && !log.unnumbered.has(version);
      if (wasHeld && isUnreleased) this.#judgeReleasing(deployment);
      return;
    }
    this.#judgeAdoption(log, deployment);
    this.#judgeLeft(log, deployment);
  }

  /** All specs that the release of this number must follow; null if the number was at some time without a lifecycle. */
  specsOf({ atMs, isLeft }: Stamped): readonly DeploymentLifecycleSpec[] | null {
    const { specs } = this.#options;
    return specs.since(atMs) ?? (isLeft ? specs.last() : null);
  }

  /** True if the gate holds the version in the spec. A Deployment that a deleted lifecycle left paused is not held. */
  #isHeld(deployment: Deployment): boolean {
    const { gated, labelled, released } = gateStateOf(deployment);
    return gated && (labelled || (this.#isLifecycleThere() && released !== null));
  }

  /** Whether a lifecycle exists. A terminating one counts too, since one of its releases may be in transit. */
  #isLifecycleThere(): boolean {
    return this.#options.api.find(deploymentLifecycles, KEY_OF_WEB) !== undefined;
  }

  #judgeReleasing({ spec }: Deployment): void {
    const { specs, world } = this.#options;
    if (spec?.paused === true) return;
    if (specs.last().some(({ onDelete }) => onDelete === 'Release')) return;
    const version = versionOf(spec?.template);
    world.violate('ROLL-L1', `${version} was held, and runs since its lifecycle was deleted`);
  }

  /** Judges the adoption by a lifecycle that was created late. */
  #judgeAdoption(log: DeploymentLog, deployment: Deployment): void {
    const { spec } = deployment;
    const isAdopted = log.number === null && !gateStateOf(deployment).gated;
    const version = versionOf(spec?.template);
    if (!isAdopted || spec?.paused !== true || this.#hasSet(log, version)) return;
    const what = `${version} was written while paused, and counts as released`;
    this.#options.world.violate('ROLL-L1', what);
  }

  /** Judges a Deployment that a deleted lifecycle left paused: only another lifecycle may release it. */
  #judgeLeft(log: DeploymentLog, { metadata, spec }: Deployment): void {
    const wasLeft = log.number !== null && log.releasedNumber === null;
    const { world } = this.#options;
    const isGated = gateStateOf({ metadata: metadata ?? {} }).gated;
    if (!wasLeft || isGated || this.#isLifecycleThere()) return;
    const version = versionOf(spec?.template);
    world.violate('ROLL-L1', `${version} was left paused by a deleted lifecycle, and is released`);
  }

  #hasSet({ uid }: DeploymentLog, version: string): boolean {
    const sets = this.#options.api.peek(replicaSets) as unknown as readonly ReplicaSet[];
    const own = sets.filter((set) => controllerOf(set)?.uid === uid);
    return own.some(({ spec }) => versionOf(spec?.template) === version);
  }
}
