/**
 * What runs the containers of one pod: their order, hooks, probes, restarts and grace period. The node gives each pod to
 * such a worker. Whoever starts the cluster brings the workers: in Lifehook they are the pod lifecycle's.
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
  /** Types of conditions that a worker removes by leaving them out of what it reports. */
  readonly passingConditions: readonly string[];
}

export interface PodDriving {
  readonly pod: Pod;
  readonly host: WorkerHost;
  readonly hostIp: string;
  /** What the runtime has of this pod from before a restart, in no order. */
  readonly found: readonly FoundContainer[];
  /** The API's status of the pod has to become this; called only when it has changed. */
  report(status: PodStatus): void;
}

export interface PodWorker {
  /** Resolves once no container runs and none will: the pod is Succeeded or Failed, or may be removed. */
  readonly over: Promise<void>;
  /** The pod as the API has it now. */
  update(pod: Pod): void;
  /** Leaves its containers running: this program stops, they do not. */
  release(): void;
  /** Removes records, logs and folders of its containers. Only when it is over. */
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
   * Image, environment and mounts of a container's next run, all resolved. Rejects with `StartError`
   * when something that it refers to is missing; the worker tries again later.
   */
  prepare(preparing: Preparing): Promise<ContainerSpec>;
  /** Never fails, never waits. */
  event(event: PodEvent): void;
}

export interface Preparing {
  readonly pod: Pod;
  readonly container: Container;
  readonly id: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** A Kubernetes Event on the pod. */
export interface PodEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** Whose it is; absent: the pod's as a whole. */
  readonly container?: string;
}
