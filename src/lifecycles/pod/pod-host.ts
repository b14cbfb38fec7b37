import type { Container, Pod } from 'kubernetes-types/core/v1.js';

import type { Ledger } from '../../engine/ledger.ts';
import type { RunEvent, LifecycleEvent } from '../../model/event.ts';
import type { ActPlatform } from '../../handlers/act.ts';
import type { ContainerRuntime, ContainerSpec } from '../../platform/container-runtime.ts';

/** The dependencies of a pod's life on its node. */
export interface PodHost {
  readonly platform: ActPlatform;
  readonly runtime: ContainerRuntime;
  /** Stores the records of its hooks; they must outlive this program. */
  readonly ledger: Ledger;
  /** null: the pod has no address yet. */
  readonly podIp: string | null;
  /** The node's feature gate PodLifecycleSleepAction. */
  readonly sleepEnabled: boolean;
  /**
   * Resolves image, environment and mounts of a container's next run. Rejects with `StartError` if a referenced object
   * is missing; the worker retries later.
   */
  prepare(preparing: Preparing): Promise<ContainerSpec>;
  /** Never throws, never blocks. */
  event(event: PodEvent): void;
  /** Called with each record of a hook once it is durable, and with the hook's live output. */
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
  /** Never contains output of a hook: it may hold secrets. */
  readonly message: string;
  /** The container that the event is about; absent: the pod as a whole. */
  readonly container?: string;
}
