/**
 * Stores the known spans, and their changes for readers.
 *
 *  TIME-T1 Every change has a number, one more than the one before. Unless the clock was set back, the first number is
 *     higher than any number of an earlier process, so that no reader continues from a number with another meaning.
 *  TIME-T2 A reader takes changes at its own pace, and gets the current state of each span, not every intermediate one.
 *     A reader that is too late gets a reset: it blocks no other reader, and nothing is buffered for it.
 *  TIME-T3 The number of spans and the length of their text are bounded. The oldest ended spans are dropped first, open
 *     spans last.
 */
import type { CancelSignal, Clock } from '../platform/platform.ts';
import { Wakeups } from '../platform/wakeups.ts';
import type { Bar, SourceState } from './bar.ts';

/** Maximum number of stored spans. */
export const MAX_BARS = 20_000;
/** Maximum total length of the spans as JSON, UTF-16 units. */
const MAX_UNITS = 33_554_432;
/**
 * Number of the latest changes that are always kept; a reader that has missed an older one gets a reset. The list is
 * cut to this number when it has twice as many.
 */
export const MAX_CHANGES = 20_000;
/** Fraction of the spans that a cleanup keeps, so that cleanups are rare. */
const KEPT_SHARE = 0.9;
/** Stands for a change of the sources in the list of changes; no span has this id. */
const SOURCES = '';
const CHANGES_PER_MS = 1_000;

export interface KeptBar {
  readonly seq: number;
  readonly bar: Bar;
  /** The span as JSON. */
  readonly text: string;
}

export type StoreItem =
  | { readonly kind: 'bar'; readonly seq: number; readonly text: string }
  | {
      readonly kind: 'gone';
      readonly seq: number;
      readonly id: string;
      /** `BarStore.forgotten` when the change is sent. */
      readonly forgotten: number;
    }
  | { readonly kind: 'sources'; readonly seq: number; readonly sources: readonly SourceState[] }
  /** The missed changes are no longer known. The reader must read everything again. */
  | { readonly kind: 'reset'; readonly seq: number };

export interface BarStoreOptions {
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly maxBars?: number;
  readonly maxChanges?: number;
}

export class BarStore {
  readonly #maxBars: number;
  readonly #maxChanges: number;
  /** All spans by id, in the order of their last change. */
  readonly #bars = new Map<string, KeptBar>();
  readonly #sources = new Map<string, string | null>();
  readonly #wakeups = new Wakeups();
  /** Ids of the changed spans, in the order of the changes. */
  #changes: string[] = [];
  #firstSeq: number;
  #units = 0;
  #forgotten = 0;

  constructor({ clock, maxBars = MAX_BARS, maxChanges = MAX_CHANGES }: BarStoreOptions) {
    this.#maxBars = maxBars;
    this.#maxChanges = maxChanges;
    this.#firstSeq = clock.nowMs() * CHANGES_PER_MS;
  }

  /** Number of the last change. */
  get seq(): number {
    return this.#firstSeq + this.#changes.length - 1;
  }

  /** Number of spans that were dropped because they were the oldest. */
  get forgotten(): number {
    return this.#forgotten;
  }

  sources(): readonly SourceState[] {
    return [...this.#sources].map(([name, problem]) => ({ name, problem }));
  }

  /** Sets the state of a source. `problem` is null if the source works. */
  setSource(name: string, problem: string | null): void {
    if (this.#sources.get(name) === problem) return;
    this.#sources.set(name, problem);
    this.#note(SOURCES);
  }

  get(id: string): Bar | undefined {
    return this.#bars.get(id)?.bar;
  }

  /** Stores a span in place of the one with its id. If it equals that one, nothing changes. */
  put(given: Bar): void {
    const bar = boundBar(given);
    const text = JSON.stringify(bar);
    const known = this.#bars.get(bar.id);
    if (known?.text === text) return;
    this.#units += text.length - (known?.text.length ?? 0);
    // Deleted first, since a map keeps the position of an existing key.
    this.#bars.delete(bar.id);
    this.#bars.set(bar.id, { seq: this.seq + 1, bar, text });
    this.#note(bar.id);
    if (this.#bars.size > this.#maxBars || this.#units > MAX_UNITS) this.#forget();
  }

  /** All spans, in the order of their last change. */
  all(): IterableIterator<KeptBar> {
    return this.#bars.values();
  }

  /** Yields the changes after number `after`, then each new change, until the signal aborts. */
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

  /** null: the span has changed again, and only its later change is sent. */
  #itemOf(id: string, seq: number): StoreItem | null {
    if (id === SOURCES) return { kind: 'sources', seq, sources: this.sources() };
    const kept = this.#bars.get(id);
    if (kept === undefined) return { kind: 'gone', seq, id, forgotten: this.#forgotten };
    return kept.seq === seq ? { kind: 'bar', seq, text: kept.text } : null;
  }

  #note(id: string): void {
    this.#changes.push(id);
    // The list is cut only at twice the limit, so that not every change copies it.
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

/** Orders spans for dropping: ended spans before open ones, then the oldest first. */
function byWorth({ bar: one }: KeptBar, { bar: other }: KeptBar): number {
  const isOpen = (bar: Bar): number => (bar.endMs === null ? 1 : 0);
  return isOpen(one) - isOpen(other) || one.startMs - other.startMs;
}

/** Maximum length of an id, UTF-16 units. The ids of objects with the longest names that Kubernetes allows fit. */
const MAX_ID = 500;
/** Maximum length of a text, UTF-16 units. */
const MAX_NAME = 300;
const MAX_SENTENCE = 2_000;
/** Maximum length of the end of an output stream, UTF-16 units. The record of the attempt has the whole tail. */
const MAX_TAIL = 4_096;
const MAX_EVIDENCE = 24;

/** The span with all texts cut to their maximum length, whatever its source has written. Pure. */
function boundBar(bar: Bar): Bar {
  return {
    ...bar,
    id: bar.id.slice(0, MAX_ID),
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
