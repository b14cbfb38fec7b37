/**
 * Runs the containers of one pod: their order, hooks, probes, restarts and grace period. The node gives each pod to
 * such a worker. The program that starts the cluster supplies the workers: in Lifehook, the pod lifecycle.
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
  /** Types of conditions that a worker removes by omitting them from its report. */
  readonly passingConditions: readonly string[];
}

export interface PodDriving {
  readonly pod: Pod;
  readonly host: WorkerHost;
  readonly hostIp: string;
  /** The pod's containers that the runtime has from before a restart, in no order. */
  readonly found: readonly FoundContainer[];
  /** The desired status of the pod in the API; called only when it has changed. */
  report(status: PodStatus): void;
}

export interface PodWorker {
  /** Resolves once no container runs and none will: the pod is Succeeded or Failed, or may be removed. */
  readonly over: Promise<void>;
  /** The current pod of the API. */
  update(pod: Pod): void;
  /** Leaves its containers running: this program stops, they do not. */
  release(): void;
  /** Removes records, logs and directories of its containers. Call it only after `over`. */
  remove(): Promise<void>;
}

export interface FoundContainer {
  readonly identity: RunIdentity;
  readonly container: RunningContainer;
}

export interface WorkerHost {
  readonly runtime: ContainerRuntime;
  /** null: none yet. */
  readonly podIp: string | null;
  /**
   * Image, environment and mounts of a container's next run. Rejects with `StartError` if something that it refers
   * to is missing; the worker retries later.
   */
  prepare(preparing: Preparing): Promise<ContainerSpec>;
  /** Never fails, and returns at once. */
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
  /** The container it is about; absent: the pod as a whole. */
  readonly container?: string;
}
