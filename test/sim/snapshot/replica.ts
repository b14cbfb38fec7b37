/** One process with the controllers of this lifecycle on a machine of its own, from its start to its death. */
import { EventRecorder } from '../../../src/controller/event-recorder.ts';
import { LeaseElection } from '../../../src/controller/lease.ts';
import { runManager } from '../../../src/controller/manager.ts';
import { SharedInformers } from '../../../src/controller/shared-informers.ts';
import type { KubeClient } from '../../../src/kube/client.ts';
import { makeSnapshotController } from '../../../src/lifecycles/snapshot/app/snapshot-controller.ts';
import type { SnapshotContext } from '../../../src/lifecycles/snapshot/context.ts';
import { makeHookController } from '../../../src/lifecycles/snapshot/hook/hook-controller.ts';
import type { SimApi } from '../controller/sim-api.ts';
import { makeSimClient, noNetworkFaults, type SimWrite } from '../controller/sim-client.ts';
import { SimHost } from '../controller/sim-host.ts';
import { makeSimWatch, noWatchFaults } from '../controller/sim-watch.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import type { Account, Command } from './account.ts';
import { networkTrouble, type Trouble, watchTrouble } from './faults.ts';
import { selecting } from './selecting-client.ts';
import type { HookPlan } from './scene.ts';
import { SimAccess } from './sim-access.ts';
import type { SimCluster } from './sim-cluster.ts';

/** Longer strokes than in production: every one of them is simulated. */
const LEASE = {
  namespace: 'system',
  name: 'lifehook',
  times: { durationMs: 15_000, renewDeadlineMs: 10_000, retryMs: 4_000 },
};

/** The world around it. */
export interface Surroundings {
  readonly world: World;
  readonly api: SimApi;
  readonly cluster: SimCluster;
  readonly account: Account;
  readonly planOf: (tag: string) => HookPlan;
  readonly has: (trouble: Trouble) => boolean;
  readonly isStuck: (pod: string) => boolean;
  readonly onSend: (command: Command) => void;
  readonly onWrite: (write: SimWrite) => void;
  /** A moment at which it may die. */
  readonly onMoment: (replica: Replica) => void;
}

export interface ReplicaOptions {
  readonly name: string;
  readonly random: Random;
  readonly rate: number;
  readonly skewMs: number;
  /** Whether others may run the same controllers. */
  readonly elected: boolean;
  readonly onEnd: (replica: Replica) => void;
}

export class Replica {
  readonly host: SimHost;
  readonly #around: Surroundings;
  readonly #options: ReplicaOptions;
  readonly #stop = new AbortController();
  readonly #access: { freezing: SimAccess; thawing: SimAccess };

  constructor(around: Surroundings, options: ReplicaOptions) {
    this.#around = around;
    this.#options = options;
    const { world } = around;
    const { name, rate, skewMs } = options;
    this.host = new SimHost({ name, world, rate, skewMs });
    this.#access = { freezing: this.#makeAccess('freezing'), thawing: this.#makeAccess('thawing') };
    world.note(`${name} starts`);
    void this.#live();
  }

  get isAlive(): boolean {
    return this.host.process.alive;
  }

  kill(): void {
    if (!this.isAlive) return;
    this.#around.world.note(`${this.host.name} is killed`);
    this.#die(this.#options.random.pick(['reset', 'reset', 'silence']));
  }

  /** In good order. */
  askToStop(): void {
    this.#around.world.note(`${this.host.name} is asked to stop`);
    this.#stop.abort();
  }

  /** Neither the server nor a container can be reached. */
  cutOffFor(ms: number): void {
    this.host.cutOffFor(ms);
    this.#breakOff('silence');
  }

  #breakOff(how: 'reset' | 'silence'): void {
    this.#access.freezing.breakOff(how);
    this.#access.thawing.breakOff(how);
  }

  #die(how: 'reset' | 'silence'): void {
    this.host.process.alive = false;
    this.#breakOff(how);
    this.#options.onEnd(this);
  }

  async #live(): Promise<void> {
    const { world } = this.#around;
    try {
      await this.#main();
    } catch (error) {
      const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
      world.violate('run', told);
    }
    if (!this.isAlive) return;
    world.note(`${this.host.name} has stopped`);
    this.#die('reset');
  }

  async #main(): Promise<void> {
    const { host } = this;
    const { random, elected } = this.#options;
    const client = this.#makeClient();
    const dice = random.fork('dice');
    const watch = makeSimWatch({
      api: this.#around.api,
      host,
      random: random.fork('watch'),
      faults: () => (this.#around.has('network') ? watchTrouble : noWatchFaults),
    });
    const informers = new SharedInformers({ watch });
    const platform = { client, platform: host, random: (): number => dice.fraction() };
    const context: SnapshotContext = {
      ...platform,
      informers,
      scope: {},
      groupSnapshots: true,
      recorder: new EventRecorder({ ...platform, client: deafClient(client), component: 'sim' }),
      freezing: this.#access.freezing.access,
      thawing: this.#access.thawing.access,
      observe: () => {},
      observeController: () => {},
    };
    const controllers = [makeHookController(context), makeSnapshotController(context)];
    const election = elected
      ? new LeaseElection({ ...platform, ...LEASE, identity: host.name })
      : null;
    await runManager({ informers, controllers, election, signal: this.#stop.signal });
  }

  #makeClient(): KubeClient {
    const { api, has, onWrite, onMoment } = this.#around;
    return selecting(
      makeSimClient({
        api,
        host: this.host,
        random: this.#options.random.fork('network'),
        faults: () => (has('network') ? networkTrouble : noNetworkFaults),
        onSend: (write) => {
          onWrite(write);
          onMoment(this);
        },
        onAnswer: () => {
          onMoment(this);
        },
      }),
    );
  }

  #makeAccess(pool: string): SimAccess {
    const { cluster, account, planOf, has, isStuck, onSend, onMoment } = this.#around;
    return new SimAccess({
      host: this.host,
      random: this.#options.random.fork(pool),
      cluster,
      account,
      planOf,
      onSend,
      isFaulty: () => has('exec'),
      isStuck,
      onMoment: () => {
        onMoment(this);
      },
    });
  }
}

/** Kubernetes Events are told on the side: nobody here looks at them. */
function deafClient(client: KubeClient): KubeClient {
  return {
    ...client,
    create: (_resource, object) => Promise.resolve(object),
    patch: <T>() => Promise.resolve({} as T),
  };
}
