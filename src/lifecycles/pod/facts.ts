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
  /** The time when the node first saw it, or the recorded `status.startTime`. */
  readonly podStartedAtMs: number;
  /** Why an earlier decision terminated it; null: it is not terminating. */
  readonly termination: Termination | null;
}

export interface Termination {
  readonly reason: 'Deleted' | 'DeadlineExceeded' | 'Completed' | 'InitFailed';
  readonly message: string;
}

export interface ContainerFacts extends PodContainer {
  readonly state: ContainerLife;
  /** The number of earlier runs: the API's restartCount. */
  readonly restartCount: number;
  /** Whether a run of it exists or existed, including one whose program could not be started. */
  readonly hasRun: boolean;
  /** Whether its startup probe has passed (at once without one) and its postStart hook has succeeded. */
  readonly started: boolean;
  /** Whether it runs and its readiness probe passes or is absent. */
  readonly ready: boolean;
  /** The failed liveness or startup probe; null: none. */
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
  /** Its process is being created, or its postStart hook runs. */
  | { readonly kind: 'starting'; readonly startedAtMs: number | null }
  | { readonly kind: 'running'; readonly startedAtMs: number }
  /** startedAtMs null: it was cancelled before there was a process. */
  | { readonly kind: 'stopping'; readonly startedAtMs: number | null }
  | {
      readonly kind: 'ended';
      readonly startedAtMs: number;
      readonly end: ContainerEnd;
      /** Whether it was stopped to run again, whatever its exit code. */
      readonly again: boolean;
      /** Seconds between this end and its next run, if there is one. */
      readonly pauseSeconds: number;
      /** The time when that pause is over. */
      readonly restartAtMs: number;
      /** Whether the event of this pause was emitted. */
      readonly backOffReported: boolean;
    }
  /** The last start failed; there is no process. */
  | {
      readonly kind: 'unstartable';
      readonly reason: StartError['reason'];
      readonly message: string;
      readonly retryAtMs: number;
    };
