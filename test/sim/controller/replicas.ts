/** The processes that run the controllers. A process that exits is replaced after a while. */
import type { Random } from '../random.ts';
import type { World } from '../world.ts';

/**
 * Whether a process waits for the Lease, or refuses to run while another process renews it. null: there is only one
 * process, and thus no election.
 */
export type ElectionKind = 'wait' | 'refuse' | null;

/** How one process starts. */
export interface ReplicaStart {
  readonly name: string;
  readonly random: Random;
  readonly rate: number;
  readonly skewMs: number;
  readonly election: ElectionKind;
  readonly onEnd: () => void;
}

export interface ReplicasOptions<R> {
  readonly world: World;
  readonly random: Random;
  readonly size: number;
  readonly isFaulty: () => boolean;
  /**
   * Probability that a process refuses to wait for the Lease, from 0 to 1; absent: 0. With only one process it has no
   * effect.
   */
  readonly refusing?: number;
  /** Possible errors of a process's wall clock, in milliseconds; null: all clocks are right. */
  readonly skewsMs: readonly [number, ...number[]] | null;
  /** Possible limits for the time until an exited process is replaced, in milliseconds. */
  readonly awayMs: readonly [number, ...number[]];
  readonly make: (start: ReplicaStart) => R;
}

/** Maximum time until an exited process is replaced after the faults have ended, in milliseconds. */
const QUIET_AWAY_MS = 50;

export class Replicas<R> {
  readonly #options: ReplicasOptions<R>;
  readonly #running: (R | null)[];
  #started = 0;

  constructor(options: ReplicasOptions<R>) {
    this.#options = options;
    this.#running = Array.from({ length: options.size }, () => null);
  }

  /** The process in each place; null if none is running there. */
  get running(): readonly (R | null)[] {
    return this.#running;
  }

  /** Starts a process in each place that has none. */
  startMissing(): void {
    for (const place of this.#running.keys()) {
      if (this.#running[place] === null) this.#start(place);
    }
  }

  /**
   * Selects how a process takes part in the election. A user starts some processes with the option that there is no
   * other process: these refuse to wait.
   */
  #electionOf(random: Random): ElectionKind {
    if (this.#running.length === 1) return null;
    return this.#options.isFaulty() && random.chance(this.#options.refusing ?? 0)
      ? 'refuse'
      : 'wait';
  }

  /** The error and the rate of a process's wall clock. */
  #clockOf(name: string, random: Random): Pick<ReplicaStart, 'rate' | 'skewMs'> {
    const { world, skewsMs } = this.#options;
    if (skewsMs === null) return { rate: 1, skewMs: 0 };
    const clock = { rate: random.pick([1, 0.95, 1.05]), skewMs: random.pick(skewsMs) };
    const isWrong = clock.rate !== 1 || clock.skewMs !== 0;
    if (isWrong && world.faults.of('clock wrong', name).strikes()) return clock;
    return { rate: 1, skewMs: 0 };
  }

  #start(place: number): void {
    const { world, awayMs, isFaulty, make } = this.#options;
    const random = this.#options.random.fork(`replica ${(this.#started += 1)}`);
    const name = `r${place}-${this.#started}`;
    this.#running[place] = make({
      name,
      random,
      ...this.#clockOf(name, random),
      election: this.#electionOf(random.fork('election')),
      onEnd: () => {
        this.#running[place] = null;
        const longestMs = isFaulty() ? random.pick(awayMs) : QUIET_AWAY_MS;
        world.after(random.between(10, longestMs), () => {
          if (this.#running[place] === null) this.#start(place);
        });
      },
    });
  }
}
