/**
 * One life of the node, until it is killed: the interfaces by which its process reaches the simulated world. Calls
 * through them take time and fail at random. Containers and records outlive the process.
 */
import type { Ledger } from '../../../src/engine/ledger.ts';
import type { RunRecord } from '../../../src/model/attempt.ts';
import {
  type ContainerRuntime,
  type ContainerSpec,
  type RunningContainer,
  StartError,
} from '../../../src/platform/container-runtime.ts';
import { fromLabels } from '../../../src/platform/container-labels.ts';
import type { FoundContainer } from '../../../src/lifecycles/pod/drive.ts';
import type { PodEvent, PodHost, Preparing } from '../../../src/lifecycles/pod/pod-host.ts';
import type { HttpAnswer, HttpRequest, TcpTarget } from '../../../src/platform/platform.ts';
import type { Fault } from '../faults.ts';
import type { Random } from '../random.ts';
import type { SimProcess, World } from '../world.ts';
import { bareSpec } from './bare-spec.ts';
import type { NodeDisk } from './node-disk.ts';
import type { References } from './references.ts';
import type { SimRuntime } from './sim-runtime.ts';

export interface NodeOptions {
  readonly world: World;
  readonly process: SimProcess;
  readonly random: Random;
  readonly runtime: SimRuntime;
  readonly ledger: Ledger;
  readonly disk: NodeDisk;
  readonly references: References;
  readonly faulty: () => boolean;
  /** Current phases of a container. */
  readonly phasesOf: (container: string) => readonly string[];
  /** Called when a start is in progress but has no process yet. Returns the function to call at its end. */
  readonly onPending: (container: string) => () => void;
  /** Called when a start has failed because of a missing object, so that there is no process. */
  readonly onStartFailed: (container: string) => void;
  /** Called when a start is requested. */
  readonly onStart: (spec: ContainerSpec) => void;
  readonly onRecord: (record: RunRecord) => void;
  readonly onLedgerFailure: () => void;
  readonly onEvent: (event: PodEvent) => void;
  /** Called when a probe connects. Returns null if the container no longer exists. */
  readonly onConnect: (target: TcpTarget) => Connecting | null;
  /** Called when an HTTP hook begins. Returns the function to call at its end. */
  readonly onRequest: (
    container: string,
    called: { readonly point: string; readonly url: string },
  ) => (ok: boolean, cut: boolean) => void;
}

export interface Connecting {
  readonly container: string;
  /** Kind of the probe. */
  readonly kind: string;
  readonly onEnd: (ok: boolean) => void;
}

const ANSWER: HttpAnswer = {
  status: 200,
  location: null,
  body: '',
  bodyBytes: 0,
  bodyTruncated: false,
};

export class SimNode {
  readonly #options: NodeOptions;
  readonly #wrapped = new Map<string, RunningContainer>();
  readonly #slowStart: Fault;
  /** Containers whose start was requested, but that do not exist yet. */
  readonly #starting = new Map<string, ContainerSpec>();

  constructor(options: NodeOptions) {
    this.#options = options;
    this.#slowStart = options.world.faults.of('start slow');
  }

  get process(): SimProcess {
    return this.#options.process;
  }

  get host(): PodHost {
    const { world, process, onEvent } = this.#options;
    return {
      platform: {
        clock: world.clockOf(),
        timers: world.timersOf(process),
        processes: {
          spawn: () => {
            throw new Error('pods start no host processes');
          },
        },
        network: {
          httpGet: (request) => this.#httpGet(request),
          tcpConnect: (target) => this.#tcpConnect(target),
        },
      },
      runtime: this.#runtime,
      ledger: this.#ledger,
      podIp: '127.10.0.1',
      sleepEnabled: true,
      prepare: (preparing) => this.#prepare(preparing),
      event: (event) => {
        if (process.alive) onEvent(event);
      },
    };
  }

  /** All containers on the node, running or exited. */
  found(): FoundContainer[] {
    return [...this.#options.runtime.containers.values()].flatMap((container) => {
      const identity = fromLabels(container.labels);
      return identity === null ? [] : [{ identity, container: this.#wrap(container) }];
    });
  }

  /** Kills the node as `kill -9` does. A start in progress may have happened or not. */
  kill(): void {
    const { process, random, runtime } = this.#options;
    process.alive = false;
    for (const spec of this.#starting.values()) {
      const hasBegun = random.chance(0.5) && !this.#options.disk.isFull;
      if (hasBegun) runtime.start(spec).catch(() => {});
    }
  }

  get #runtime(): ContainerRuntime {
    const { runtime } = this.#options;
    return {
      name: runtime.name,
      setsLimits: runtime.setsLimits,
      start: (spec) => this.#start(spec),
      list: async () => this.found().map(({ container }) => container),
      get: (id) => {
        const container = runtime.get(id);
        return container === undefined ? undefined : this.#wrap(container);
      },
    };
  }

  async #start(spec: ContainerSpec): Promise<RunningContainer> {
    const { random, runtime, faulty, onStart, onPending, phasesOf, process } = this.#options;
    if (!process.alive) return never();
    onStart(spec);
    const reportEnd = onPending(spec.labels['container'] ?? '');
    this.#starting.set(spec.id, spec);
    const phases = (): readonly string[] => phasesOf(spec.labels['container'] ?? '');
    const isSlow = faulty() && this.#slowStart.chance(random, 0.1, phases);
    await this.#pass(isSlow ? random.fraction() * 2_000 : 1);
    this.#starting.delete(spec.id);
    reportEnd();
    const failure = this.#options.disk.failure('log of the container');
    if (failure === null) return this.#wrap(await runtime.start(spec));
    this.#options.onStartFailed(spec.labels['container'] ?? '');
    throw failure;
  }

  async #prepare({ id, labels, container }: Preparing): Promise<ContainerSpec> {
    const { random, faulty, onPending, phasesOf, disk, references, onStartFailed } = this.#options;
    const { faults } = this.#options.world;
    const { name } = container;
    const phases = (): readonly string[] => phasesOf(name);
    const reportEnd = onPending(name);
    const isSlow = faulty() && faults.of('preparation slow', name).chance(random, 0.2, phases);
    await this.#pass(isSlow ? random.fraction() * 2_000 : 1);
    const fails = faulty() && faults.of('preparation fails', name).chance(random, 0.05, phases);
    reportEnd();
    const failure =
      disk.failure('volume') ?? references.missing ?? (fails ? missing(random) : null);
    if (failure === null) return bareSpec({ id, labels, image: container.image ?? '' });
    onStartFailed(name);
    throw failure;
  }

  get #ledger(): Ledger {
    const { world, ledger, disk, random, faulty, onRecord, onLedgerFailure } = this.#options;
    return {
      read: async (runId) => {
        await this.#pass(random.fraction() * 3);
        return ledger.read(runId);
      },
      append: async (record) => {
        await this.#pass(random.fraction() * 3);
        const fails = faulty() && world.faults.of('record fails').chance(random, 0.03);
        if (fails || disk.isFull) {
          onLedgerFailure();
          throw new Error('ENOSPC: simulated');
        }
        await ledger.append(record);
        onRecord(record);
      },
    };
  }

  async #httpGet({ url, signal }: HttpRequest): Promise<HttpAnswer> {
    const { runtime, onRequest, world } = this.#options;
    const [, point = '', name = ''] = new URL(url).pathname.split('/');
    const container = [...runtime.containers.values()].find(
      ({ labels, end }) => labels['container'] === name && end === null,
    );
    if (container === undefined) throw new Error('connect ECONNREFUSED');
    world.note(`${name} is asked for ${point} over HTTP`);
    const reportEnd = onRequest(name, { point, url });
    const { takes, exitCode = 0 } = container.callOf(point);
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', resolve);
      if (takes !== Infinity) world.after(takes * 1_000, resolve);
    });
    if (!this.process.alive) return never();
    const ok = !signal.aborted && exitCode === 0;
    reportEnd(ok, signal.aborted);
    if (!ok) throw new Error(signal.aborted ? 'aborted' : 'connect ECONNREFUSED');
    return ANSWER;
  }

  async #tcpConnect(target: TcpTarget): Promise<void> {
    const { runtime, onConnect, world } = this.#options;
    const { signal } = target;
    const connecting = onConnect(target);
    const container = [...runtime.containers.values()].find(
      ({ labels, end }) => labels['container'] === connecting?.container && end === null,
    );
    if (connecting === null || container === undefined) throw new Error('connect ECONNREFUSED');
    const { takes, exitCode = 0 } = container.callOf(connecting.kind);
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', resolve);
      world.after(takes * 1_000, resolve);
    });
    if (!this.process.alive) return never();
    const ok = !signal.aborted && exitCode === 0;
    connecting.onEnd(ok);
    if (!ok) throw new Error(signal.aborted ? 'aborted' : 'connect ECONNREFUSED');
  }

  /** The container as this life of the node sees it. After the node was killed, its calls never settle. */
  #wrap(real: RunningContainer): RunningContainer {
    const known = this.#wrapped.get(real.id);
    if (known !== undefined) return known;
    const { process } = this.#options;
    const { id, labels, pid, imageId, startedAtMs, logPath } = real;
    const whileAlive = <T>(act: () => Promise<T>): Promise<T> =>
      process.alive ? act() : never<T>();
    const wrapped: RunningContainer = {
      id,
      labels,
      pid,
      imageId,
      startedAtMs,
      logPath,
      get end() {
        return real.end;
      },
      ended: real.ended.then((end) => (process.alive ? end : never())),
      signal: (signal) => whileAlive(() => real.signal(signal)),
      kill: () => whileAlive(() => real.kill()),
      exec: (spec) => real.exec(spec),
      attach: () => real.attach(),
      remove: () => whileAlive(() => real.remove()),
    };
    this.#wrapped.set(id, wrapped);
    return wrapped;
  }

  #pass(ms: number): Promise<void> {
    const { world, process } = this.#options;
    return new Promise((resolve) => {
      world.timersOf(process).after(ms, resolve);
    });
  }
}

function missing(random: Random): StartError {
  const reason = random.pick(['CreateContainerConfigError', 'ErrImageNeverPull'] as const);
  return new StartError(reason, 'configmap "settings" not found');
}

function never<T>(): Promise<T> {
  return new Promise<T>(() => {});
}
