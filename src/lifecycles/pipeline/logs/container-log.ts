/** The log of one container, run after run: one follow at a time, and what ended too quickly is read afterwards. */
import type { ContainerStatus } from 'kubernetes-types/core/v1.js';

import { ApiError, UnreachableError } from '../../../kube/api-error.ts';
import type { KubeConnection } from '../../../kube/client.ts';
import { type LogOptions, podLogs } from '../../../kube/logs.ts';
import type { Masker } from '../../../model/secrets.ts';
import type { DeployConfig } from '../config/model.ts';
import type { HookRunContext } from '../hooks/run-context.ts';
import { outputLines } from '../hooks/output-lines.ts';
import { logSource } from './deployed-pods.ts';

export interface ContainerLogContext {
  readonly connection: KubeConnection;
  readonly tell: HookRunContext['tell'];
  /** Asked before each run of the container is read: a Secret may have changed. Never rejects. */
  readonly masker: () => Promise<Pick<Masker, 'text'>>;
  readonly prefix: DeployConfig['logsPrefix'];
  /** null: the last lines of what it has said. */
  readonly sinceMs: number | null;
}

interface Which {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** Of what a container has said before it was looked at. */
export const TAIL_LINES = 1_000;

export class ContainerLog {
  readonly #which: Which;
  readonly #context: ContainerLogContext;
  /** The run that is followed, or was last; -1: none. */
  #followed = -1;
  /** The latest that has begun. */
  #latest = -1;
  #reading: Promise<void> | null = null;
  /** Of its own: a signal with a listener for each of many containers is what Node warns of. */
  readonly #stopping = new AbortController();

  constructor(which: Which, context: ContainerLogContext) {
    this.#which = which;
    this.#context = context;
  }

  look({ restartCount, state = {}, lastState = {} }: ContainerStatus): void {
    // Between two runs the one that has ended still has the present number, and its log is what is read.
    const hasBegun = [state.running, state.terminated, lastState.terminated].some(
      (one) => one !== undefined,
    );
    if (hasBegun) this.#latest = Math.max(this.#latest, restartCount);
    if (this.#followed < this.#latest) this.#reading ??= this.#readOn();
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** When nothing is read of it, at least for now. */
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
    const { connection, tell, masker, prefix, sinceMs } = this.#context;
    const { signal } = this.#stopping;
    const source = logSource(prefix, this.#which);
    const begin =
      sinceMs === null ? { tailLines: TAIL_LINES } : { sinceTime: new Date(sinceMs).toISOString() };
    const known = await masker();
    const lines = outputLines((whole) => {
      const line = known.text(whole);
      tell({ type: 'Output', source, stream: 'stdout', line });
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
      // Where nothing of an earlier run is kept any more, or the pod has gone, there is nothing to be told.
      if (how.previous === true || (error instanceof ApiError && error.code === NOT_FOUND)) return;
      const { namespace, pod, container } = this.#which;
      const message = `The log of ${namespace}/${pod}/${container} can't be read: ${error.message}.`;
      tell({ type: 'Warning', code: 'LHL417', message });
    }
  }
}

const NOT_FOUND = 404;
