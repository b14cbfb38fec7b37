/** The controllers with a hand-written scene. No fault happens unless the test injects it. */
import type { ApplicationSnapshot } from '../../../src/lifecycles/snapshot/kinds.ts';
import { applicationSnapshots } from '../../../src/lifecycles/snapshot/kinds.ts';
import type { ElectionKind } from '../controller/replicas.ts';
import { SimApi } from '../controller/sim-api.ts';
import { Random } from '../random.ts';
import { World } from '../world.ts';
import { Account, type Command } from './account.ts';
import { USUAL_DRIVER } from './drivers.ts';
import { collectGarbage } from './garbage.ts';
import { HookViews } from './hook-views.ts';
import { type ChangeClient, Replica } from './replica.ts';
import type { HookPlan } from './hook-plans.ts';
import type { Scene, SnapshotPlan } from './scene.ts';
import { scheduleAsking, setUp } from './set-up.ts';
import { NAMESPACE, type PodPlan, SimCluster } from './sim-cluster.ts';
import { Snapshotter } from './snapshotter.ts';

const MAX_EVENTS = 200_000;

export const POD: PodPlan = {
  name: 'p0',
  labels: { app: 'app-0' },
  node: 'n0',
  lock: 'flag',
  containers: ['db'],
  claims: ['c0'],
};

/** Plan of the only hook of the only snapshot. */
export const HOOK: HookPlan = {
  tag: 's0.0',
  lock: 'flag',
  probed: false,
  held: false,
  thaws: true,
  outlives: false,
  actions: {
    preAction: { exec: { command: ['freeze', 's0.0'] } },
    postAction: { exec: { command: ['thaw', 's0.0'] } },
  },
  targets: { podContainerNamesList: [{ podName: 'p0', containerNames: ['db'] }] },
};

/** HOOK, but with a session and a probe. */
export const HELD_HOOK: HookPlan = {
  ...HOOK,
  probed: true,
  held: true,
  actions: {
    preAction: {
      session: { freeze: ['freeze', 's0.0'], thaw: ['thaw', 's0.0'], windowSeconds: 4 },
    },
    probe: { exec: { command: ['probe', 's0.0'] }, timeoutSeconds: 3 },
  },
};

function sceneOf(hook: HookPlan): Scene {
  const snapshot: SnapshotPlan = {
    name: 's0',
    claims: ['c0'],
    mode: 'Single',
    storage: 'usual',
    hooks: [hook],
    cutDeadlineSeconds: undefined,
    atMs: 0,
  };
  return { pods: [POD], snapshots: [snapshot], hooks: [] };
}

interface StandOptions {
  readonly replicas: number;
  readonly hook?: HookPlan;
  readonly changeClient?: ChangeClient;
}

export class SnapshotStand {
  readonly world: World = new World();
  readonly api: SimApi = new SimApi(() => this.world.wallMs);
  readonly cluster: SimCluster = new SimCluster(this.world, this.api);
  readonly account: Account = new Account(this.world);
  readonly views: HookViews = new HookViews(this.api, () => this.world.elapsedMs);
  readonly replicas: Replica[];
  /** Called when a controller sends a command. */
  onSend: (command: Command) => void = () => {};
  readonly #hook: HookPlan;
  readonly #changeClient: ChangeClient;

  constructor({ replicas, hook = HOOK, changeClient = (client) => client }: StandOptions) {
    this.#hook = hook;
    this.#changeClient = changeClient;
    const { world, api, cluster, account } = this;
    const random = new Random(1);
    const scene = sceneOf(hook);
    setUp({ api, cluster, random }, scene);
    void new Snapshotter({
      world,
      api,
      random,
      cluster,
      account,
      kindOf: () => 'usual',
      claimsOf: () => [],
      driverOf: () => USUAL_DRIVER,
      clockSkewMs: 0,
      hasStrangers: false,
      admits: async () => true,
    });
    collectGarbage(world, api);
    scheduleAsking({ world, api, cluster }, scene);
    const names = Array.from({ length: replicas }, (_, index) => `r${index}`);
    this.replicas = names.map((name) => this.#start(name, replicas > 1 ? 'wait' : null));
  }

  get snapshot(): ApplicationSnapshot | undefined {
    const key = { namespace: NAMESPACE, name: 's0' };
    return this.api.find(applicationSnapshots, key) as ApplicationSnapshot | undefined;
  }

  /** Kills all controllers, and starts another one after `ms` milliseconds. */
  replaceAfter(ms: number): void {
    for (const replica of this.replicas) replica.kill();
    const name = `r${this.replicas.length}`;
    this.world.after(ms, () => {
      this.replicas.push(this.#start(name, null));
    });
  }

  /** Lets time pass until `isSo` returns true. Throws if that takes longer than `withinMs`. */
  async eventually(isSo: () => boolean, withinMs: number = 300_000): Promise<void> {
    let late = false;
    this.world.after(withinMs, () => (late = true));
    await this.world.runUntil(() => isSo() || late, MAX_EVENTS);
    if (!isSo()) throw new Error(`not within ${withinMs} ms`);
  }

  #start(name: string, election: ElectionKind): Replica {
    const { world, api, cluster, account } = this;
    const around = {
      world,
      api,
      cluster,
      account,
      planOf: () => this.#hook,
      has: () => false,
      phasesOf: () => [],
      isStuck: () => false,
      onSend: (command: Command) => {
        this.onSend(command);
      },
      changeClient: this.#changeClient,
      onWrite: () => {},
      views: () => ({ answered: () => {}, unread: () => {} }),
      onMoment: () => {},
    };
    const random = new Random(1).fork(name);
    return new Replica(around, { name, random, rate: 1, skewMs: 0, election, onEnd: () => {} });
  }
}
