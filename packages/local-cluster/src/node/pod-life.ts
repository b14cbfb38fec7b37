/**
 * Runs one pod on this node: its address, directory, worker, volumes, and status in the API.
 *
 * A terminating pod is deleted from the API once none of its containers runs.
 */
import type { Pod } from 'kubernetes-types/core/v1.js';

import { aboutObject, type EventRecorder } from '../../../../src/controller/event-recorder.ts';
import { isReason } from '../../../../src/kube/api-error.ts';
import { backoffMs, sleep } from '../../../../src/platform/sleep.ts';
import type { KubeClient } from '../../../../src/kube/client.ts';
import { pods } from '../../../../src/kube/resources.ts';
import type {
  ContainerRuntime,
  ContainerSpec,
  RunningContainer,
} from '../../../../src/platform/container-runtime.ts';
import { fromLabels } from '../../../../src/platform/container-labels.ts';
import { errorText } from '../../../../src/platform/error-text.ts';
import type { CancelSignal, Platform } from '../../../../src/platform/platform.ts';
import type { FileTails } from '../../../../src/platform/file-tails.ts';
import type { Trees } from '../../../../src/platform/trees.ts';
import type { FoundContainer, PodWorker, PodWorkers, WorkerHost } from './pod-worker.ts';
import { prepareContainer, type PrepareOptions } from './prepare.ts';
import { readSources, type SourceReference } from './sources.ts';
import { StatusReporter } from './status-reporter.ts';
import { withMessage } from './termination-message.ts';
import { PodVolumes } from './volumes/pod-volumes.ts';
import { volumeReferences } from './volumes/volume-files.ts';

export interface LifeContext {
  readonly platform: Platform;
  readonly tails: FileTails;
  readonly trees: Trees;
  readonly client: KubeClient;
  readonly recorder: EventRecorder;
  readonly podWorkers: PodWorkers;
  readonly random: () => number;
  readonly hostIp: string;
  readonly node: PrepareOptions['node'];
  readonly resolveImage: PrepareOptions['resolveImage'];
  readonly services: PrepareOptions['services'];
}

export interface LifeOptions extends LifeContext {
  readonly pod: Pod;
  readonly runtime: ContainerRuntime;
  readonly podIp: string;
  readonly podFolder: string;
  readonly found: readonly FoundContainer[];
}

const RETRY = { firstMs: 200, maxMs: 10_000 };

export class PodLife {
  readonly #options: LifeOptions;
  readonly #worker: PodWorker;
  readonly #reporter: StatusReporter;
  readonly #volumes: PodVolumes;
  readonly #released = new AbortController();
  #pod: Pod;
  #ends = false;

  constructor(options: LifeOptions) {
    const { pod, hostIp, found, runtime, podWorkers } = options;
    this.#options = options;
    this.#pod = pod;
    const { namespace = '', name = '', uid = '' } = pod.metadata ?? {};
    this.#reporter = new StatusReporter({
      ...options,
      ...podWorkers,
      pod: { namespace, name, uid },
    });
    const ownsFiles = runtime.name !== 'process';
    this.#volumes = new PodVolumes({ ...options, files: options.platform.files, ownsFiles });
    this.#worker = podWorkers.start({
      pod,
      host: this.#host(),
      hostIp,
      found,
      report: (status) => {
        this.#reporter.report(status);
      },
    });
    this.#endIfDeleted();
  }

  #host(): WorkerHost {
    const { runtime, platform, podIp } = this.#options;
    return {
      podIp,
      runtime: { ...runtime, start: async (spec) => this.#start(spec) },
      prepare: (preparing) =>
        prepareContainer(preparing, {
          ...this.#options,
          files: platform.files,
          volumes: this.#volumes,
          newestPod: () => this.#pod,
          plain: runtime.name === 'process',
        }),
      event: ({ type, reason, message, container }) => {
        const about = aboutObject(pods, this.#pod);
        const fieldPath =
          container === undefined ? {} : { fieldPath: fieldPathOf(this.#pod, container) };
        this.#options.recorder.record({ about: { ...about, ...fieldPath }, type, reason, message });
      },
    };
  }

  async #start(spec: ContainerSpec): Promise<RunningContainer> {
    const { runtime } = this.#options;
    return foundContainer(await runtime.start(spec), this.#options);
  }

  get namespace(): string {
    return this.#pod.metadata?.namespace ?? '';
  }

  update(pod: Pod): void {
    const before = this.#pod.metadata ?? {};
    this.#pod = pod;
    this.#worker.update(pod);
    this.#endIfDeleted();
    const { labels, annotations } = pod.metadata ?? {};
    const reported = JSON.stringify([labels, annotations]);
    if (reported !== JSON.stringify([before.labels, before.annotations])) void this.#refresh();
  }

  /** Updates the volumes with this ConfigMap or Secret. Call it when the object has changed. */
  sourceChanged({ kind, name }: SourceReference): void {
    const references = volumeReferences(this.#pod);
    if (references.some((one) => one.kind === kind && one.name === name)) void this.#refresh();
  }

  /**
   * Call when the pod was removed from the API. Stops its containers at once, without hooks, and resolves once they
   * have stopped.
   */
  async ended(): Promise<void> {
    const { clock } = this.#options.platform;
    const deletionTimestamp = new Date(clock.nowMs()).toISOString();
    const metadata = { ...this.#pod.metadata, deletionTimestamp, deletionGracePeriodSeconds: 0 };
    this.#worker.update({ ...this.#pod, metadata });
    await this.#worker.over;
    this.#reporter.close();
    await this.#clear();
  }

  /** Stops managing the pod; its containers keep running. */
  release(): void {
    this.#released.abort();
    this.#worker.release();
    this.#reporter.close();
  }

  #endIfDeleted(): void {
    if (this.#pod.metadata?.deletionTimestamp === undefined || this.#ends) return;
    this.#ends = true;
    void this.#confirmEnd();
  }

  /** Deletes the pod from the API once its containers have stopped, which is the last step of the node. */
  async #confirmEnd(): Promise<void> {
    await this.#worker.over;
    await this.#reporter.sent();
    await deletePod(this.#pod, this.#options, this.#released.signal);
  }

  /** Updates the volumes with content of the API. A volume that fails is retried at the next change. */
  async #refresh(): Promise<void> {
    const { client, podIp, hostIp, node } = this.#options;
    try {
      await this.#volumes.refresh(async () => {
        const pod = this.#pod;
        const sources = await readSources(client, this.namespace, volumeReferences(pod));
        return { pod, podIp, hostIp, node, sources };
      });
    } catch (error) {
      if (this.#released.signal.aborted || this.#ends) return;
      const about = aboutObject(pods, this.#pod);
      const message = `volumes could not be brought up to date: ${errorText(error)}`;
      const { recorder } = this.#options;
      recorder.record({ about, type: 'Warning', reason: 'FailedMount', message });
    }
  }

  async #clear(): Promise<void> {
    await this.#worker.remove();
    await this.#volumes.close();
    await this.#options.platform.files.remove(this.#options.podFolder);
  }
}

/**
 * Deletes from the API a terminating pod of which no container runs. Retries until the server has answered or `signal`
 * aborts.
 */
export async function deletePod(
  { metadata }: Pod,
  { client, platform, random }: Pick<LifeContext, 'client' | 'platform' | 'random'>,
  signal: CancelSignal,
): Promise<void> {
  const { namespace = '', name = '', uid = '' } = metadata ?? {};
  const options = { gracePeriodSeconds: 0, preconditions: { uid } };
  for (let failures = 1; !signal.aborted; failures += 1) {
    try {
      await client.delete(pods, { namespace, name }, options);
      return;
    } catch (error) {
      if (isReason(error, 'NotFound', 'Conflict')) return;
      await sleep(platform.timers, backoffMs(failures, RETRY, random()), signal);
    }
  }
}

/** Wraps a container of the pod, so that its `end` includes its termination message. */
export async function foundContainer(
  container: RunningContainer,
  options: Pick<LifeOptions, 'pod' | 'podFolder' | 'tails' | 'platform'>,
): Promise<RunningContainer> {
  const { pod, podFolder, tails, platform } = options;
  const name = fromLabels(container.labels)?.container;
  const { initContainers = [], containers = [] } = pod.spec ?? {};
  const spec = [...initContainers, ...containers].find((one) => one.name === name);
  if (spec === undefined) return container;
  return withMessage(container, { container: spec, podFolder, tails, timers: platform.timers });
}

/** Path of a container for Events, such as `spec.initContainers{setup}`. */
function fieldPathOf(pod: Pod, container: string): string {
  const isInit = (pod.spec?.initContainers ?? []).some(({ name }) => name === container);
  return `spec.${isInit ? 'initContainers' : 'containers'}{${container}}`;
}
