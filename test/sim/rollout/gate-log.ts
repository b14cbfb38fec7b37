/**
 * What the stored Deployment has said over time, seen from outside: which templates were let run, and what
 * was asked of hooks between a number's stamp and its release. Judges ROLL-L1, ROLL-L6 and ROLL-M1.
 */
import type { Deployment, DeploymentStatus, ReplicaSet } from 'kubernetes-types/apps/v1.js';

import { controllerOf } from '../../../src/controller/indexes.ts';
import { resourceName } from '../../../src/kube/object.ts';
import { deployments, replicaSets } from '../../../src/kube/resources.ts';
import { gateStateOf } from '../../../src/lifecycles/rollout/gate/gate-state.ts';
import {
  type DeploymentLifecycle,
  deploymentLifecycles,
  type DeploymentLifecycleSpec,
  type Stage,
} from '../../../src/lifecycles/rollout/kinds.ts';
import type { Entry, SimApi, Stored } from '../controller/sim-api.ts';
import type { World } from '../world.ts';
import { type Account, isSuccess } from './account.ts';
import { KeepingJudge } from './judge-keeping.ts';
import { LifecycleSpecs } from './lifecycle-specs.ts';
import {
  type DeploymentLog,
  isPutBack,
  mayGoBack,
  newLog,
  release,
  type Stamped,
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

  constructor(options: GateLogOptions) {
    this.#options = options;
    this.#keeping = new KeepingJudge({ ...options, specs: this.#specs });
    options.api.onCommit((entry) => {
      this.#look(entry);
    });
  }

  /** Returns what puts it back to what it is now. */
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

  /** Who has no number runs what the Deployment controller thinks right. */
  mayRun(version: string): boolean {
    if (this.#log === null || this.#log.number === null) return true;
    const { runnable, unguarded, emptied } = this.#log;
    const emptiedMs = emptied.get(version) ?? Number.NEGATIVE_INFINITY;
    const isBehind = this.#options.world.elapsedMs - emptiedMs < BEHIND_MS;
    return isBehind || runnable.has(version) || unguarded.has(version);
  }

  /**
   * The last release went through. A Recreate whose old pods have gone and whose new ones were not made yet is
   * no secure place to be paused at: the Deployment controller revives the newest set (ROLL-E15).
   */
  get isSettled(): boolean {
    const { releasedNumber = null, complete, isSecure = true } = this.#log ?? {};
    return isSecure && (releasedNumber === null || complete?.has(releasedNumber) === true);
  }

  isComplete(uid: string, number: number): boolean {
    return this.#log?.uid === uid && this.#log.complete.has(number);
  }

  /** Of the Deployment that is there now. */
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

  /** Whoever makes another lifecycle begins to count anew. */
  #forgetNumbers(): void {
    this.#options.account.epoch += 1;
    this.#log?.stamps.clear();
    this.#log?.complete.clear();
  }

  /** What has gone to 0 and was replaced is not let run again by anybody's scaling. */
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

  /** An old set beside that of the released version: who made it had not heard of that one. */
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
    // Without a number it is not kept, and runs what it has, but while somebody has paused it.
    log.present = versionOf(deployment.spec?.template);
    if (rollout === null) this.#lookAtUnnumbered(log, deployment.spec?.paused ?? false);
    else this.#lookAtNumber(log, deployment, { number: rollout, isNew });
  }

  /** What a deleted lifecycle has left paused was resumed: its number may come again. */
  #lookAtUnnumbered(log: DeploymentLog, isPaused: boolean): void {
    for (const [number, { isLeft }] of log.stamps) if (isLeft) log.stamps.delete(number);
    if (!isPaused) release(log, log.present);
  }

  /** Paused before its set was made, what was let run never ran: the Deployment controller has revived another. */
  #lookAtAdoption(log: DeploymentLog, released: number | null): void {
    if (log.number !== null || released === null || released === 0) return;
    const active = this.#activeOf(log);
    const [only] = active;
    if (active.size === 1 && only !== undefined) release(log, only);
  }

  #isOnlyReleased(log: DeploymentLog): boolean {
    const active = this.#activeOf(log);
    return log.released === null || (active.size === 1 && active.has(log.released));
  }

  /** Versions of which there are to be pods. */
  #activeOf({ uid }: DeploymentLog): ReadonlySet<string> {
    const sets = this.#options.api.peek(replicaSets) as unknown as readonly ReplicaSet[];
    const own = sets.filter((set) => controllerOf(set)?.uid === uid);
    const active = own.filter(({ spec }) => (spec?.replicas ?? 0) > 0);
    return new Set(active.map(({ spec }) => versionOf(spec?.template)));
  }

  /** Nothing keeps the Deployment controller from it, and the gate was not asked. */
  #isUnguarded(deployment: Deployment): boolean {
    const isAtRest = this.#specs.present?.gate === 'PausedAtRest';
    return !isAtRest && !gateStateOf(deployment).labelled && deployment.spec?.paused !== true;
  }

  #lookAtNumber(
    log: DeploymentLog,
    deployment: Deployment,
    { number, isNew }: { readonly number: number; readonly isNew: boolean },
  ): void {
    const { gated, released, wantedReplicas } = gateStateOf(deployment);
    const version = versionOf(deployment.spec?.template);
    if (this.#isUnguarded(deployment)) log.unguarded.add(version);
    if (gated) {
      const isLeft = released === null;
      if (!log.stamps.has(number)) this.#stamp(log, { number, version, isLeft, wantedReplicas });
      else if (isPutBack(log, deployment)) log.isEmpty = false;
      return;
    }
    if (isNew) {
      log.isSecure = true;
      this.#judgeRelease(log, { number, version });
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
    log.held.add(version);
    log.stamps.set(number, { version, isDrained, isLeft, atMs: this.#options.world.elapsedMs });
    log.isSecure &&= isDrained || log.isEmpty || this.#isOnlyReleased(log);
  }

  /** ROLL-L6. */
  #judgeRelease(
    log: DeploymentLog,
    { number, version }: { number: number; version: string },
  ): void {
    const stamped = log.stamps.get(number);
    const wasReleased = version === log.released;
    release(log, version);
    const isBack =
      (wasReleased && mayGoBack(stamped, version)) || this.#isRolledBack(number, version);
    if (stamped === undefined || isBack) return;
    // What was taken over from a cache that lagged is gone back to, and that was told as a bypass.
    if (log.stamps.size === 1 && stamped.version !== version) return;
    const specs = this.#keeping.specsOf(stamped);
    if (specs === null) return;
    this.#judgeHooks(log.uid, number, specs);
    if (!wasReleased) this.#judgeRecord(number);
  }

  #judgeHooks(uid: string, number: number, specs: readonly DeploymentLifecycleSpec[]): void {
    for (const stage of ['pre', 'mid'] as const) {
      const lack = this.#lackOf(uid, { number, stage }, specs);
      if (lack === null) continue;
      this.#options.world.violate('ROLL-L6', `rollout ${number} is released: ${lack}`);
    }
  }

  /** A hook has failed, and what was released is back, be it the same: hooks are not asked again. */
  #isRolledBack(number: number, version: string): boolean {
    const lifecycle = this.#options.api.find(deploymentLifecycles, KEY_OF_WEB);
    const { rollout, released } =
      (lifecycle as unknown as DeploymentLifecycle | null)?.status ?? {};
    const isOpen = rollout?.number === number && rollout.phase === 'RollingBack';
    return isOpen && versionOf(released?.template) === version;
  }

  /** ROLL-M1. */
  #judgeRecord(number: number): void {
    const lifecycle = this.#options.api.find(deploymentLifecycles, KEY_OF_WEB);
    const { status } = lifecycle as unknown as DeploymentLifecycle;
    if (status?.rollout?.number === number) return;
    this.#options.world.violate(
      'ROLL-L6',
      `rollout ${number} is released, and the status does not tell of it`,
    );
  }

  #lackOf(
    uid: string,
    { number, stage }: { number: number; stage: Stage },
    specs: readonly DeploymentLifecycleSpec[],
  ): string | null {
    const hooks = specs.map(({ recreate, rollingUpdate }) => {
      return recreate?.[stage] ?? (stage === 'mid' ? undefined : rollingUpdate?.[stage]);
    });
    if (hooks.some((hook) => hook === undefined || hook.failurePolicy === 'Ignore')) return null;
    const own = this.#options.account.runs.filter(
      ({ hook, epoch }) =>
        hook?.uid === uid &&
        hook.number === number &&
        hook.stage === stage &&
        epoch === this.#options.account.epoch,
    );
    return own.some(isSuccess) ? null : `no ${stage} hook of it has succeeded`;
  }
}

/** All of its pods are of the newest template and available. */
export function isComplete({ metadata, spec, status = {} }: Deployment): boolean {
  const { updatedReplicas = 0, replicas = 0, availableReplicas = 0 }: DeploymentStatus = status;
  const counts = [updatedReplicas, replicas, availableReplicas];
  if (status.observedGeneration !== metadata?.generation) return false;
  return counts.every((count) => count === spec?.replicas);
}
