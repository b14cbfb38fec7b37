/** Defines the context in which the hooks of one session run. */
import type { Pod } from 'kubernetes-types/core/v1.js';

import type { Ledger } from '../../../engine/ledger.ts';
import type { ExecPort } from '../../../handlers/exec.ts';
import type { CancelSignal, Files, Platform } from '../../../platform/platform.ts';
import type { EventBody } from '../events/event-stream.ts';
import type { SessionValues } from '../values/session-values.ts';
import type { Contract } from './contract.ts';
import type { DecideFacts } from './decide.ts';
import type { HookHistory } from './history.ts';
import type { PipelineHook } from './model.ts';
import type { ContainerTarget } from './select-containers.ts';
import type { RunRecords } from './run-records.ts';

export interface HookRunContext {
  readonly platform: Pick<Platform, 'clock' | 'timers' | 'processes' | 'files'>;
  readonly ledger: Ledger;
  /** A new id for each run of a hook; `pipeline rerun` accepts it. */
  readonly nextRunId: () => string;
  /** The records for `rerun`: `runs` in the state directory. */
  readonly records: RunRecords;
  readonly cluster: ClusterPort | null;
  readonly callerEnv: Readonly<Record<string, string>>;
  readonly workDir: string;
  /** The directory for the files through which running hooks return values. */
  readonly scratchFolder: string;
  /** File access for `scratchFolder`, whose content need not survive a crash. */
  readonly scratch: Files;
  readonly values: SessionValues;
  readonly history: HookHistory;
  readonly locks: HookLocks;
  /** The number of the iteration, from 1. */
  readonly iteration: number;
  readonly emit: (event: EventBody) => void;
  /** Masks these secrets in events and records that were made before the secrets were known. */
  readonly maskEarlier: (secrets: readonly string[]) => Promise<void>;
  readonly compat: boolean;
  /** Cancels running hooks, except those of `onError` and `finally`. */
  readonly signal: CancelSignal;
  /** The signal of a second interruption. It also cancels hooks of `onError` and `finally`. */
  readonly hurry: CancelSignal;
}

export interface ClusterPort {
  readonly exec: ExecPort;
  /** Lists all pods of these namespaces. */
  readonly pods: (namespaces: readonly string[]) => Promise<readonly Pod[]>;
  /** Values of the container's Secrets, as far as they may be read. Never rejects. Absent: none are read. */
  readonly secretsOf?: (target: ContainerTarget) => Promise<readonly string[]>;
}

export interface HookList {
  readonly hooks: readonly PipelineHook[];
  readonly facts: DecideFacts;
  readonly contract: Contract;
  readonly containers: ContainerFacts | null;
  /** For render: the manifests that hooks get on stdin. */
  readonly manifests?: string;
  /**
   * Computes the digest of a hook's inputs again, since an earlier hook of the list may have changed them; null: the
   * hook declares no inputs. Absent: `facts.digests` holds for the whole list.
   */
  readonly digestNow?: (hook: PipelineHook) => Promise<string | null>;
}

export interface ContainerFacts {
  readonly namespaces: readonly string[];
  /** For sync: the exact reference that the containers run; null: containers with any image match. */
  readonly image: string | null;
  /** Milliseconds to wait for matching containers that do not run yet (PIPE-B2). */
  readonly waitMs: number;
  /** For hooks after a deployment: the current pods, used in place of all pods of the namespaces. */
  readonly look?: () => Promise<PodsLook>;
}

/** The current pods of a deployment. */
export interface PodsLook {
  /** The pods, without those of the templates that the deployment replaces. */
  readonly pods: readonly Pod[];
  /** Whether some pods of the deployment are still to be created. */
  readonly isMissing: boolean;
}

/** Milliseconds that hooks wait for containers that are about to start, as after a deployment. */
export const CONTAINER_WAIT_MS = 60_000;

interface Waiter {
  readonly take: () => void;
}

/** Mutual exclusion of hooks with the same `lock`, in any artifact (PIPE-B13). Fair (FIFO), within one process. */
export class HookLocks {
  readonly #queues = new Map<string, Waiter[]>();

  /** Resolves with a function that releases the lock: call it once. null: the signal aborted first. */
  hold(name: string, signal: CancelSignal): Promise<(() => void) | null> {
    if (signal.aborted) return Promise.resolve(null);
    const queue = this.#queues.get(name) ?? [];
    this.#queues.set(name, queue);
    return new Promise((resolve) => {
      const waiter: Waiter = {
        take: () => {
          signal.removeEventListener('abort', giveUp);
          resolve(() => {
            this.#leave(name, waiter);
          });
        },
      };
      const giveUp = (): void => {
        this.#leave(name, waiter);
        resolve(null);
      };
      signal.addEventListener('abort', giveUp);
      queue.push(waiter);
      if (queue[0] === waiter) waiter.take();
    });
  }

  #leave(name: string, waiter: Waiter): void {
    const queue = this.#queues.get(name) ?? [];
    const at = queue.indexOf(waiter);
    if (at === -1) return;
    queue.splice(at, 1);
    if (queue.length === 0) this.#queues.delete(name);
    if (at === 0) queue[0]?.take();
  }
}
