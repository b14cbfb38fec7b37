/** The input of a decision about a pod: its spec, and the state of its containers. */
import type { Pod } from 'kubernetes-types/core/v1.js';

import type { ContainerEnd, StartError } from '../../platform/container-runtime.ts';
import type { PodContainer } from './containers.ts';
import type { Ran } from './in-place.ts';

export interface PodFacts {
  readonly pod: Pod;
  /** Every container of the spec, in start order. */
  readonly containers: readonly ContainerFacts[];
  readonly nowMs: number;
  /** Wall clock: the time when the node first saw the pod, or the recorded `status.startTime`. */
  readonly podStartedAtMs: number;
  /** Why an earlier decision terminated the pod; null: the pod is not terminating. */
  readonly termination: Termination | null;
}

export interface Termination {
  readonly reason: 'Deleted' | 'DeadlineExceeded' | 'Completed' | 'InitFailed';
  readonly message: string;
}

export interface ContainerFacts extends PodContainer {
  readonly state: ContainerLife;
  /** Number of earlier runs, as in the API's restartCount. */
  readonly restartCount: number;
  /** True: a run exists or existed, even one whose program could not be started. */
  readonly hasRun: boolean;
  /** True: the startup probe has passed (at once if there is none), and the postStart hook has succeeded. */
  readonly started: boolean;
  /** True: the container runs, and its readiness probe passes or is absent. */
  readonly ready: boolean;
  /** The liveness or startup probe that failed; null: none failed. */
  readonly unhealthy: Unhealthy | null;
  /** Image and resources of the current or latest run; null: there is no run, or its image is unknown. */
  readonly ran: Ran | null;
}

export interface Unhealthy {
  readonly probe: 'liveness' | 'startup';
  readonly graceSeconds: number | null;
}

export type ContainerLife =
  | { readonly kind: 'absent' }
  /** The process is being created (startedAtMs null), or the postStart hook runs. */
  | { readonly kind: 'starting'; readonly startedAtMs: number | null }
  | { readonly kind: 'running'; readonly startedAtMs: number }
  /** startedAtMs null: the start was cancelled before there was a process. */
  | { readonly kind: 'stopping'; readonly startedAtMs: number | null }
  | {
      readonly kind: 'ended';
      readonly startedAtMs: number;
      readonly end: ContainerEnd;
      /** True: the container was stopped for a restart, so its exit code is ignored. */
      readonly again: boolean;
      /** Seconds between this end and the next run, if there is a next run. */
      readonly pauseSeconds: number;
      /** Wall clock, milliseconds: the time at which that pause is over. */
      readonly restartAtMs: number;
      /** True: the event of this pause was emitted. */
      readonly backOffReported: boolean;
    }
  /** The last start failed; there is no process. */
  | {
      readonly kind: 'unstartable';
      readonly reason: StartError['reason'];
      readonly message: string;
      readonly retryAtMs: number;
    };
