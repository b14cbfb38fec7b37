import type { Container, Pod } from 'kubernetes-types/core/v1.js';

import type { Ledger } from '../../engine/ledger.ts';
import type { RunEvent, LifecycleEvent } from '../../model/event.ts';
import type { ActPlatform } from '../../handlers/act.ts';
import type { ContainerRuntime, ContainerSpec } from '../../platform/container-runtime.ts';

/** The node's services for the life of one pod. */
export interface PodHost {
  readonly platform: ActPlatform;
  readonly runtime: ContainerRuntime;
  /** Stores the records of the pod's hooks, which must outlive this program. */
  readonly ledger: Ledger;
  /** null: the pod has no address yet. */
  readonly podIp: string | null;
  /** True: the node's feature gate PodLifecycleSleepAction is on. */
  readonly sleepEnabled: boolean;
  /**
   * Resolves image, environment and mounts of a container's next run. Rejects with `StartError` if a referenced object
   * is missing; the worker then retries later.
   */
  prepare(preparing: Preparing): Promise<ContainerSpec>;
  /** Emits an Event. Never throws, and never blocks. */
  event(event: PodEvent): void;
  /** Called with each record of a hook after it is durable, and with the live output of the hook. */
  readonly emit?: ((event: LifecycleEvent<'pod', RunEvent>) => void) | undefined;
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
  /** Never contains output of a hook, because output may contain secrets. */
  readonly message: string;
  /** The container that the event is about; absent: the event is about the pod. */
  readonly container?: string;
}
