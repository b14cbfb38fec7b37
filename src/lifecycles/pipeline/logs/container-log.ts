/**
 * Follows the log of one container, run after run: one follow at a time; runs that ended between are read afterwards.
 */
import type { ContainerStatus } from 'kubernetes-types/core/v1.js';

import { ApiError, UnreachableError } from '../../../kube/api-error.ts';
import type { KubeConnection } from '../../../kube/client.ts';
import { type LogOptions, podLogs } from '../../../kube/logs.ts';
import type { Masker } from '../../../model/secrets.ts';
import type { DeployConfig } from '../config/model.ts';
import type { HookRunContext } from '../hooks/run-context.ts';
import { outputLines } from '../hooks/tap-stdout.ts';
import { logSource } from './deployed-pods.ts';

export interface ContainerLogContext {
  readonly connection: KubeConnection;
  readonly emit: HookRunContext['emit'];
  /** Called before each run of the container is read: a Secret may have changed. Never rejects. */
  readonly masker: () => Promise<Pick<Masker, 'text'>>;
  readonly prefix: DeployConfig['logsPrefix'];
  /** null: only the last lines of its existing log. */
  readonly sinceMs: number | null;
}

interface Which {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** Lines of a container's existing log that are shown. */
export const TAIL_LINES = 1_000;

export class ContainerLog {
  readonly #which: Which;
  readonly #context: ContainerLogContext;
  /** The run that is or was followed; -1: none. */
  #followed = -1;
  /** The latest run that has started. */
  #latest = -1;
  #reading: Promise<void> | null = null;
  /** A controller of its own: Node warns of a signal with a listener for each of many containers. */
  readonly #stopping = new AbortController();

  constructor(which: Which, context: ContainerLogContext) {
    this.#which = which;
    this.#context = context;
  }

  look({ restartCount, state = {}, lastState = {} }: ContainerStatus): void {
    // Between two runs, the ended one still has the current restart count, and its log is the one that is read.
    const hasBegun = [state.running, state.terminated, lastState.terminated].some(
      (one) => one !== undefined,
    );
    if (hasBegun) this.#latest = Math.max(this.#latest, restartCount);
    if (this.#followed < this.#latest) this.#reading ??= this.#readOn();
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** Resolves when its log is not read, at least for now. */
  async ended(): Promise<void> {
    await this.#reading;
  }

  async #readOn(): Promise<void> {
    while (this.#followed < this.#latest && !this.#stopping.signal.aborted) {
      const run = this.#latest;
      const missed = this.#followed >= 0 && this.#followed < run - 1;
      this.#followed = run;
      if (missed) await this.#read({ previous: true });
      await this.#read({ follow: true });
    }
    this.#reading = null;
  }

  async #read(how: Pick<LogOptions, 'previous' | 'follow'>): Promise<void> {
    const { connection, emit, masker, prefix, sinceMs } = this.#context;
    const { signal } = this.#stopping;
    const source = logSource(prefix, this.#which);
    const begin =
      sinceMs === null ? { tailLines: TAIL_LINES } : { sinceTime: new Date(sinceMs).toISOString() };
    const known = await masker();
    const lines = outputLines((whole) => {
      const line = known.text(whole);
      emit({ type: 'Output', source, stream: 'stdout', line });
    });
    try {
      for await (const { text } of podLogs(connection, {
        ...this.#which,
        ...begin,
        ...how,
        signal,
      })) {
        lines.push(`${text}\n`);
      }
    } catch (error) {
      if (!(error instanceof ApiError) && !(error instanceof UnreachableError)) throw error;
      // If the log of an earlier run is no longer kept, or the pod is deleted, there is nothing to report.
      if (how.previous === true || (error instanceof ApiError && error.code === NOT_FOUND)) return;
      const { namespace, pod, container } = this.#which;
      const message = `The log of ${namespace}/${pod}/${container} cannot be read: ${error.message}.`;
      emit({ type: 'Warning', code: 'LHL417', message });
    }
  }
}

const NOT_FOUND = 404;
