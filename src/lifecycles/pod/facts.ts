/** What a decision about a pod rests on: the pod as it is wished, and its containers as they are. */
import type { Pod } from 'kubernetes-types/core/v1.js';

import type { ContainerEnd, StartError } from '../../platform/container-runtime.ts';
import type { PodContainer } from './containers.ts';
import type { Ran } from './in-place.ts';

export interface PodFacts {
  readonly pod: Pod;
  /** Every container of the spec, in the order of their start. */
  readonly containers: readonly ContainerFacts[];
  readonly nowMs: number;
  /** The node first saw it, or the pod's recorded `status.startTime`. */
  readonly podStartedAtMs: number;
  /** Why it goes already, by an earlier decision; null: nothing has made it go. */
  readonly going: Going | null;
}

export interface Going {
  readonly reason: 'Deleted' | 'DeadlineExceeded' | 'Completed' | 'InitFailed';
  readonly message: string;
}

export interface ContainerFacts extends PodContainer {
  readonly state: ContainerLife;
  /** Runs before the present one: the API's restartCount. */
  readonly restartCount: number;
  /** There is or was a run of it, also one whose program could not be started. */
  readonly hasRun: boolean;
  /** Its startup probe has passed (at once without one), and its postStart hook is over. */
  readonly started: boolean;
  /** Only of a running container: passes its readiness probe, or has none. */
  readonly ready: boolean;
  /** Set when a liveness or startup probe has failed it. */
  readonly unhealthy: Unhealthy | null;
  /** Of the present or latest run; null: there is none, or it has left nothing. */
  readonly ran: Ran | null;
}

export interface Unhealthy {
  readonly probe: 'liveness' | 'startup';
  readonly graceSeconds: number | null;
}

/** Where one container is in its life. */
export type ContainerLife =
  | { readonly kind: 'absent' }
  /** It is being made, or its postStart hook runs. */
  | { readonly kind: 'starting'; readonly startedAtMs: number | null }
  | { readonly kind: 'running'; readonly startedAtMs: number }
  /** null: it was called off before there was a process. */
  | { readonly kind: 'stopping'; readonly startedAtMs: number | null }
  | {
      readonly kind: 'ended';
      readonly startedAtMs: number;
      readonly end: ContainerEnd;
      /** It was stopped to run again, whatever it ended with. */
      readonly again: boolean;
      /** The pause before its next run, should it have one. */
      readonly pauseSeconds: number;
      /** When that is over. */
      readonly restartAtMs: number;
      /** There is an event of this pause. */
      readonly backOffTold: boolean;
    }
  /** The last try to start it failed; there is no process. */
  | {
      readonly kind: 'unstartable';
      readonly reason: StartError['reason'];
      readonly message: string;
      readonly retryAtMs: number;
    };
