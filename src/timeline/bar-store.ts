/**
 * The bars that are known, and what has changed since somebody looked.
 *
 *  TIME-T1 Every change has a number, one more than the one before; the first is higher than any of an earlier process, so
 *     that nobody goes on from a number that means something else now.
 *  TIME-T2 A reader takes changes at its own pace, and is told of each bar as it is now, not of all that it was meanwhile.
 *     One that is too late for that is told to begin anew: it holds up nobody, and nothing waits for it in memory.
 *  TIME-T3 Bars and their text have an end. The oldest go first, of those that have ended; what is still open goes last.
 */
import type { CancelSignal, Clock } from '../platform/platform.ts';
import { Wakeups } from '../platform/wakeups.ts';
import type { Bar, SourceState } from './bar.ts';

/** Bars that are kept. */
export const MAX_BARS = 20_000;
/** Of their JSON text all together, UTF-16 units. */
const MAX_UNITS = 33_554_432;
/** Changes that who comes back may have missed. */
export const MAX_CHANGES = 20_000;
/** What is left when there were too many, so that it is seldom. */
const KEPT_SHARE = 0.9;
/** Of the sources' names in the list of changes: no bar has it. */
const SOURCES = '';
const CHANGES_PER_MS = 1_000;

export interface KeptBar {
  readonly seq: number;
  readonly bar: Bar;
  /** Its JSON. */
  readonly text: string;
}

export type StoreItem =
  | { readonly kind: 'bar'; readonly seq: number; readonly text: string }
  | { readonly kind: 'gone'; readonly seq: number; readonly id: string }
  | { readonly kind: 'sources'; readonly seq: number; readonly sources: readonly SourceState[] }
  /** What was missed is no longer known: read everything again. */
  | { readonly kind: 'reset'; readonly seq: number };

export interface BarStoreOptions {
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly maxBars?: number;
  readonly maxChanges?: number;
}

export class BarStore {
  readonly #maxBars: number;
  readonly #maxChanges: number;
  /** In the order of their last change. */
  readonly #bars = new Map<string, KeptBar>();
  readonly #sources = new Map<string, string | null>();
  readonly #wakeups = new Wakeups();
  /** Ids, in the order of change. */
  #changes: string[] = [];
  #firstSeq: number;
  #units = 0;
  #forgotten = 0;

  constructor({ clock, maxBars = MAX_BARS, maxChanges = MAX_CHANGES }: BarStoreOptions) {
    this.#maxBars = maxBars;
    this.#maxChanges = maxChanges;
    this.#firstSeq = clock.nowMs() * CHANGES_PER_MS;
  }

  /** Of the last change. */
  get seq(): number {
    return this.#firstSeq + this.#changes.length - 1;
  }

  /** How many of the oldest were let go. */
  get forgotten(): number {
    return this.#forgotten;
  }

  sources(): readonly SourceState[] {
    return [...this.#sources].map(([name, problem]) => ({ name, problem }));
  }

  /** `problem` null: all is well. */
  setSource(name: string, problem: string | null): void {
    if (this.#sources.get(name) === problem) return;
    this.#sources.set(name, problem);
    this.#note(SOURCES);
  }

  get(id: string): Bar | undefined {
    return this.#bars.get(id)?.bar;
  }

  /** In the place of the one with that id. What says nothing new is no change. */
  put(given: Bar): void {
    const bar = boundBar(given);
    const text = JSON.stringify(bar);
    const known = this.#bars.get(bar.id);
    if (known?.text === text) return;
    this.#units += text.length - (known?.text.length ?? 0);
    // Away first: a map keeps the place of a key that it has.
    this.#bars.delete(bar.id);
    this.#bars.set(bar.id, { seq: this.seq + 1, bar, text });
    this.#note(bar.id);
    if (this.#bars.size > this.#maxBars || this.#units > MAX_UNITS) this.#forget();
  }

  /** In the order of their last change. */
  all(): IterableIterator<KeptBar> {
    return this.#bars.values();
  }

  /** What has changed after `after`, then what changes, until the signal aborts. */
  async *subscribe(after: number, signal: CancelSignal): AsyncGenerator<StoreItem, void> {
    let next = after + 1;
    while (!signal.aborted) {
      if (next < this.#firstSeq || next > this.seq + 1) {
        next = this.seq + 1;
        yield { kind: 'reset', seq: this.seq };
        continue;
      }
      const id = this.#changes[next - this.#firstSeq];
      if (id === undefined) {
        await this.#wakeups.next(signal);
        continue;
      }
      const item = this.#itemOf(id, next);
      next += 1;
      if (item !== null) yield item;
    }
  }

  /** null: it has changed again since, and that is told then. */
  #itemOf(id: string, seq: number): StoreItem | null {
    if (id === SOURCES) return { kind: 'sources', seq, sources: this.sources() };
    const kept = this.#bars.get(id);
    if (kept === undefined) return { kind: 'gone', seq, id };
    return kept.seq === seq ? { kind: 'bar', seq, text: kept.text } : null;
  }

  #note(id: string): void {
    this.#changes.push(id);
    // Twice the limit before it is cut, so that not every change copies it.
    if (this.#changes.length > 2 * this.#maxChanges) {
      const surplus = this.#changes.length - this.#maxChanges;
      this.#changes = this.#changes.slice(surplus);
      this.#firstSeq += surplus;
    }
    this.#wakeups.wake();
  }

  #forget(): void {
    const inOrder = [...this.#bars.values()].toSorted(byWorth);
    const barsKept = Math.floor(this.#maxBars * KEPT_SHARE);
    for (const { bar, text } of inOrder) {
      if (this.#bars.size <= barsKept && this.#units <= MAX_UNITS * KEPT_SHARE) return;
      this.#bars.delete(bar.id);
      this.#units -= text.length;
      this.#forgotten += 1;
      this.#note(bar.id);
    }
  }
}

/** Those that may go first come first. */
function byWorth({ bar: one }: KeptBar, { bar: other }: KeptBar): number {
  const isOpen = (bar: Bar): number => (bar.endMs === null ? 1 : 0);
  return isOpen(one) - isOpen(other) || one.startMs - other.startMs;
}

/** UTF-16 units. */
const MAX_NAME = 300;
const MAX_SENTENCE = 2_000;
/** The last of an output stream, UTF-16 units: the whole tail is in the record that it comes from. */
const MAX_TAIL = 4_096;
const MAX_EVIDENCE = 24;

/** A bar with an end to everything in it, whatever its source has written. Pure. */
function boundBar(bar: Bar): Bar {
  return {
    ...bar,
    id: bar.id.slice(0, MAX_NAME),
    lane: bar.lane.slice(0, MAX_NAME),
    run: bar.run.slice(0, MAX_NAME),
    point: bar.point.slice(0, MAX_NAME),
    name: bar.name.slice(0, MAX_NAME),
    ...(bar.reason === undefined ? {} : { reason: bar.reason.slice(0, MAX_SENTENCE) }),
    ...(bar.where === undefined ? {} : { where: bar.where.slice(0, MAX_NAME) }),
    ...(bar.next === undefined ? {} : { next: bar.next.slice(0, MAX_SENTENCE) }),
    ...(bar.stdout === undefined ? {} : { stdout: bar.stdout.slice(-MAX_TAIL) }),
    ...(bar.stderr === undefined ? {} : { stderr: bar.stderr.slice(-MAX_TAIL) }),
    ...(bar.evidence === undefined ? {} : { evidence: boundEvidence(bar.evidence) }),
  };
}

function boundEvidence(evidence: NonNullable<Bar['evidence']>): NonNullable<Bar['evidence']> {
  const entries = Object.entries(evidence).slice(0, MAX_EVIDENCE);
  return Object.fromEntries(
    entries.map(([name, value]) => [name.slice(0, MAX_NAME), value.slice(0, MAX_SENTENCE)]),
  );
}
