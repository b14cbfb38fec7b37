/** The processes that run the controllers: one that ends is replaced after a while. */
import type { Random } from '../random.ts';
import type { World } from '../world.ts';

/**
 * Where other processes may run the same controllers, a process waits for the Lease, or refuses to run while another
 * one renews it. Null: there is one process.
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
  /** How likely one of several refuses to wait for the Lease, from 0 to 1; absent: never. */
  readonly refusing?: number;
  /** By how much the wall clock of a process may be wrong, milliseconds; null: no clock is. */
  readonly skewsMs: readonly [number, ...number[]] | null;
  /** How long a process may be away before the next starts, milliseconds. */
  readonly awayMs: readonly [number, ...number[]];
  readonly make: (start: ReplicaStart) => R;
}

/** Longest absence of a replica once no fault happens any more, milliseconds. */
const QUIET_AWAY_MS = 50;

export class Replicas<R> {
  readonly #options: ReplicasOptions<R>;
  readonly #running: (R | null)[];
  #started = 0;

  constructor(options: ReplicasOptions<R>) {
    this.#options = options;
    this.#running = Array.from({ length: options.size }, () => null);
  }

  /** By place; null: none runs there now. */
  get running(): readonly (R | null)[] {
    return this.#running;
  }

  /** Starts one in each place that has none. */
  startMissing(): void {
    for (const place of this.#running.keys()) {
      if (this.#running[place] === null) this.#start(place);
    }
  }

  /** Some are started by a person who says that there is no other. */
  #electionOf(random: Random): ElectionKind {
    if (this.#running.length === 1) return null;
    return this.#options.isFaulty() && random.chance(this.#options.refusing ?? 0)
      ? 'refuse'
      : 'wait';
  }

  /** By how much it is wrong, and how fast it runs. */
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
