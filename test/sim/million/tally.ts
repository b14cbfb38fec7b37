/** Counts the reports of the workers of `npm run sim:million`, and formats them. */
import { failureKind } from '../failure-kind.ts';
import { replayCommand } from '../run-seeds.ts';
import type { Chunk, ChunkResult } from './messages.ts';

/** Maximum number of distinct failures that are listed for one lifecycle. Further ones are only counted. */
const DISTINCT_MAX = 20;
const MESSAGE_CHARACTERS = 300;

interface Distinct {
  readonly invariant: string;
  readonly message: string;
  firstSeed: number;
  seeds: number;
}

interface Count {
  seeds: number;
  failed: number;
  cpuMs: number;
  readonly distinct: Map<string, Distinct>;
}

export class Tally {
  readonly #counts: ReadonlyMap<string, Count>;
  readonly #wanted: number;

  /** `seeds`: number of seeds for each lifecycle. */
  constructor(lifecycles: readonly string[], seeds: number) {
    this.#counts = new Map(lifecycles.map((name) => [name, newCount()]));
    this.#wanted = seeds * lifecycles.length;
  }

  get failed(): number {
    return sum(this.#counts, ({ failed }) => failed);
  }

  get done(): number {
    return sum(this.#counts, ({ seeds }) => seeds);
  }

  add({ lifecycle, seeds }: Chunk, { cpuMs, failures }: ChunkResult): void {
    const count = this.#counts.get(lifecycle);
    if (count === undefined) return;
    count.seeds += seeds;
    count.cpuMs += cpuMs;
    count.failed += failures.length;
    for (const { seed, invariant, message } of failures) {
      const key = failureKind({ invariant, message });
      const known = count.distinct.get(key);
      if (known !== undefined) {
        known.seeds += 1;
        known.firstSeed = Math.min(known.firstSeed, seed);
      } else if (count.distinct.size < DISTINCT_MAX) {
        count.distinct.set(key, { invariant, message, firstSeed: seed, seeds: 1 });
      }
    }
  }

  /** One line of text. `elapsedMs`: time since the start, in milliseconds. */
  progress(elapsedMs: number): string {
    const { done } = this;
    const perSecond = (done * 1_000) / Math.max(1, elapsedMs);
    const leftMinutes = Math.ceil((this.#wanted - done) / Math.max(0.001, perSecond) / 60);
    const left = `${Math.floor(leftMinutes / 60)} h ${leftMinutes % 60} min`;
    return `${done} of ${this.#wanted} seeds, ${Math.round(perSecond)} per second, ${left} left, ${this.failed} failed`;
  }

  /** One line for each lifecycle, followed by its distinct failures and the commands that replay them. */
  summary(): string[] {
    return [...this.#counts].flatMap(([name, count]) => [
      countLine(name, count),
      ...[...count.distinct.values()].map((distinct) => failureLine(name, distinct)),
      ...moreLine(count),
    ]);
  }
}

function newCount(): Count {
  return { seeds: 0, failed: 0, cpuMs: 0, distinct: new Map() };
}

function sum(counts: ReadonlyMap<string, Count>, of: (count: Count) => number): number {
  return [...counts.values()].reduce((total, count) => total + of(count), 0);
}

function countLine(name: string, { seeds, failed, cpuMs }: Count): string {
  const perSecond = cpuMs === 0 ? 0 : Math.round((seeds * 1_000) / cpuMs);
  return `${name}: ${seeds - failed} passed, ${failed} failed, ${perSecond} seeds per CPU second`;
}

function failureLine(name: string, { invariant, message, firstSeed, seeds }: Distinct): string {
  const text = message.slice(0, MESSAGE_CHARACTERS);
  const times = seeds === 1 ? '1 seed' : `${seeds} seeds, first ${firstSeed}`;
  return `  ${invariant} (${times}): ${text}\n    replay it with: ${replayCommand(name, firstSeed)}`;
}

function moreLine({ failed, distinct }: Count): string[] {
  const listed = [...distinct.values()].reduce((total, { seeds }) => total + seeds, 0);
  return failed === listed ? [] : [`  and ${failed - listed} seeds that fail in other ways`];
}
