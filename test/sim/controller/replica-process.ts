/** One process that runs controllers on its own machine, from its start to its exit. */
import type { Controller } from '../../../src/controller/controller.ts';
import { LeaseElection, LeaseHeld } from '../../../src/controller/lease.ts';
import { runManager } from '../../../src/controller/manager.ts';
import { SharedInformers } from '../../../src/controller/shared-informers.ts';
import type { KubeClient } from '../../../src/kube/client.ts';
import type { Random } from '../random.ts';
import type { ElectionKind } from './replicas.ts';
import { selecting } from './selecting-client.ts';
import type { SimApi } from './sim-api.ts';
import {
  makeSimClient,
  type NetworkFaults,
  noNetworkFaults,
  type SimClientOptions,
} from './sim-client.ts';
import type { SimHost } from './sim-host.ts';
import { makeSimWatch, noWatchFaults } from './sim-watch.ts';
import { watchTrouble } from './troubles.ts';

/**
 * Times of the Lease: those of production, but with longer pauses between renewals, because every renewal costs
 * simulated events.
 */
const LEASE = {
  namespace: 'system',
  name: 'lifehook',
  times: { durationMs: 15_000, renewDeadlineMs: 10_000, retryMs: 4_000 },
};

/** Dependencies of the controllers of a process. */
export interface ReplicaWorld {
  readonly client: KubeClient;
  readonly platform: SimHost;
  readonly random: () => number;
  readonly informers: SharedInformers;
}

export interface ReplicaProcessOptions {
  readonly host: SimHost;
  readonly api: SimApi;
  readonly random: Random;
  readonly election: ElectionKind;
  readonly hasNetworkTrouble: () => boolean;
  readonly networkTrouble: NetworkFaults;
  readonly client: Pick<
    SimClientOptions,
    'lingering' | 'onSend' | 'onAnswer' | 'onRefusal' | 'onUnread'
  >;
  readonly controllers: (world: ReplicaWorld, dice: Random) => readonly Controller[];
  /** Called when the process was killed or has stopped. */
  readonly onEnd: (end: 'killed' | 'stopped') => void;
}

export class ReplicaProcess {
  readonly #options: ReplicaProcessOptions;
  readonly #stop = new AbortController();

  constructor(options: ReplicaProcessOptions) {
    this.#options = options;
    const { name, world } = options.host;
    world.note(`${name} starts`);
    void this.#live();
  }

  kill(): void {
    const { host } = this.#options;
    if (!host.process.alive) return;
    host.world.faults.met('process killed');
    host.world.note(`${host.name} is killed`);
    this.#end('killed');
  }

  /** Stops the process as SIGTERM does. */
  askToStop(): void {
    const { host } = this.#options;
    host.world.faults.met('process terminated');
    host.world.note(`${host.name} is asked to stop`);
    this.#stop.abort();
  }

  #end(end: 'killed' | 'stopped'): void {
    this.#options.host.process.alive = false;
    this.#options.onEnd(end);
  }

  async #live(): Promise<void> {
    const { host } = this.#options;
    try {
      await this.#main();
    } catch (error) {
      if (!(error instanceof LeaseHeld)) this.#violate(error);
      else host.world.note(`${host.name} is refused: ${error.message}`);
    }
    if (!host.process.alive) return;
    host.world.note(`${host.name} has stopped`);
    this.#end('stopped');
  }

  #violate(error: unknown): void {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#options.host.world.violate('CTRL-S6', message);
  }

  async #main(): Promise<void> {
    const { host, api, random, election, hasNetworkTrouble, controllers } = this.#options;
    const dice = random.fork('dice');
    const watch = makeSimWatch({
      api,
      host,
      random: random.fork('watch'),
      faults: () => (hasNetworkTrouble() ? watchTrouble : noWatchFaults),
    });
    const informers = new SharedInformers({ watch });
    const client = this.#makeClient();
    const world = { client, platform: host, random: (): number => dice.fraction(), informers };
    await runManager({
      informers,
      controllers: controllers(world, dice),
      election:
        election === null
          ? null
          : new LeaseElection({ ...world, ...LEASE, identity: host.name, whenHeld: election }),
      signal: this.#stop.signal,
    });
  }

  #makeClient(): KubeClient {
    const { host, api, random, client, hasNetworkTrouble, networkTrouble } = this.#options;
    return selecting(
      makeSimClient({
        ...client,
        api,
        host,
        random: random.fork('network'),
        faults: () => (hasNetworkTrouble() ? networkTrouble : noNetworkFaults),
      }),
    );
  }
}
