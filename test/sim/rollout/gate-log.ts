/**
 * The history of the stored Deployment as other clients see it. It has the released templates, and the lifecycle specs
 * between the stamp of a rollout number and its release.
 */
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';

import { controllerOf } from '../../../src/controller/indexes.ts';
import { resourceName } from '../../../src/kube/object.ts';
import { deployments, replicaSets } from '../../../src/kube/resources.ts';
import { gateStateOf } from '../../../src/lifecycles/rollout/gate/gate-state.ts';
import {
  type DeploymentLifecycle,
  deploymentLifecycles,
} from '../../../src/lifecycles/rollout/kinds.ts';
import type { Entry, SimApi, Stored } from '../controller/sim-api.ts';
import type { World } from '../world.ts';
import type { Account } from './account.ts';
import { KeepingJudge } from './judge-keeping.ts';
import { ReleaseJudge } from './judge-release.ts';
import { LifecycleSpecs } from './lifecycle-specs.ts';
import {
  activeVersions,
  type DeploymentLog,
  isComplete,
  isOnlyReleased,
  isPutBack,
  newLog,
  release,
  releaseOnly,
  type Stamped,
  versionOfSet,
} from './deployment-log.ts';
import { KEY_OF_WEB, versionOf } from './scene.ts';

const DEPLOYMENTS = resourceName(deployments);
const SETS = resourceName(replicaSets);
const LIFECYCLES = resourceName(deploymentLifecycles);
const BEHIND_MS = 1_000;

export interface GateLogOptions {
  readonly world: World;
  readonly api: SimApi;
  readonly account: Account;
}

export class GateLog {
  readonly #options: GateLogOptions;
  #log: DeploymentLog | null = null;
  readonly #specs = new LifecycleSpecs();
  readonly #keeping: KeepingJudge;
  readonly #releases: ReleaseJudge;

  constructor(options: GateLogOptions) {
    this.#options = options;
    const specs = this.#specs;
    this.#keeping = new KeepingJudge({ ...options, specs });
    this.#releases = new ReleaseJudge({ ...options, specs, keeping: this.#keeping });
    options.api.onCommit((entry) => {
      this.#look(entry);
    });
  }

  /** Saves the current state. Returns a function that restores it. */
  keep(): () => void {
    const log = structuredClone(this.#log);
    const { present } = this.#specs;
    return () => {
      this.#log = log;
      this.#specs.add(this.#options.world.elapsedMs, present);
    };
  }

  get released(): string | null {
    return this.#log?.released ?? null;
  }

  /** True if pods of the version may be created. Without a rollout number, the Deployment controller decides alone. */
  mayRun(version: string): boolean {
    if (this.#log === null || this.#log.number === null) return true;
    const { runnable, unguarded, emptied } = this.#log;
    const emptiedMs = emptied.get(version) ?? Number.NEGATIVE_INFINITY;
    const isBehind = this.#options.world.elapsedMs - emptiedMs < BEHIND_MS;
    return isBehind || runnable.has(version) || unguarded.has(version);
  }

  /**
   * True if the last release is complete and it was safe to pause. A pause is unsafe while a Recreate has neither old
   * nor new pods: the Deployment controller then revives the newest ReplicaSet (ROLL-E15).
   */
  get isSettled(): boolean {
    const { releasedNumber = null, complete, isSecure = true } = this.#log ?? {};
    return isSecure && (releasedNumber === null || complete?.has(releasedNumber) === true);
  }

  isComplete(uid: string, number: number): boolean {
    return this.#log?.uid === uid && this.#log.complete.has(number);
  }

  /** True if the Deployment that exists now has this UID. */
  isOf(uid: string): boolean {
    return this.#log?.uid === uid;
  }

  #look({ resource, type, object }: Entry): void {
    if (resource === LIFECYCLES && object.metadata.name === KEY_OF_WEB.name)
      this.#lookAtLifecycle(type, object as unknown as DeploymentLifecycle);
    if (resource === SETS) this.#lookAtSet(type, object as unknown as ReplicaSet);
    if (resource !== DEPLOYMENTS) return;
    if (type === 'Delete') this.#log = null;
    else this.#lookAtDeployment(object);
  }

  #lookAtLifecycle(type: Entry['type'], { metadata, spec }: DeploymentLifecycle): void {
    if (type === 'Delete') this.#forgetNumbers();
    const isKept = type === 'Upsert' && metadata?.deletionTimestamp === undefined;
    this.#specs.add(this.#options.world.elapsedMs, isKept ? spec : null);
  }

  /** Forgets the rollout numbers, which a new lifecycle restarts. */
  #forgetNumbers(): void {
    this.#options.account.epoch += 1;
    this.#log?.stamps.clear();
    this.#log?.complete.clear();
  }

  /**
   * Records that a version has no pods any more: after its ReplicaSet was scaled to 0, an unreleased version may not
   * run again, whichever client scales it.
   */
  #lookAtSet(type: Entry['type'], { spec }: ReplicaSet): void {
    const version = versionOf(spec?.template);
    const isEmpty = type === 'Delete' || (spec?.replicas ?? 0) === 0;
    if (!isEmpty) this.#lookAtRevival(version);
    if (this.#log !== null && isEmpty && version !== this.#log.released) {
      if (this.#log.runnable.delete(version)) {
        this.#log.emptied.set(version, this.#options.world.elapsedMs);
      }
    }
  }

  /** The Deployment controller scales up an old ReplicaSet if it does not know that of the released version yet. */
  #lookAtRevival(version: string): void {
    const log = this.#log;
    if (log === null || log.number === log.releasedNumber) return;
    const isOld = version !== log.released && version !== log.present;
    if (isOld && this.#activeOf(log).has(log.released ?? '')) log.isSecure = false;
  }

  #lookAtDeployment(object: Stored): void {
    const deployment = object as unknown as Deployment;
    const { uid = '' } = object.metadata;
    const log = this.#log?.uid === uid ? this.#log : newLog(uid);
    this.#log = log;
    this.#keeping.judge(log, deployment);
    const { rollout, released } = gateStateOf(deployment);
    const isNew = rollout !== log.number || released !== log.releasedNumber;
    this.#lookAtAdoption(log, released);
    log.number = rollout;
    log.releasedNumber = released;
    // Without a number, the Deployment is not held. It runs its template unless a user has paused it.
    log.present = versionOf(deployment.spec?.template);
    if (rollout === null) this.#lookAtUnnumbered(log, deployment.spec?.paused ?? false);
    else {
      this.#lookAtGuard(log, deployment);
      this.#lookAtNumber(log, deployment, { number: rollout, isNew });
    }
  }

  /**
   * Records a Deployment that has no rollout number. A number that a deleted lifecycle left on it may be used again.
   */
  #lookAtUnnumbered(log: DeploymentLog, isPaused: boolean): void {
    for (const [number, { isLeft }] of log.stamps) if (isLeft) log.stamps.delete(number);
    if (isPaused) return;
    release(log, log.present);
    log.unnumbered.add(log.present);
  }

  /**
   * Takes the version that runs as the released one, if the Deployment was paused before its ReplicaSet was created: it
   * has never run the released version, and the Deployment controller has revived another one.
   */
  #lookAtAdoption(log: DeploymentLog, released: number | null): void {
    if (log.number !== null || released === null || released === 0) return;
    releaseOnly(log, this.#activeOf(log));
  }

  /**
   * Takes the version that runs as the released one, if an adopted version was replaced before it had a ReplicaSet, and
   * so has never run.
   */
  #lookAtReplaced(log: DeploymentLog): void {
    if (log.stamps.size > 0 || log.released === null) return;
    const isMade = this.#setsOf(log).some((set) => versionOfSet(set) === log.released);
    if (!isMade) releaseOnly(log, this.#activeOf(log));
  }

  #activeOf(log: DeploymentLog): ReadonlySet<string> {
    return activeVersions(this.#setsOf(log));
  }

  #setsOf({ uid }: DeploymentLog): readonly ReplicaSet[] {
    const sets = this.#options.api.peek(replicaSets) as unknown as readonly ReplicaSet[];
    return sets.filter((set) => controllerOf(set)?.uid === uid);
  }

  /** Records a version that may run because the gate was not called and nothing pauses the Deployment. */
  #lookAtGuard(log: DeploymentLog, deployment: Deployment): void {
    const isAtRest = this.#specs.present?.gate === 'PausedAtRest';
    const { spec } = deployment;
    const isUnguarded = !isAtRest && !gateStateOf(deployment).labelled && spec?.paused !== true;
    if (isUnguarded) log.unguarded.add(versionOf(spec?.template));
  }

  #lookAtNumber(
    log: DeploymentLog,
    deployment: Deployment,
    { number, isNew }: { readonly number: number; readonly isNew: boolean },
  ): void {
    const { gated, released, wantedReplicas } = gateStateOf(deployment);
    const version = versionOf(deployment.spec?.template);
    if (gated) {
      const isLeft = released === null;
      if (!log.stamps.has(number)) this.#stamp(log, { number, version, isLeft, wantedReplicas });
      else if (isPutBack(log, deployment)) log.isEmpty = false;
      return;
    }
    if (isNew) {
      log.isSecure = true;
      if (log.stamps.has(number)) log.unnumbered.clear();
      this.#releases.judge(log, { number, version });
    }
    const isWhole = isComplete(deployment);
    if (isWhole) log.complete.add(number);
    log.isEmpty = isWhole && deployment.spec?.replicas === 0;
  }

  #stamp(
    log: DeploymentLog,
    stamped: Pick<Stamped, 'version' | 'isLeft'> & {
      readonly number: number;
      readonly wantedReplicas: number | null;
    },
  ): void {
    const { number, version, isLeft, wantedReplicas } = stamped;
    const isDrained = wantedReplicas !== null;
    this.#lookAtReplaced(log);
    log.held.add(version);
    log.stamps.set(number, { version, isDrained, isLeft, atMs: this.#options.world.elapsedMs });
    log.isSecure &&= isDrained || log.isEmpty || isOnlyReleased(log, this.#activeOf(log));
  }
}
