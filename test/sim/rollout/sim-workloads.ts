/**
 * The local cluster's controllers of Deployments and ReplicaSets, which the rollout lifecycle holds back. They run in a
 * process that may be slow or stopped.
 */
import { runManager } from '../../../src/controller/manager.ts';
import { SharedInformers } from '../../../src/controller/shared-informers.ts';
import {
  type ControllerContext,
  makeDeploymentController,
  makeReplicaSetController,
} from '../../../packages/local-cluster/src/testing.ts';
import type { SimApi } from '../controller/sim-api.ts';
import { makeSimClient, noNetworkFaults } from '../controller/sim-client.ts';
import { SimHost } from '../controller/sim-host.ts';
import { makeSimWatch, noWatchFaults } from '../controller/sim-watch.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import { NotifyingRecorder } from './notifying-recorder.ts';

export interface SimWorkloadsOptions {
  readonly world: World;
  readonly api: SimApi;
  readonly random: Random;
  readonly isBehind: () => boolean;
}

const BEHIND = { relist: 0.01, repeat: 0.02, lag: 0.05 };

/** The process of these controllers, which may be killed and restarted. */
export class Workloads {
  readonly #options: SimWorkloadsOptions;
  #host: SimHost;
  #starts = 0;

  constructor(options: SimWorkloadsOptions) {
    this.#options = options;
    this.#host = startWorkloads(options);
  }

  stopFor(ms: number): void {
    this.#host.stopFor(ms);
  }

  /** Calls `act` now, or when the suspended process resumes. If the process was killed, calls it at once. */
  whenRunning(act: () => void): void {
    if (this.#host.process.alive) this.#host.deliver(act);
    else act();
  }

  kill(): void {
    this.#host.process.alive = false;
  }

  start(): void {
    this.kill();
    this.#starts += 1;
    const random = this.#options.random.fork(`start ${this.#starts}`);
    this.#host = startWorkloads({ ...this.#options, random });
  }
}

/** Starts the controllers, and returns the host of their process. */
function startWorkloads({ world, api, random, isBehind }: SimWorkloadsOptions): SimHost {
  const host = new SimHost({ name: 'workloads', world, rate: 1, skewMs: 0 });
  const network = random.fork('network');
  const client = makeSimClient({
    api,
    host,
    random: network,
    faults: () => noNetworkFaults,
    isSpared: true,
  });
  const watch = makeSimWatch({
    api,
    host,
    random: random.fork('watch'),
    faults: () => (isBehind() ? BEHIND : noWatchFaults),
  });
  const dice = random.fork('dice');
  const platform = { platform: host, random: (): number => dice.fraction() };
  const informers = new SharedInformers({ watch });
  const context = {
    ...platform,
    client,
    informers,
    recorder: new NotifyingRecorder({ ...platform, client, component: 'sim' }, () => {}),
    stateFolder: '',
    // The two controllers use neither files nor processes, so the context has none.
  } as unknown as ControllerContext;
  const controllers = [makeDeploymentController(context), makeReplicaSetController(context)];
  const { signal } = new AbortController();
  runManager({ informers, controllers, election: null, signal }).catch((error: unknown) => {
    const reported = error instanceof Error ? (error.stack ?? error.message) : String(error);
    world.violate('CTRL-S6', reported);
  });
  return host;
}
