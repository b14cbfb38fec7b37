/**
 * The worker processes. Each runs chunks of only one lifecycle, one at a time, because a process that has run other
 * lifecycles is 10 % slower. A worker that exits during a chunk is replaced.
 */
import { type ChildProcess, fork } from 'node:child_process';

import type { ChunkQueue } from './chunks.ts';
import type { Chunk, ChunkResult } from './messages.ts';
import type { Tally } from './tally.ts';

/** Milliseconds. A chunk takes seconds, so a worker that is silent for this long has a seed that never ends. */
const SILENCE_MS = 900_000;

export interface CrewOptions {
  /** Path of the bundle that a worker runs. */
  readonly script: string;
  /** Number of chunks that run in parallel. */
  readonly size: number;
  readonly queue: ChunkQueue;
  readonly tally: Tally;
}

export class Crew {
  readonly #options: CrewOptions;
  readonly #workers = new Set<ChildProcess>();
  #stopped = false;

  constructor(options: CrewOptions) {
    this.#options = options;
  }

  get isStopped(): boolean {
    return this.#stopped;
  }

  /** Resolves when all chunks are done, or after `stop`. */
  async work(): Promise<void> {
    await Promise.all(Array.from({ length: this.#options.size }, () => this.#place()));
  }

  stop(): void {
    this.#stopped = true;
    for (const worker of this.#workers) worker.kill('SIGKILL');
  }

  async #place(): Promise<void> {
    const workers = new Map<string, ChildProcess>();
    for (let chunk = this.#take(); chunk !== null; chunk = this.#take()) {
      const known = workers.get(chunk.lifecycle);
      const worker = known?.connected === true ? known : this.#start();
      workers.set(chunk.lifecycle, worker);
      const result = await resultOf(worker, chunk);
      if (this.#stopped) return;
      if (result === null) workers.delete(chunk.lifecycle);
      this.#options.tally.add(chunk, result ?? lost(chunk));
      this.#options.queue.done(chunk);
    }
    for (const worker of workers.values()) worker.disconnect();
  }

  #take(): Chunk | null {
    return this.#stopped ? null : this.#options.queue.take();
  }

  #start(): ChildProcess {
    // The worker gets none of this process's Node options: they would start a compiler that a bundle does not need.
    const worker = fork(this.#options.script, [], { execArgv: [] });
    this.#workers.add(worker);
    worker.once('exit', () => this.#workers.delete(worker));
    return worker;
  }
}

/** The result of the chunk; null if the worker exited without one. */
function resultOf(worker: ChildProcess, chunk: Chunk): Promise<ChunkResult | null> {
  return new Promise((resolve) => {
    const silence = setTimeout(() => worker.kill('SIGKILL'), SILENCE_MS);
    const finish = (result: ChunkResult | null): void => {
      clearTimeout(silence);
      worker.off('message', finish);
      worker.off('exit', end);
      resolve(result);
    };
    const end = (): void => {
      finish(null);
    };
    worker.once('message', finish);
    worker.once('exit', end);
    worker.send(chunk);
  });
}

function lost({ lifecycle, from, seeds }: Chunk): ChunkResult {
  const message = `the worker ended, or did not answer, in seeds ${from} to ${from + seeds - 1}; run them with: npm run sim -- --lifecycle ${lifecycle} --from ${from} --seeds ${seeds}`;
  return { cpuMs: 0, failures: [{ seed: from, invariant: 'run', message }] };
}
