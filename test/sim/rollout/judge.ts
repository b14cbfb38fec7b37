/**
 * ROLL-L1, ROLL-L2, ROLL-L3, ROLL-L4, ROLL-L7 and ROLL-L10, from what really ran: every start of a container is
 * looked at when it happens. ROLL-L6 is in `gate-log.ts`, the rest in `judge-end.ts`. Besides those:
 *
 *  ROLL-S1 Our finalizer is removed from a hook pod when its outcome is recorded, or no record is kept any more.
 *  ROLL-DH16 An attempt begins after the pause that follows the failure of the one before it.
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
import { HOOK_POD_FINALIZER } from '../../../src/lifecycles/rollout/names.ts';
import type { Entry, SimApi, Stored } from '../controller/sim-api.ts';
import type { SimWrite } from '../controller/sim-client.ts';
import type { World } from '../world.ts';
import { type Account, type HookIdentity, isSuccess, type Run } from './account.ts';
import { GateLog } from './gate-log.ts';
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
  /** No request is in transit for longer than its sender lives. */
  readonly areRequestsPrompt: boolean;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** An attempt whose record says that it did not succeed. */
export interface Failure {
  readonly run: string;
  readonly attempt: number;
  readonly stage: string;
  readonly number: number;
}

export class RolloutJudge {
  readonly gate: GateLog;
  readonly notes: Note[] = [];
  readonly failures: Map<string, Failure> = new Map();
  /** Numbers whose failure the status recorded while their Deployment existed. */
  readonly failedRollouts: Set<number> = new Set();
  readonly #options: JudgeOptions;
  readonly #permits: PermitJudge;
  /** Known pods of the application, and those that should not have been created. */
  readonly #seen = new Set<string>();
  /** Hook pods with our finalizer. */
  readonly #kept = new Set<string>();
  /** Hook pods whose finalizer a user removed before they were recorded: no record of them can exist any more. */
  readonly #freed = new Set<string>();
  /** Keyed by name: when the last request for such a pod was sent, and when a user removed the finalizer of one. */
  readonly #askedMs = new Map<string, number>();
  readonly #freedMs = new Map<string, number>();
  readonly #unreleased = new Map<string, string>();
  /**
   * Created by a controller that did not know yet that the ReplicaSet is deleted: only the garbage collector can
   * delete them.
   */
  readonly #strays = new Set<string>();

  constructor(options: JudgeOptions) {
    this.#options = options;
    this.gate = new GateLog(options);
    this.#permits = new PermitJudge(options);
    options.account.onStart((run) => {
      this.#judgeStart(run);
    });
    options.api.onCommit((entry) => {
      this.#look(entry);
    });
  }

  /**
   * After a restore the server cannot know what ran in deleted pods or in pods without a record, and later numbers
   * are used again.
   */
  forgetPods(): void {
    const { api, account } = this.#options;
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

  /** Call when a write is in transit. */
  hear({ verb, resource, object }: SimWrite): void {
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
      this.#lookAtHookPod(object, hook);
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

  /** ROLL-S1. */
  #lookAtHookPod({ metadata }: Stored, hook: HookIdentity): void {
    const { uid = '', name = '', finalizers = [], annotations = {} } = metadata;
    if (finalizers.includes(HOOK_POD_FINALIZER)) {
      this.#kept.add(uid);
      return;
    }
    const wasKept = this.#kept.delete(uid) && annotations[FREED] === undefined;
    if (!wasKept || !this.#isOpen(hook)) return;
    this.#options.world.violate('ROLL-S1', `${name} is released, and its outcome is not recorded`);
  }

  #isOpen({ number, stage, attempt }: HookIdentity): boolean {
    const runs = this.#options.api.peek(hookRuns) as unknown as readonly HookRun[];
    const run = runs.find(({ spec }) => spec.rollout === number && spec.stage === stage);
    const { attempts = [] } = run?.status ?? {};
    return attempts.some((each) => each.number === attempt && each.outcome === undefined);
  }

  /** True for an attempt without a pod, which only a late request can give it. */
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

  /** The ReplicaSet of a deleted Deployment may still create some. One without an owner will be adopted. */
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
   * True if a user removed the finalizer of another pod of this name while its hook ran: its permit exists, and the
   * controller had no part in it.
   */
  #wasOnItsWay(podName: string): boolean {
    const freedMs = this.#freedMs.get(podName);
    return freedMs !== undefined && (this.#askedMs.get(podName) ?? 0) < freedMs;
  }

  /** Measures by the wall clock, which must not be set meanwhile. */
  #judgePause({ podName, startedMs }: Run, hook: HookIdentity): void {
    if (!this.#options.areClocksRight) return;
    const [before] = this.#options.account.ofHook({ ...hook, attempt: hook.attempt - 1 });
    if (before === undefined || before.endedMs === null) return;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (hook.attempt - 2));
    if (startedMs - before.endedMs >= pauseMs) return;
    this.#options.world.violate('ROLL-DH16', `${podName} starts before a pause of ${pauseMs} ms`);
  }

  /** ROLL-L10, and the input of ROLL-L11. */
  #lookAtRun({ metadata, spec, status }: HookRun): void {
    const { deploymentUID: uid, rollout: number, stage } = spec;
    const { attempts, phase } = status ?? { attempts: [], phase: 'Running' };
    const run = keyText({ name: '', ...metadata });
    for (const { number: attempt, outcome = 'none' } of attempts) {
      if (outcome === 'Succeeded') this.#judgeSuccess({ uid, number, stage, attempt });
      else if (outcome !== 'none') {
        this.failures.set(`${run}/${attempt}`, { run, attempt, stage, number });
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
