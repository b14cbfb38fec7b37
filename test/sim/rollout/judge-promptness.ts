/**
 * Judges that an undisturbed controller does its duties within seconds. Each duty follows from the stored objects
 * alone. It is violated when it is pending for too long:
 *
 *  ROLL-DH13 When a hook's container has exited, its pod is deleted, even if other containers of the pod still run.
 *  ROLL-L12 A drain ends at its deadline.
 *  ROLL-L13 A hook pod is deleted at its timeout, and at the deadline of its stage.
 *  ROLL-L14 An abort stops the running hook, or ends the phase.
 *  ROLL-L15 A hook pod is deleted when its rollout is no longer the open one.
 *  ROLL-L16 A held Deployment that was scaled up is scaled back to 0.
 */
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import { isTerminating } from '../../../src/controller/finalizers.ts';
import { deployments, pods } from '../../../src/kube/resources.ts';
import { gateStateOf } from '../../../src/lifecycles/rollout/gate/gate-state.ts';
import { HOOK_CONTAINER } from '../../../src/lifecycles/rollout/hookpod/hook-container.ts';
import { isFinished } from '../../../src/lifecycles/rollout/hookpod/read-hook-pod.ts';
import { identityOf } from '../../../src/lifecycles/rollout/hookpod/identity.ts';
import {
  type DeploymentLifecycle,
  deploymentLifecycles,
  type HookRun,
  hookRuns,
  type Phase,
} from '../../../src/lifecycles/rollout/kinds.ts';
import { ABORT } from '../../../src/lifecycles/rollout/names.ts';
import type { SimApi } from '../controller/sim-api.ts';
import type { World } from '../world.ts';
import type { Account, HookIdentity } from './account.ts';
import { SLOW_LOG_MS } from './replica.ts';
import { KEY_OF_WEB } from './scene.ts';

export interface PromptnessOptions {
  readonly world: World;
  readonly api: SimApi;
  readonly account: Account;
}

/** A change that the controller must make. */
interface Duty {
  /** Identifies the subject of the duty, so that it can be found again at the next check. */
  readonly id: string;
  readonly code: string;
  readonly text: string;
  /** Milliseconds for which the duty may be pending. */
  readonly withinMs: number;
}

interface LiveHook {
  readonly uid: string;
  readonly name: string;
  readonly hook: HookIdentity;
}

interface Seen {
  readonly deployment: Deployment | undefined;
  readonly lifecycle: DeploymentLifecycle;
  /** Running hooks whose pods are not being deleted. */
  readonly hooks: readonly LiveHook[];
  readonly runs: readonly HookRun[];
  /** Pods whose hook container has exited, but in which other containers still run. */
  readonly leftOn: readonly Pod[];
}

const LOOK_MS = 500;
/** Milliseconds that requests and the slowest log may take. */
const PROMPT_MS = 2_000 + SLOW_LOG_MS;
/** One second in milliseconds. Attempts begin at a whole second, in which their pod was created. */
const SECOND_MS = 1_000;

const ABORTABLE: readonly Phase[] = ['Pre', 'Draining', 'Mid', 'Progressing', 'Post'];
/** Phases that restore the previous template. In these, the controller itself scales up a held Deployment. */
const RETURNS: readonly Phase[] = ['Restoring', 'RollingBack'];

export class PromptnessJudge {
  readonly #options: PromptnessOptions;
  /** Simulated time since which each duty is pending, in milliseconds, keyed by id. */
  #since = new Map<string, number>();

  constructor(options: PromptnessOptions) {
    this.#options = options;
  }

  /** Starts the checks, which repeat every LOOK_MS. */
  start(): void {
    this.#look();
    this.#options.world.after(LOOK_MS, () => {
      this.start();
    });
  }

  #look(): void {
    const { world } = this.#options;
    const standing = new Map<string, number>();
    for (const { id, code, text, withinMs } of this.#duties()) {
      const sinceMs = this.#since.get(id) ?? world.elapsedMs;
      standing.set(id, sinceMs);
      if (world.elapsedMs - sinceMs > withinMs) world.violate(code, text);
    }
    this.#since = standing;
  }

  #duties(): readonly Duty[] {
    const seen = this.#see();
    if (seen === null) return [];
    return [
      ...sidecarDuties(seen),
      ...drainDuties(seen),
      ...timeDuties(seen),
      ...abortDuties(seen),
      ...pastDuties(seen),
      ...holdDuties(seen),
    ];
  }

  #see(): Seen | null {
    const { api, account } = this.#options;
    const ended = new Set(account.runs.flatMap((run) => (run.endedMs === null ? [] : run.podUid)));
    const lifecycle: unknown = api.find(deploymentLifecycles, KEY_OF_WEB);
    if (lifecycle === undefined) return null;
    const all = api.peek(pods) as unknown as readonly Pod[];
    return {
      deployment: api.find(deployments, KEY_OF_WEB) as unknown as Deployment | undefined,
      lifecycle: lifecycle as DeploymentLifecycle,
      hooks: liveHooks(all, ended),
      leftOn: all.filter((pod) => !isTerminating(pod) && hasOnlySidecar(pod)),
      runs: api.peek(hookRuns) as unknown as readonly HookRun[],
    };
  }
}

/** `ended`: UIDs of pods whose container has exited. A lost node does not report that. */
function liveHooks(all: readonly Pod[], ended: ReadonlySet<string>): readonly LiveHook[] {
  return all.flatMap((pod) => {
    const hook = identityOf(pod);
    const { uid = '', name = '' } = pod.metadata ?? {};
    const isOver = isTerminating(pod) || isFinished(pod) || ended.has(uid);
    return hook === null || isOver ? [] : [{ uid, name, hook }];
  });
}

/** The open rollout, with its Deployment; null if the Deployment or the lifecycle is being deleted, or none is open. */
function openRollout({ deployment, lifecycle }: Seen): {
  readonly deployment: Deployment;
  readonly number: number;
  readonly phase: Phase;
  readonly isFailed: boolean;
} | null {
  const { rollout, deploymentUID } = lifecycle.status ?? {};
  if (deployment === undefined || rollout === undefined || isTerminating(lifecycle)) return null;
  if (deployment.metadata?.uid !== deploymentUID) return null;
  const { number, phase, failure } = rollout;
  if (gateStateOf(deployment).rollout !== number) return null;
  return { deployment, number, phase, isFailed: failure !== undefined };
}

function hasOnlySidecar({ status }: Pod): boolean {
  const { containerStatuses = [] } = status ?? {};
  const own = containerStatuses.find(({ name }) => name === HOOK_CONTAINER);
  const isRunning = containerStatuses.some(({ state }) => state?.running !== undefined);
  return own?.state?.terminated !== undefined && isRunning;
}

/** ROLL-DH13: delete pods whose hook has ended. */
function sidecarDuties({ leftOn }: Seen): readonly Duty[] {
  return leftOn.map(({ metadata: { uid = '', name = '' } = {} }) => ({
    id: `sidecar of ${uid}`,
    code: 'ROLL-DH13',
    text: `the hook of ${name} has ended, and its pod runs on`,
    withinMs: PROMPT_MS,
  }));
}

/** ROLL-L12: end the drain at its deadline. */
function drainDuties(seen: Seen): readonly Duty[] {
  const open = openRollout(seen);
  if (open?.phase !== 'Draining') return [];
  const seconds = open.deployment.spec?.progressDeadlineSeconds ?? 0;
  return [
    {
      id: `drain ${open.number}`,
      code: 'ROLL-L12',
      text: `rollout ${open.number} drains on after its deadline of ${seconds} s`,
      withinMs: seconds * SECOND_MS + PROMPT_MS,
    },
  ];
}

/** ROLL-L13: delete hook pods at their timeout. */
function timeDuties({ hooks, runs }: Seen): readonly Duty[] {
  return hooks.flatMap(({ uid, name, hook: { uid: deploymentUID, number, stage } }) => {
    const run = runs.find(
      ({ spec }) =>
        spec.deploymentUID === deploymentUID && spec.rollout === number && spec.stage === stage,
    );
    if (run === undefined) return [];
    const { hook, deadlineSeconds } = run.spec;
    const seconds = Math.min(hook.timeoutSeconds ?? Infinity, deadlineSeconds);
    return [
      {
        id: `time of ${uid}`,
        code: 'ROLL-L13',
        text: `${name} goes on after its ${seconds} s`,
        withinMs: seconds * SECOND_MS + SECOND_MS + PROMPT_MS,
      },
    ];
  });
}

/** ROLL-L14: stop the hook or end the phase after an abort. When no hook runs any more, the failure gets recorded. */
function abortDuties(seen: Seen): readonly Duty[] {
  const open = openRollout(seen);
  if (open === null || open.isFailed || !ABORTABLE.includes(open.phase)) return [];
  const { number, phase, deployment } = open;
  if (deployment.metadata?.annotations?.[ABORT] !== String(number)) return [];
  const isStopping = phase !== 'Draining' && phase !== 'Progressing' && seen.hooks.length === 0;
  if (isStopping) return [];
  return [
    {
      id: `abort ${number} ${phase}`,
      code: 'ROLL-L14',
      text: `rollout ${number} is to be aborted, and goes on in ${phase}`,
      withinMs: PROMPT_MS,
    },
  ];
}

/** ROLL-L15: delete hook pods of rollouts that are not open. */
function pastDuties({ deployment, lifecycle, hooks }: Seen): readonly Duty[] {
  const number = deployment === undefined ? null : gateStateOf(deployment).rollout;
  const past = hooks.filter(
    ({ hook }) =>
      isTerminating(lifecycle) || hook.uid !== deployment?.metadata?.uid || hook.number !== number,
  );
  return past.map(({ uid, name }) => ({
    id: `past ${uid}`,
    code: 'ROLL-L15',
    text: `${name} goes on, and its rollout is not the open one any more`,
    withinMs: PROMPT_MS,
  }));
}

/** ROLL-L16: scale a held Deployment back to 0. */
function holdDuties(seen: Seen): readonly Duty[] {
  const open = openRollout(seen);
  if (open === null || RETURNS.includes(open.phase)) return [];
  const { gated, wantedReplicas } = gateStateOf(open.deployment);
  const replicas = open.deployment.spec?.replicas ?? 1;
  if (!gated || wantedReplicas === null || replicas === 0) return [];
  return [
    {
      id: `hold ${open.number}`,
      code: 'ROLL-L16',
      text: `rollout ${open.number} is held at 0, and has ${replicas} replicas`,
      withinMs: PROMPT_MS,
    },
  ];
}
