import type { KubeClient } from '../../../src/kube/client.ts';
import { Random } from '../random.ts';
import { World } from '../world.ts';
import { SimApi } from './sim-api.ts';
import { makeSimClient, type NetworkFaults, noNetworkFaults, type SimWrite } from './sim-client.ts';
import { SimHost } from './sim-host.ts';

/** A host with an API server for hand-written tests. No fault happens unless the test requests it. */
export class SimBench {
  readonly world: World = new World();
  readonly api: SimApi = new SimApi(() => this.world.wallMs);
  readonly host: SimHost = this.makeHost('host');
  readonly client: KubeClient = this.makeClient(this.host);
  faults: NetworkFaults = noNetworkFaults;
  /** Number of write requests that were sent. */
  writes: number = 0;
  /** Called with each write before the network decides its fate. */
  onWrite: (write: SimWrite) => void = () => {};

  makeHost(
    name: string,
    { rate = 1, skewMs = 0 }: { rate?: number; skewMs?: number } = {},
  ): SimHost {
    return new SimHost({ name, world: this.world, rate, skewMs });
  }

  makeClient(host: SimHost): KubeClient {
    return makeSimClient({
      api: this.api,
      host,
      random: new Random(1),
      faults: () => this.faults,
      onSend: (write) => {
        this.writes += 1;
        this.onWrite(write);
      },
    });
  }

  /** Lets simulated time pass until the promise settles. */
  async until<T>(work: Promise<T>): Promise<T> {
    let over = false;
    const watch = (): void => {
      over = true;
    };
    work.then(watch, watch);
    if (!(await this.world.runUntil(() => over, 100_000))) throw new Error('it never ends');
    return work;
  }

  async pass(ms: number): Promise<void> {
    let over = false;
    this.world.after(ms, () => (over = true));
    await this.world.runUntil(() => over, 100_000);
  }
}
