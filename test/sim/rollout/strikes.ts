/** The effect of one strike of each kind of trouble. */
import {
  configMaps,
  deployments,
  namespaces,
  pods,
  replicaSets,
} from '../../../src/kube/resources.ts';
import {
  deploymentLifecycles,
  hookRuns,
  type Phase,
} from '../../../src/lifecycles/rollout/kinds.ts';
import { restoreServer } from '../controller/restores.ts';
import {
  isServerTrouble,
  type RuledKinds,
  type ServerTrouble,
  strikeServer,
} from '../controller/server-troubles.ts';
import { strikeDeletion } from './deletions.ts';
import type { Trouble } from './faults.ts';
import { changeHookPods, changeWorkloads } from './foreign-changes.ts';
import type { Gate } from './gate.ts';
import type { SimNodes } from './nodes.ts';
import { inPhase, isMomentTrouble, type MomentTrouble, strikeAtMoment } from './moments.ts';
import { doSomething, type People } from './people.ts';
import type { RolloutJudge } from './judge.ts';
import type { Replica } from './replica.ts';
import type { Workloads } from './sim-workloads.ts';

export interface Struck extends People {
  readonly gate: Gate;
  readonly nodes: SimNodes;
  readonly workloads: Workloads;
  readonly judge: RolloutJudge;
  readonly isFaulty: () => boolean;
  readonly replicas: readonly (Replica | null)[];
}

const LONGEST_MS = 45_000;

const KINDS: RuledKinds = {
  own: [deploymentLifecycles, hookRuns],
  created: [hookRuns, pods, configMaps, deployments],
  watched: [deploymentLifecycles, hookRuns, deployments, replicaSets, pods],
};

const BLOWS: Readonly<
  Record<Exclude<Trouble, ServerTrouble | MomentTrouble>, (struck: Struck) => void>
> = {
  /** The processes are disconnected from the server. */
  network: (struck) => {
    const ms = longMs(struck);
    struck.world.faults.met('network cut off');
    for (const each of struck.replicas) each?.host.cutOffFor(ms);
  },
  kills: (struck) => some(struck)?.kill(),
  replicas: strikeReplica,
  nodes: strikeNodes,
  webhook: (struck) => {
    const { world, gate } = struck;
    const ms = longMs(struck);
    gate.isDown = true;
    world.faults.met('webhook down');
    world.note(`the webhook is down for ${ms} ms`);
    world.after(ms, () => {
      gate.isDown = false;
    });
  },
  cluster: (struck) => {
    struck.world.faults.met('workload controllers suspended');
    struck.workloads.stopFor(longMs(struck));
  },
  users: doSomething,
  clocks: (struck) => {
    struck.world.faults.met('clock set');
    some(struck)?.host.setClock(struck.random.pick([-600_000, -5_000, 5_000, 600_000]));
  },
  deletions: strikeDeletion,
  restores: strikeRestore,
  mutations: strikeMutation,
  podMutations: changeHookPods,
  /** Faults of hooks and writers are drawn elsewhere, from their own random numbers. */
  hooks: () => {},
  writers: () => {},
};

export function strike(trouble: Trouble, struck: Struck): void {
  if (isServerTrouble(trouble)) strikeServer(trouble, { ...struck, kinds: KINDS });
  else if (isMomentTrouble(trouble)) strikeAtMoment(trouble, struck);
  else BLOWS[trouble](struck);
}

function longMs({ random }: Struck): number {
  return random.between(200, LONGEST_MS);
}

function some({ replicas, random }: Struck): Replica | null {
  return replicas[random.between(0, replicas.length - 1)] ?? null;
}

function strikeReplica(struck: Struck): void {
  const { random } = struck;
  const { faults } = struck.world;
  const replica = some(struck);
  const ms = longMs(struck);
  if (random.chance(0.3)) replica?.askToStop();
  else if (random.chance(0.5)) {
    faults.met('process suspended');
    replica?.host.stopFor(ms);
  } else {
    faults.met('replica cut off');
    replica?.host.cutOffFor(ms);
  }
}

/** Restores the server to a backup. The pods are not restored: they stay as on the nodes. */
function strikeRestore(struck: Struck): void {
  const { workloads, replicas, judge, hands, api } = struck;
  if (api.isRestoring) return;
  const restoreOlder = judge.gate.keep();
  const { wanted } = hands;
  const forgetRestore = api.onRestore(() => {
    forgetRestore();
    restoreOlder();
    hands.wanted = wanted;
    judge.forgetPods();
    workloads.start();
  });
  restoreServer({
    ...struck,
    kept: [pods, namespaces],
    cutOff: (ms) => {
      workloads.kill();
      for (const each of replicas) each?.host.cutOffFor(ms);
    },
    onCalledOff: () => {
      workloads.start();
    },
  });
}

/** Foreign webhooks matter most if the controller writes next. So most are added in phases in which it writes. */
function strikeMutation(struck: Struck): void {
  const { random } = struck;
  const phase = random.pick<Phase>(['Pre', 'Draining', 'Mid', 'Restoring', 'RollingBack']);
  if (random.chance(0.3)) inPhase(struck, ['Releasing'], changeWorkloads);
  else if (random.chance(0.6)) inPhase(struck, [phase], changeWorkloads);
  else changeWorkloads(struck);
}

function strikeNodes(struck: Struck): void {
  const { random, nodes, api } = struck;
  if (random.chance(0.5)) {
    nodes.lose(longMs(struck), random.chance(0.4));
    return;
  }
  const all = api.peek(pods);
  const pod = all[random.between(0, all.length - 1)];
  if (pod !== undefined) nodes.evict(pod);
}
