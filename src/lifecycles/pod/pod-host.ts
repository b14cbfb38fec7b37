import type { Container, Pod } from 'kubernetes-types/core/v1.js';

import type { Ledger } from '../../engine/ledger.ts';
import type { RunEvent } from '../../model/event.ts';
import type { LifecycleEvent } from '../../model/lifecycle-event.ts';
import type { ActPlatform } from '../../handlers/act.ts';
import type { ContainerRuntime, ContainerSpec } from '../../platform/container-runtime.ts';

/** What the life of one pod needs of the node that it lives on. */
export interface PodHost {
  readonly platform: ActPlatform;
  readonly runtime: ContainerRuntime;
  /** Where the records of its hooks go; they must outlive this program. */
  readonly ledger: Ledger;
  /** null: none yet. */
  readonly podIp: string | null;
  /** The node's gate PodLifecycleSleepAction. */
  readonly sleepEnabled: boolean;
  /**
   * Image, environment and mounts of a container's next run, all resolved. Rejects with `StartError`
   * when something that it refers to is missing; the worker tries again later.
   */
  prepare(preparing: Preparing): Promise<ContainerSpec>;
  /** Never fails, never waits. */
  event(event: PodEvent): void;
  /** Called with each record of a hook once it is durable, and with its live output. */
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
  /** Never output of a hook: it may hold secrets. */
  readonly message: string;
  /** Whose it is; absent: the pod's as a whole. */
  readonly container?: string;
}
