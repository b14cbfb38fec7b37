/**
 * Interfaces of the worker that runs the containers of one pod: their order, hooks, probes, restarts and grace period.
 *
 * The node gives each pod to a worker. The program that starts the cluster supplies the workers; in Lifehook that is
 * the pod lifecycle.
 */
import type { Container, Pod, PodStatus } from 'kubernetes-types/core/v1.js';

import type { RunIdentity } from '../../../../src/platform/container-labels.ts';
import type {
  ContainerRuntime,
  ContainerSpec,
  RunningContainer,
} from '../../../../src/platform/container-runtime.ts';

export interface PodWorkers {
  start(driving: PodDriving): PodWorker;
  /** Types of conditions that are removed from a pod when a worker's report omits them. */
  readonly passingConditions: readonly string[];
}

export interface PodDriving {
  readonly pod: Pod;
  readonly host: WorkerHost;
  readonly hostIp: string;
  /** Containers of the pod that the runtime still has after a restart of this program, in no order. */
  readonly found: readonly FoundContainer[];
  /** Reports the pod status to write to the API. The worker calls it only if the status has changed. */
  report(status: PodStatus): void;
}

export interface PodWorker {
  /** Resolves once no container runs or will run: the pod is Succeeded or Failed, or can be deleted. */
  readonly over: Promise<void>;
  /** Applies a changed pod. Call it when the API server reports a change. */
  update(pod: Pod): void;
  /** Stops the worker, because this program exits. Its containers keep running. */
  release(): void;
  /** Removes records, logs and directories of the pod's containers. Call it only after `over` has resolved. */
  remove(): Promise<void>;
}

export interface FoundContainer {
  readonly identity: RunIdentity;
  readonly container: RunningContainer;
}

export interface WorkerHost {
  readonly runtime: ContainerRuntime;
  /** Address of the pod; null if it has none yet. */
  readonly podIp: string | null;
  /**
   * Returns image, environment and mounts for a container's next run. Rejects with `StartError` if a referenced object
   * is missing; the worker retries later.
   */
  prepare(preparing: Preparing): Promise<ContainerSpec>;
  /** Records an Event; never throws, and does not wait. */
  event(event: PodEvent): void;
}

export interface Preparing {
  readonly pod: Pod;
  readonly container: Container;
  readonly id: string;
  readonly labels: Readonly<Record<string, string>>;
}

export interface PodEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** Name of the container that the Event is about; absent for the whole pod. */
  readonly container?: string;
}
