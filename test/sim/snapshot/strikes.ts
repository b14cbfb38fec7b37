/** The effect of one strike of each kind of trouble. */
import { leases, nodes, pods as podKind } from '../../../src/kube/resources.ts';
import { contents, groupSnapshots, snapshots } from '../../../src/kube/snapshots.ts';
import {
  applicationSnapshots,
  executionHooks,
  executionHookTemplates,
} from '../../../src/lifecycles/snapshot/kinds.ts';
import { restoreServer } from '../controller/restores.ts';
import {
  isServerTrouble,
  type RuledKinds,
  type ServerTrouble,
  strikeServer,
} from '../controller/server-troubles.ts';
import { failure, type SimApi } from '../controller/sim-api.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import type { Trouble } from './faults.ts';
import type { HookView } from './hook-views.ts';
import type { Court } from './judge.ts';
import { deleteNamespace } from './namespace-end.ts';
import { doSomething } from './people.ts';
import type { Replica } from './replica.ts';
import type { HookPlan } from './hook-plans.ts';
import type { PodPlan, SimCluster } from './sim-cluster.ts';

export interface Struck {
  readonly world: World;
  readonly api: SimApi;
  readonly cluster: SimCluster;
  readonly pods: readonly PodPlan[];
  readonly replicas: readonly (Replica | null)[];
  readonly random: Random;
  readonly planOf: (tag: string) => HookPlan;
  /** Current phases of the hook with this tag. */
  readonly phasesOf: (tag: string) => readonly string[];
  readonly isFaulty: () => boolean;
}

const LONGEST_MS = 45_000;
const KINDS: RuledKinds = {
  own: [executionHooks, applicationSnapshots],
  created: [executionHooks, snapshots, groupSnapshots],
  watched: [executionHooks, applicationSnapshots, contents, podKind, executionHookTemplates, nodes],
};

const BLOWS: Readonly<Record<Exclude<Trouble, ServerTrouble>, (struck: Struck) => void>> = {
  /** The processes are disconnected from the server and all containers. */
  network: ({ world, replicas, random }) => {
    const ms = random.between(200, LONGEST_MS);
    world.faults.met('network cut off');
    for (const each of replicas) each?.cutOffFor(ms);
  },
  kills: (struck) => some(struck)?.kill(),
  replicas: strikeReplica,
  targets: strikeTarget,
  users: doSomething,
  clocks: (struck) => {
    struck.world.faults.met('clock set');
    some(struck)?.host.setClock(struck.random.pick([-3_600_000, -5_000, 5_000, 3_600_000]));
  },
  refusals: refuseStatuses,
  /** Faults of commands and cuts are drawn elsewhere, from their own random numbers. */
  exec: () => {},
  storage: () => {},
  serverCuts: cutOffLeader,
  restores: (struck) => {
    const kept = [podKind, nodes];
    const cutOff = (ms: number): void => {
      for (const each of struck.replicas) each?.cutOffFor(ms);
    };
    restoreServer({ ...struck, kept, cutOff });
  },
  namespaces: deleteNamespace,
  terminations: (struck) => {
    terminateFrozen(struck, struck.world.elapsedMs + LONGEST_MS);
  },
};

/** Disconnects the leader, if there is one. */
function cutOffLeader({ world, api, replicas, random }: Struck): void {
  const [lease] = api.peek(leases);
  const { holderIdentity } = (lease?.spec ?? {}) as { holderIdentity?: string };
  const leader = replicas.find((each) => each?.host.name === holderIdentity);
  if (leader !== undefined) world.faults.met('leader cut off from the server alone');
  leader?.host.cutOffFromServerFor(random.between(5_000, LONGEST_MS));
}

export function strike(trouble: Trouble, struck: Struck): void {
  if (isServerTrouble(trouble)) strikeServer(trouble, { ...struck, kinds: KINDS });
  else BLOWS[trouble](struck);
}

function some({ replicas, random }: Struck): Replica | null {
  return replicas[random.between(0, replicas.length - 1)] ?? null;
}

function strikeReplica(struck: Struck): void {
  const { random } = struck;
  const { faults } = struck.world;
  const replica = some(struck);
  const ms = random.between(200, LONGEST_MS);
  if (random.chance(0.3)) replica?.askToStop();
  else if (random.chance(0.5)) {
    faults.met('process suspended');
    replica?.host.stopFor(ms);
  } else {
    faults.met('replica cut off');
    replica?.cutOffFor(ms);
  }
}

function strikeTarget(struck: Struck): void {
  const { pods, cluster, random } = struck;
  const pod = pods[random.between(0, pods.length - 1)];
  if (pod === undefined) return;
  // The pod is away for at least the time that a new pod and its container need to start.
  const awayMs = random.between(1_200, 8_000);
  const deed = random.pick([
    'replace',
    'replace',
    'evict',
    'restart',
    'restart',
    'node',
    'hand',
    'hand',
  ]);
  if (deed === 'hand') thawByHand(struck, struck.world.elapsedMs + LONGEST_MS);
  else if (deed === 'replace') {
    const graceMs = random.pick([random.between(0, 5_000), 15_000, 30_000]);
    cluster.replacePod(pod.name, { graceMs, awayMs });
  } else if (deed === 'evict') cluster.evictPod(pod.name, awayMs);
  else if (deed === 'restart') {
    cluster.restartContainer(pod.name, pod.containers[0] ?? '', awayMs);
  } else cluster.loseNode(pod.node, random.between(1, 40_000));
}

/** True if statuses are to be refused now: that does most harm when a hook has just frozen everything. */
export function isMomentToRefuse(
  { troubles, world }: Pick<Court, 'troubles' | 'world'>,
  { before, hook }: HookView,
  random: Random,
): boolean {
  if (!troubles.has('refusals') || before?.status?.preActionSucceed !== undefined) return false;
  if (hook.status?.preActionSucceed !== true) return false;
  return world.faults.of('refusals', hook.metadata?.name).chance(random, 0.5);
}

/** Refuses the statuses of all hooks for a while. The server accepts all other writes. */
function refuseStatuses({ api, world, random }: Struck): void {
  const refusal = random.pick([
    failure(500, '', 'etcdserver: request is too large'),
    failure(403, 'Forbidden', 'exceeded quota'),
    failure(422, 'Invalid', 'denied by a webhook'),
  ]);
  const ms = random.between(200, LONGEST_MS);
  world.faults.met('status refused');
  world.note(`statuses of hooks are refused for ${ms} ms: ${refusal.message}`);
  const mine: SimApi['review'] = ({ resource, part }) =>
    resource === executionHooks && part === 'status' ? refusal : null;
  api.review = mine;
  world.after(ms, () => {
    if (api.review === mine) api.review = () => null;
  });
}

/** Deletes the first pod in which a target is frozen. Gives up at `untilMs`. */
function terminateFrozen(struck: Struck, untilMs: number): void {
  const { world, cluster, phasesOf, random } = struck;
  const frozen = cluster.applications.find(({ alive, freeze }) => alive && freeze !== null);
  if (frozen !== undefined) {
    const graceMs = random.pick([2_000, 15_000, 30_000]);
    const tag = frozen.freeze?.tag ?? '';
    world.faults.met('frozen pod deleted', () => phasesOf(tag));
    cluster.replacePod(frozen.is.pod, { graceMs, awayMs: random.between(1_200, 8_000) });
  } else if (world.elapsedMs < untilMs) {
    world.after(random.between(50, 500), () => {
      terminateFrozen(struck, untilMs);
    });
  }
}

/**
 * A user thaws in a container as soon as it is frozen. Affects only hooks with a probe: without one, no controller
 * could notice the thaw.
 */
function thawByHand(struck: Struck, untilMs: number): void {
  const { world, cluster, planOf, phasesOf, random } = struck;
  const frozen = cluster.applications.filter(
    ({ freeze }) => freeze !== null && planOf(freeze.tag).probed,
  );
  for (const application of frozen) {
    const tag = application.freeze?.tag ?? '';
    world.faults.met('thawed by hand', () => phasesOf(tag));
    world.note(`a user thaws ${application.name} by hand`);
    application.endFreeze('thawed by hand');
  }
  if (frozen.length > 0 || world.elapsedMs >= untilMs) return;
  world.after(random.between(50, 500), () => {
    thawByHand(struck, untilMs);
  });
}
