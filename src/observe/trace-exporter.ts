/** Sends spans to a collector, in batches of one second. */
import type { Timers } from '../platform/platform.ts';
import { type PostAnswer, type SendNote, SendQueue } from './send-queue.ts';
import type { Span } from './trace-span.ts';

export interface TraceExporterOptions {
  /** Sends one batch of spans. Never rejects, and resolves within a bounded time. */
  readonly post: (spans: readonly Span[], signal: AbortSignal) => Promise<PostAnswer>;
  readonly timers: Timers;
  readonly observe: (note: TraceNote) => void;
}

export type TraceNote =
  | { readonly type: 'SpansSent'; readonly spans: number }
  /** The collector accepts no spans now. They wait and are sent again. */
  | { readonly type: 'CollectorBusy'; readonly why: string }
  | { readonly type: 'SpansDropped'; readonly spans: number; readonly why: string };

export const QUEUE_SPANS_MAX = 2_048;
export const BATCH_SPANS_MAX = 512;
const GATHER_MS = 1_000;
const AGAIN_MS = 5_000;

export function makeTraceExporter({
  post,
  timers,
  observe,
}: TraceExporterOptions): SendQueue<Span> {
  return new SendQueue<Span>({
    post,
    timers,
    observe: (note) => {
      observe(traceNote(note));
    },
    noun: 'spans',
    queueMax: QUEUE_SPANS_MAX,
    batchMax: BATCH_SPANS_MAX,
    gatherMs: GATHER_MS,
    againMs: () => AGAIN_MS,
  });
}

function traceNote(note: SendNote<Span>): TraceNote {
  if (note.type === 'Busy') return { type: 'CollectorBusy', why: note.why };
  const spans = note.items.length;
  return note.type === 'Sent'
    ? { type: 'SpansSent', spans }
    : { type: 'SpansDropped', spans, why: note.why };
}
