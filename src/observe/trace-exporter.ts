/**
 * Sends spans in batches, without blocking the caller: `add` returns at once and never throws. Spans that a collector
 * does not accept wait in a bounded queue; those that do not fit are dropped and counted.
 */
import type { Timers } from '../platform/platform.ts';
import type { Span } from './trace-span.ts';

/** The result of sending a batch. */
export type PostAnswer =
  | { readonly kind: 'taken' }
  /** A retry would be rejected too. */
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'busy'; readonly why: string };

export interface TraceExporterOptions {
  /** Never rejects, and resolves within a bounded time. */
  readonly post: (spans: readonly Span[], signal: AbortSignal) => Promise<PostAnswer>;
  readonly timers: Timers;
  readonly observe: (note: TraceNote) => void;
}

export type TraceNote =
  | { readonly type: 'SpansSent'; readonly spans: number }
  /** The spans wait, and are sent again. */
  | { readonly type: 'CollectorBusy'; readonly why: string }
  | { readonly type: 'SpansDropped'; readonly spans: number; readonly why: string };

export const QUEUE_SPANS_MAX = 2_048;
export const BATCH_SPANS_MAX = 512;
/** Milliseconds from the first span of a batch to its request. */
const GATHER_MS = 1_000;
const AGAIN_MS = 5_000;
/** Milliseconds for the last batches when the program exits. */
const STOP_MS = 2_000;
const ENDING = 'the program ends';

export class TraceExporter {
  readonly #options: TraceExporterOptions;
  readonly #queue: Span[] = [];
  #callOffTimer: (() => void) | null = null;
  #posting: Promise<void> | null = null;
  readonly #end = new AbortController();
  #stopped = false;

  constructor(options: TraceExporterOptions) {
    this.#options = options;
  }

  add(span: Span): void {
    if (this.#stopped || this.#queue.length >= QUEUE_SPANS_MAX) {
      const why = this.#stopped ? ENDING : `${QUEUE_SPANS_MAX} spans wait already`;
      this.#options.observe({ type: 'SpansDropped', spans: 1, why });
      return;
    }
    this.#queue.push(span);
    this.#wake(GATHER_MS);
  }

  /** Sends the waiting spans, within two seconds; never rejects. */
  async stop(): Promise<void> {
    const { timers, observe } = this.#options;
    this.#stopped = true;
    this.#callOffTimer?.();
    const callOff = timers.after(STOP_MS, () => {
      this.#end.abort();
    });
    await this.#posting;
    const { signal } = this.#end;
    let isTaking = true;
    while (isTaking && !signal.aborted && this.#queue.length > 0) {
      isTaking = await this.#postBatch();
    }
    callOff();
    const spans = this.#queue.splice(0).length;
    if (spans > 0) observe({ type: 'SpansDropped', spans, why: ENDING });
  }

  #wake(inMs: number): void {
    if (this.#callOffTimer !== null || this.#posting !== null || this.#stopped) return;
    this.#callOffTimer = this.#options.timers.after(inMs, () => {
      this.#callOffTimer = null;
      this.#posting = this.#sendOne();
    });
  }

  async #sendOne(): Promise<void> {
    const wasTaken = await this.#postBatch();
    this.#posting = null;
    if (this.#queue.length > 0) this.#wake(wasTaken ? GATHER_MS : AGAIN_MS);
  }

  /** True: the next batch may be sent. */
  async #postBatch(): Promise<boolean> {
    const { post, observe } = this.#options;
    const batch = this.#queue.slice(0, BATCH_SPANS_MAX);
    const answer = await post(batch, this.#end.signal);
    if (answer.kind === 'busy') {
      observe({ type: 'CollectorBusy', why: answer.why });
      return false;
    }
    const spans = this.#queue.splice(0, batch.length).length;
    if (answer.kind === 'taken') observe({ type: 'SpansSent', spans });
    else observe({ type: 'SpansDropped', spans, why: answer.why });
    return true;
  }
}
