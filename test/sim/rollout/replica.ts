/** One process with the controllers of this lifecycle on a machine of its own, from its start to its death. */
import type { Note } from '../../../src/controller/event-correlator.ts';
import { LeaseElection } from '../../../src/controller/lease.ts';
import { runManager } from '../../../src/controller/manager.ts';
import { SharedInformers } from '../../../src/controller/shared-informers.ts';
import type { KubeClient } from '../../../src/kube/client.ts';
import { rolloutControllers } from '../../../src/lifecycles/rollout/controllers.ts';
import { proveWith } from '../../../src/lifecycles/rollout/gate/write-proof.ts';
import { sleep } from '../../../src/platform/sleep.ts';
import type { SimApi } from '../controller/sim-api.ts';
import { makeSimClient, noNetworkFaults, type SimWrite } from '../controller/sim-client.ts';
import { SimHost } from '../controller/sim-host.ts';
import { makeSimWatch, noWatchFaults } from '../controller/sim-watch.ts';
import type { Random } from '../random.ts';
import { selecting } from '../snapshot/selecting-client.ts';
import type { World } from '../world.ts';
import { networkTrouble, type Trouble, watchTrouble } from './faults.ts';
import { KEY } from './gate.ts';
import { HeardRecorder } from './heard-recorder.ts';

/** Longer strokes than in production: every one of them is simulated. */
const LEASE = {
  namespace: 'system',
  name: 'lifehook',
  times: { durationMs: 15_000, renewDeadlineMs: 10_000, retryMs: 4_000 },
};

/** Somebody else has begun anew when it comes: so often, since it takes more than that to do harm. */
const LINGERING = 0.7;

/** The world around it. */
export interface Surroundings {
  readonly world: World;
  readonly api: SimApi;
  readonly has: (trouble: Trouble) => boolean;
  readonly hasWebhook: boolean;
  readonly onNote: (note: Note) => void;
  /** A moment at which it may die; null: an answer has come. */
  readonly onMoment: (replica: Replica, write: SimWrite | null) => void;
  /** A write of it is on its way; it may be its last. */
  readonly onWrite: (write: SimWrite) => void;
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

  constructor(around: Surroundings, options: ReplicaOptions) {
    this.#around = around;
    this.#options = options;
    const { world } = around;
    const { name, rate, skewMs } = options;
    this.host = new SimHost({ name, world, rate, skewMs });
    world.note(`${name} starts`);
    void this.#live();
  }

  get isAlive(): boolean {
    return this.host.process.alive;
  }

  kill(): void {
    if (!this.isAlive) return;
    this.#around.world.note(`${this.host.name} is killed`);
    this.#die();
  }

  /** In good order. */
  askToStop(): void {
    this.#around.world.note(`${this.host.name} is asked to stop`);
    this.#stop.abort();
  }

  #die(): void {
    this.host.process.alive = false;
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
    this.#die();
  }

  async #main(): Promise<void> {
    const { host } = this;
    const { random, elected } = this.#options;
    const { api, has, hasWebhook, onNote } = this.#around;
    const client = this.#makeClient();
    const dice = random.fork('dice');
    const watch = makeSimWatch({
      api,
      host,
      random: random.fork('watch'),
      faults: () => (has('network') ? watchTrouble : noWatchFaults),
    });
    const informers = new SharedInformers({ watch });
    const platform = { client, platform: host, random: (): number => dice.fraction() };
    const controllers = rolloutControllers({
      ...platform,
      informers,
      scope: {},
      recorder: new HeardRecorder({ ...platform, component: 'sim' }, onNote),
      prove: hasWebhook ? proveWith(KEY) : null,
      readLogTail: () => readLog(host, dice),
      observe: () => {},
      observeController: (event) => {
        if (event.type !== 'PassEnded') return;
        this.#around.world.note(`${host.name}: a pass ends: ${JSON.stringify(event)}`);
      },
    });
    const election = elected
      ? new LeaseElection({ ...platform, ...LEASE, identity: host.name })
      : null;
    await runManager({ informers, controllers, election, signal: this.#stop.signal });
  }

  #makeClient(): KubeClient {
    const { api, has, onMoment, onWrite } = this.#around;
    return selecting(
      makeSimClient({
        api,
        host: this.host,
        random: this.#options.random.fork('network'),
        faults: () => (has('network') ? networkTrouble : noNetworkFaults),
        lingering: LINGERING,
        onSend: (write) => {
          onMoment(this, write);
          onWrite(write);
        },
        onAnswer: () => {
          onMoment(this, null);
        },
      }),
    );
  }
}

const SLOW_LOG_MS = 5_000;

async function readLog({ timers }: SimHost, dice: Random): Promise<string> {
  switch (dice.pick(['empty', 'lines', 'lines', 'refused', 'slow'])) {
    case 'empty':
      return '';
    case 'refused':
      throw new Error('the log is gone');
    case 'slow':
      await sleep(timers, SLOW_LOG_MS);
      return 'late';
    default:
      return 'one line\nanother\n';
  }
}
