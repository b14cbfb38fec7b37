import type { Container, Pod, PodSpec, PodStatus } from 'kubernetes-types/core/v1.js';

import { fromLabels } from '../../../src/platform/container-labels.ts';
import { PodWorker } from '../../../src/lifecycles/pod/drive.ts';
import type { PodEvent, PodHost } from '../../../src/lifecycles/pod/pod-host.ts';
import type { HttpAnswer, HttpRequest } from '../../../src/platform/platform.ts';
import { DisturbedLedger } from '../disturbed-ledger.ts';
import { type SimProcess, World } from '../world.ts';
import { bareSpec } from './bare-spec.ts';
import { type Program, SimRuntime } from './sim-runtime.ts';

export interface BenchOptions {
  readonly spec?: Partial<PodSpec>;
  readonly containers: readonly Partial<Container>[];
  readonly programs?: Readonly<Record<string, Program>>;
  readonly annotations?: Record<string, string>;
  readonly sleepEnabled?: boolean;
  readonly httpGet?: (request: HttpRequest) => Promise<HttpAnswer>;
  /** Error because of which no container can be started at present; null: containers can be started. */
  readonly missing?: () => Error | null;
  /** Time that the node takes to gather the dependencies of a container, in seconds. */
  readonly preparesFor?: number;
}

/** One pod on a simulated node. Its pod worker is the product's code. Its containers and its time are simulated. */
export class PodBench {
  readonly world: World = new World();
  readonly runtime: SimRuntime;
  readonly ledger: DisturbedLedger = new DisturbedLedger();
  readonly events: string[] = [];
  /** Reasons of the Warning events. */
  readonly warnings: Set<string> = new Set();
  readonly statuses: PodStatus[] = [];
  readonly #options: BenchOptions;
  #node: SimProcess;
  pod: Pod;
  worker: PodWorker;

  constructor(options: BenchOptions) {
    this.#options = options;
    this.runtime = new SimRuntime(this.world, options.programs ?? {});
    this.#node = this.world.spawn();
    this.pod = podOf(options);
    this.worker = this.#begin();
  }

  get status(): PodStatus {
    return this.statuses.at(-1) ?? {};
  }

  get seen(): readonly string[] {
    return this.runtime.seen;
  }

  /** Lets simulated time pass. */
  async pass(seconds: number): Promise<void> {
    let over = false;
    this.world.after(seconds * 1_000, () => {
      over = true;
    });
    await this.world.runUntil(() => over, 100_000);
  }

  /**
   * Sets the deletion timestamp as the API server does. A second call with a shorter grace period makes the deadline
   * earlier.
   */
  delete(graceSeconds: number): void {
    const end = Math.floor(this.world.wallMs / 1_000 + graceSeconds) * 1_000;
    const metadata = {
      ...this.pod.metadata,
      deletionTimestamp: new Date(end).toISOString(),
      deletionGracePeriodSeconds: graceSeconds,
    };
    this.pod = { ...this.pod, metadata };
    this.worker.update(this.pod);
  }

  /** Kills the node's process. Its successor starts at once and adopts the running containers. */
  restartNode(): void {
    this.#node.alive = false;
    this.#node = this.world.spawn();
    this.pod = { ...this.pod, status: this.status };
    this.worker = this.#begin();
  }

  #begin(): PodWorker {
    const { httpGet, sleepEnabled = true } = this.#options;
    const node = this.#node;
    const alive = <T>(act: () => T): T | Promise<never> =>
      node.alive ? act() : new Promise<never>(() => {});
    const host: PodHost = {
      platform: {
        clock: this.world.clockOf(),
        timers: this.world.timersOf(node),
        processes: {
          spawn: () => {
            throw new Error('pods start no host processes');
          },
        },
        network: {
          httpGet: httpGet ?? (() => Promise.reject(new Error('connect ECONNREFUSED'))),
          tcpConnect: () => Promise.reject(new Error('connect ECONNREFUSED')),
        },
      },
      runtime: this.runtime,
      ledger: {
        read: (runId) => alive(() => this.ledger.read(runId)),
        append: (record) => alive(() => this.ledger.append(record)),
      },
      podIp: '127.10.0.1',
      sleepEnabled,
      prepare: async ({ id, labels, container }) => {
        const { preparesFor = 0 } = this.#options;
        if (preparesFor > 0) {
          await new Promise<void>((done) => {
            this.world.after(preparesFor * 1_000, done);
          });
        }
        const missing = this.#options.missing?.() ?? null;
        if (missing !== null) throw missing;
        return bareSpec({ id, labels, image: container.image ?? '' });
      },
      event: ({ type, reason, message, container = '' }: PodEvent) => {
        if (!node.alive) return;
        this.events.push(`${reason} ${container}: ${message}`);
        if (type === 'Warning') this.warnings.add(reason);
      },
    };
    return new PodWorker({
      pod: this.pod,
      host,
      hostIp: '127.0.0.1',
      found: [...this.runtime.containers.values()].flatMap((container) => {
        const identity = fromLabels(container.labels);
        return identity === null ? [] : [{ identity, container }];
      }),
      report: (status) => {
        if (node.alive) this.statuses.push(status);
      },
    });
  }
}

function podOf({ spec, containers, annotations }: BenchOptions): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'pod',
      namespace: 'default',
      uid: 'u',
      ...(annotations === undefined ? {} : { annotations }),
    },
    spec: {
      ...spec,
      terminationGracePeriodSeconds: spec?.terminationGracePeriodSeconds ?? 30,
      containers: containers.map((container, index) => ({ name: `c${index}`, ...container })),
    },
  };
}
