/** Owns the resources that stay open between iterations: forwarded ports, log tails, and the watch of the pods. */
import type { Pod } from 'kubernetes-types/core/v1.js';

import { Informer } from '../../../controller/informer.ts';
import { listWatch } from '../../../kube/list-watch.ts';
import { pods } from '../../../kube/resources.ts';
import { LinkedSignal } from '../../../platform/linked-signal.ts';
import type { CancelSignal } from '../../../platform/platform.ts';
import { forwardPorts } from '../forward/forward-ports.ts';
import { tailLogs } from '../logs/tail-logs.ts';
import type { Deployed, KubeTarget, PhaseFailure, PipelineSession } from '../session.ts';
import { runsProcesses } from '../sync/container-root.ts';

export interface Wanted {
  readonly forwardPorts: boolean;
  readonly tailLogs: boolean;
  /** Called on each change of a pod, since the pod may have lost synced files. */
  readonly onPods: () => void;
}

export class DevResources implements AsyncDisposable {
  readonly #wanted: Wanted;
  #ports: AsyncDisposable | null = null;
  #logs: AsyncDisposable | null = null;
  #pods: PodWatch | null = null;
  #of: Deployed | null = null;

  constructor(wanted: Wanted) {
    this.#wanted = wanted;
  }

  /** The deployed pods as last observed; empty if they are not watched. */
  get pods(): readonly Pod[] {
    return this.#pods?.pods ?? [];
  }

  /**
   * Opens what is not open yet. Ports stay open over deployments, as each connection finds a current pod. null:
   * everything is open.
   */
  async open(session: PipelineSession, deployed: Deployed): Promise<PhaseFailure | null> {
    if (this.#wanted.forwardPorts && this.#ports === null) {
      const opened = await forwardPorts(session, deployed);
      if (opened.outcome !== 'Succeeded') return opened;
      this.#ports = opened.value;
    }
    if (this.#wanted.tailLogs && this.#of !== deployed) {
      const isFirst = this.#of === null;
      await this.#logs?.[Symbol.asyncDispose]();
      const sinceMs = session.platform.clock.nowMs();
      this.#logs = tailLogs(session, deployed, isFirst ? {} : { sinceMs });
    }
    await this.#followPods(session, deployed);
    this.#of = deployed;
    return null;
  }

  async #followPods(
    { config, target, hooks: { signal } }: PipelineSession,
    { namespaces }: Deployed,
  ): Promise<void> {
    const artifacts = config.modules.flatMap(({ build }) => build.artifacts);
    if (target === null || artifacts.every(({ sync }) => sync === null)) return;
    if (this.#pods !== null && isSame(this.#pods.namespaces, namespaces)) return;
    await this.#pods?.[Symbol.asyncDispose]();
    this.#pods = null;
    if (await runsProcesses(target)) return;
    const { onPods } = this.#wanted;
    this.#pods = new PodWatch(target, { namespaces, signal, onChange: onPods });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const open = [this.#ports, this.#logs, this.#pods];
    this.#ports = null;
    this.#logs = null;
    this.#pods = null;
    this.#of = null;
    for (const one of open) await one?.[Symbol.asyncDispose]();
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index]);
}

export interface PodWatchOptions {
  readonly namespaces: readonly string[];
  readonly signal: CancelSignal;
  /** Called on each change of a pod. */
  readonly onChange: () => void;
}

class PodWatch implements AsyncDisposable {
  readonly namespaces: readonly string[];
  readonly #informers: readonly Informer<Pod>[];
  readonly #stop: LinkedSignal;
  readonly #runs: readonly Promise<void>[];

  /** Starts the watch. It retries while the server does not answer, and ends when it is disposed of. */
  constructor(
    { connection }: Pick<KubeTarget, 'connection'>,
    { namespaces, signal, onChange }: PodWatchOptions,
  ) {
    this.namespaces = namespaces;
    const stop = new LinkedSignal(signal);
    this.#stop = stop;
    this.#informers = namespaces.map((namespace) => {
      const watch = (until: CancelSignal): ReturnType<typeof listWatch<Pod>> =>
        listWatch(connection, pods, { namespace, signal: until });
      const made = new Informer({ resource: pods, watch });
      made.listen(onChange);
      return made;
    });
    this.#runs = this.#informers.map((one) => one.run(stop));
  }

  /** The pods as last observed. */
  get pods(): readonly Pod[] {
    return this.#informers.flatMap((one) => one.list());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#stop.release();
    await Promise.allSettled(this.#runs);
  }
}
