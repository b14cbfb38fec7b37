/**
 * Judges every start of a container when it happens: ROLL-L1, ROLL-L2, ROLL-L3, ROLL-L4, ROLL-L7 and ROLL-L10.
 * ROLL-L6 is in `judge-release.ts`, ROLL-S1 in `judge-finalizers.ts`, the rest in `judge-end.ts`. In addition:
 *
 *  ROLL-DH16 After a failed attempt, the next one begins only after a pause.
 */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { controllerOf } from '../../../src/controller/indexes.ts';
import { keyText } from '../../../src/controller/object-key.ts';
import type { Note } from '../../../src/controller/event-correlator.ts';
import { resourceName } from '../../../src/kube/object.ts';
import { deployments, pods, replicaSets } from '../../../src/kube/resources.ts';
import { gateStateOf } from '../../../src/lifecycles/rollout/gate/gate-state.ts';
import { identityOf } from '../../../src/lifecycles/rollout/hookpod/identity.ts';
import {
  type DeploymentLifecycle,
  deploymentLifecycles,
  type HookRun,
  hookRuns,
} from '../../../src/lifecycles/rollout/kinds.ts';
import type { Entry, SimApi, Stored } from '../controller/sim-api.ts';
import type { SimWrite } from '../controller/sim-client.ts';
import type { World } from '../world.ts';
import { type Account, type HookIdentity, isSuccess, type Run } from './account.ts';
import { GateLog } from './gate-log.ts';
import { FinalizerJudge } from './judge-finalizers.ts';
import { PermitJudge } from './judge-permits.ts';
import { FREED } from './people.ts';
import { KEY_OF_WEB } from './scene.ts';

const PODS = resourceName(pods);
const RUNS = resourceName(hookRuns);
const LIFECYCLES = resourceName(deploymentLifecycles);

export interface JudgeOptions {
  readonly world: World;
  readonly api: SimApi;
  readonly account: Account;
  readonly areClocksRight: boolean;
  /** True if no request can arrive after its sender has died. */
  readonly areRequestsPrompt: boolean;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** An attempt whose record says that it has not succeeded. */
export interface Failure {
  readonly run: string;
  /** UID of the Deployment. */
  readonly uid: string;
  readonly attempt: number;
  readonly stage: string;
  readonly number: number;
}

export class RolloutJudge {
  readonly gate: GateLog;
  readonly notes: Note[] = [];
  readonly failures: Map<string, Failure> = new Map();
  /** Rollout numbers for which the status has recorded a failure while their Deployment existed. */
  readonly failedRollouts: Set<number> = new Set();
  readonly #options: JudgeOptions;
  readonly #permits: PermitJudge;
  readonly #finalizers: FinalizerJudge;
  /** UIDs of all application pods that were seen. `#unreleased` has those of versions that may not run. */
  readonly #seen = new Set<string>();
  /** UIDs of hook pods whose finalizer a user removed before they were recorded: they can never be recorded. */
  readonly #freed = new Set<string>();
  /** Simulated times by pod name: of the last create request, and of a user's removal of the finalizer. */
  readonly #askedMs = new Map<string, number>();
  readonly #freedMs = new Map<string, number>();
  readonly #unreleased = new Map<string, string>();
  /**
   * UIDs of pods whose creator did not know yet that the ReplicaSet was deleted, and of pods whose ReplicaSet a
   * restored server does not have. Only the garbage collector deletes them.
   */
  readonly #strays = new Set<string>();

  constructor(options: JudgeOptions) {
    this.#options = options;
    this.gate = new GateLog(options);
    this.#permits = new PermitJudge(options);
    this.#finalizers = new FinalizerJudge(options);
    options.account.onStart((run) => {
      this.#judgeStart(run);
    });
    options.api.onCommit((entry) => {
      this.#look(entry);
    });
  }

  /**
   * Call after a restore. The server cannot know then what ran in deleted pods or in pods without a record, and rollout
   * numbers after the backup are used again. Pods whose ReplicaSet is not in the backup belong to no Deployment.
   */
  forgetPods(): void {
    const { api, account } = this.#options;
    for (const pod of api.peek(pods))
      if (lacksSet(api, pod)) this.#strays.add(pod.metadata.uid ?? '');
    const runs = new Set(api.peek(hookRuns).map(({ metadata }) => metadata.uid));
    const there = new Set(
      api
        .peek(pods)
        .filter((pod) => runs.has(controllerOf(pod)?.uid))
        .map(({ metadata }) => metadata.uid),
    );
    const stored: unknown = api.find(deployments, KEY_OF_WEB);
    const newest = stored === undefined ? null : gateStateOf(stored as Deployment).rollout;
    for (const { hook, podUid } of account.runs) {
      if (hook === null) continue;
      if (!there.has(podUid) || hook.number > (newest ?? 0)) this.#freed.add(podUid);
    }
  }

  /** Call when a process sends a write. The write may still be lost, or arrive later. */
  hear(write: SimWrite): void {
    const { verb, resource, object } = write;
    this.#finalizers.hear(write);
    if (verb !== 'create' || resource !== PODS) return;
    this.#askedMs.set(object.metadata?.name ?? '', this.#options.world.elapsedMs);
  }

  #look({ resource, type, object }: Entry): void {
    if (object.metadata.annotations?.[FREED] !== undefined) this.#lookAtFreed(object);
    if (type === 'Delete') return;
    if (resource === PODS) this.#lookAtPod(object);
    if (resource === LIFECYCLES) this.#lookAtStatus(object as unknown as DeploymentLifecycle);
    if (resource === RUNS) {
      if (this.#options.areRequestsPrompt) this.#permits.look(object as unknown as HookRun);
      this.#lookAtRun(object as unknown as HookRun);
    }
  }

  #lookAtStatus({ status }: DeploymentLifecycle): void {
    const { number, failure } = status?.rollout ?? {};
    if (number === undefined || failure === undefined) return;
    if (failure.reason !== 'DeploymentDeleted') this.failedRollouts.add(number);
  }

  #lookAtFreed({ metadata: { uid = '', name = '' } }: Stored): void {
    if (!this.#isRecorded(uid)) this.#freed.add(uid);
    if (!this.#freedMs.has(name)) this.#freedMs.set(name, this.#options.world.elapsedMs);
  }

  #lookAtPod(object: Stored): void {
    const { uid = '', name = '', annotations = {} } = object.metadata;
    const hook = identityOf(object);
    if (hook !== null) {
      this.#finalizers.look(object, hook);
      return;
    }
    if (this.#seen.has(uid)) return;
    this.#seen.add(uid);
    const version = annotations['version'] ?? '';
    const isFree = this.gate.mayRun(version) || !this.gate.isSettled;
    if (!this.#isOfPresent(object)) {
      this.#strays.add(uid);
      return;
    }
    if (isFree) return;
    this.#options.world.note(`pod ${name} of ${version} is made, which was not released`);
    this.#unreleased.set(uid, version);
  }

  /** True for an ended attempt without a recorded pod. Only a late request can still create its pod. */
  #isOver({ uid, number, stage, attempt }: HookIdentity): boolean {
    const runs = this.#options.api.peek(hookRuns) as unknown as readonly HookRun[];
    const own = runs.filter(({ spec }) => spec.deploymentUID === uid && spec.rollout === number);
    const attempts = own.flatMap(({ spec, status }) =>
      spec.stage === stage ? (status?.attempts ?? []) : [],
    );
    const ended = attempts.find((each) => each.number === attempt && each.podUID === undefined);
    return ended?.outcome !== undefined;
  }

  #isRecorded(uid: string): boolean {
    const runs = this.#options.api.peek(hookRuns) as unknown as readonly HookRun[];
    const attempts = runs.flatMap(({ status }) => status?.attempts ?? []);
    return attempts.some(({ podUID }) => podUID === uid);
  }

  /** True unless the pod's ReplicaSet belongs to a deleted Deployment. A ReplicaSet without owner will be adopted. */
  #isOfPresent(pod: Stored): boolean {
    const set = this.#options.api
      .peek(replicaSets)
      .find(({ metadata }) => metadata.uid === controllerOf(pod)?.uid);
    if (set === undefined) return false;
    const owner = controllerOf(set);
    return owner === undefined || this.gate.isOf(owner.uid);
  }

  #judgeStart(run: Run): void {
    const { world, account } = this.#options;
    const others = account.alive().filter((other) => other !== run);
    if (run.hook === null) {
      const version = this.#unreleased.get(run.podUid);
      if (version !== undefined)
        world.violate('ROLL-L1', `${run.podName} of ${version} starts unreleased`);
      const mid = others.find(({ hook }) => hook?.stage === 'mid');
      if (mid !== undefined && !this.#strays.has(run.podUid)) {
        world.violate('ROLL-L4', `${run.podName} starts while ${mid.podName} runs`);
      }
      return;
    }
    this.#judgeHook(run, run.hook, others);
  }

  #judgeHook(run: Run, hook: HookIdentity, others: readonly Run[]): void {
    const { world, account } = this.#options;
    const { podName } = run;
    const again = account.ofHook(hook).filter(({ podUid }) => !this.#freed.has(podUid));
    if (again.length > 1 && !this.#wasOnItsWay(podName))
      world.violate('ROLL-L2', `${podName} starts for the ${again.length}. time`);
    if (this.#isOver(hook))
      world.violate('ROLL-L2', `${podName} starts when its attempt has ended`);
    this.#judgePause(run, hook);
    const other = others.find((each) => each.hook !== null);
    if (other !== undefined)
      world.violate('ROLL-L3', `${podName} starts while ${other.podName} runs`);
    const own = others.find((each) => each.hook === null && !this.#strays.has(each.podUid));
    if (hook.stage === 'mid' && own !== undefined) {
      world.violate('ROLL-L4', `${podName} starts while ${own.podName} runs`);
    }
    const isKnown = this.gate.isOf(hook.uid);
    if (hook.stage === 'post' && isKnown && !this.gate.isComplete(hook.uid, hook.number)) {
      world.violate('ROLL-L7', `${podName} starts, and rollout ${hook.number} is not complete`);
    }
  }

  /**
   * True if the pod was requested before a user removed the finalizer of an earlier pod of this name. The permit
   * existed then, so the controller is not to blame.
   */
  #wasOnItsWay(podName: string): boolean {
    const freedMs = this.#freedMs.get(podName);
    return freedMs !== undefined && (this.#askedMs.get(podName) ?? 0) < freedMs;
  }

  /** ROLL-DH16: judges the pause between attempts by the wall clock, which must not have been set. */
  #judgePause({ podName, startedMs }: Run, hook: HookIdentity): void {
    if (!this.#options.areClocksRight) return;
    const [before] = this.#options.account.ofHook({ ...hook, attempt: hook.attempt - 1 });
    if (before === undefined || before.endedMs === null) return;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (hook.attempt - 2));
    if (startedMs - before.endedMs >= pauseMs) return;
    this.#options.world.violate('ROLL-DH16', `${podName} starts before a pause of ${pauseMs} ms`);
  }

  /** ROLL-L10: judges recorded successes. Collects failures for ROLL-L11. */
  #lookAtRun({ metadata, spec, status }: HookRun): void {
    const { deploymentUID: uid, rollout: number, stage } = spec;
    const { attempts, phase } = status ?? { attempts: [], phase: 'Running' };
    const run = keyText({ name: '', ...metadata });
    for (const { number: attempt, outcome = 'none' } of attempts) {
      if (outcome === 'Succeeded') this.#judgeSuccess({ uid, number, stage, attempt });
      else if (outcome !== 'none') {
        this.failures.set(`${run}/${attempt}`, { run, uid, attempt, stage, number });
      }
    }
    if (phase !== 'Succeeded' || attempts.at(-1)?.outcome === 'Succeeded') return;
    this.#options.world.violate('ROLL-L10', `${run} has succeeded without its last attempt`);
  }

  #judgeSuccess(hook: HookIdentity): void {
    if (this.#options.account.ofHook(hook).some(isSuccess)) return;
    const { stage, number, attempt } = hook;
    const what = `attempt ${attempt} of ${stage} of rollout ${number}`;
    this.#options.world.violate('ROLL-L10', `${what} counts as success, and was none`);
  }
}

function lacksSet(api: SimApi, pod: Stored): boolean {
  const owner = controllerOf(pod);
  if (owner?.kind !== replicaSets.kind) return false;
  return api.peek(replicaSets).every(({ metadata }) => metadata.uid !== owner.uid);
}
