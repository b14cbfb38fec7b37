/**
 * Implements the event stream of a pipeline. Every event gets a number and a time, is passed to the listeners at once,
 * and is added to a bounded history. Subscribers read from that history at their own speed: a subscriber that is too
 * slow or reconnects too late gets the number of missed events, and delays no other subscriber. The limits for output
 * and for other events are separate, so that much output evicts no hook event.
 */
import type { Masker } from '../../../model/secrets.ts';
import { maskShapes } from '../../../model/secret-shapes.ts';
import type { CancelSignal, Clock } from '../../../platform/platform.ts';
import { Wakeups } from '../../../platform/wakeups.ts';
import { EventHistory, eventsIn, type StampedLines } from './event-history.ts';
import { maskEvent } from './pipeline-event.ts';
import type { OutputLines, PipelineEvent } from './pipeline-event.ts';

/** An event as it is emitted. The stream adds the run, and also the time if the event has none. */
export type EventBody = (WithoutStamp<PipelineEvent> | OutputLines) & { readonly atMs?: number };

type WithoutStamp<E> = E extends unknown ? Omit<E, 'atMs' | 'runId'> : never;

export type StreamItem =
  | { readonly kind: 'event'; readonly id: number; readonly event: PipelineEvent }
  /** Number of events before this one that are no longer kept. */
  | { readonly kind: 'missed'; readonly count: number };

/**
 * Minimum number of lines of output that are kept for late or slow subscribers, and of other events. Up to twice as
 * many are kept.
 */
export const MAX_HISTORY_EVENTS = 10_000;

const byShape: Pick<Masker, 'text'> = { text: maskShapes };

export interface EventStreamOptions {
  readonly runId: string;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly historyLimit?: number;
}

export class EventStream {
  readonly #options: Required<EventStreamOptions>;
  readonly #listeners = new Set<Listener>();
  readonly #wakeups = new Wakeups();
  readonly #history: EventHistory;
  #closed = false;

  constructor(options: EventStreamOptions) {
    this.#options = { historyLimit: MAX_HISTORY_EVENTS, ...options };
    this.#history = new EventHistory(this.#options.historyLimit);
  }

  emit(body: EventBody): void {
    if (this.#closed) return;
    const { runId, clock } = this.#options;
    const stamped = { atMs: clock.nowMs(), runId, ...body };
    if (stamped.type === 'OutputLines') this.#reportLines(stamped);
    else this.#reportEvent(stamped);
    this.#wakeups.wake();
  }

  /**
   * Calls the listener with each event from now on. A listener that throws is removed. Returns a function that
   * unsubscribes. `onLines` gets lines that were printed together; without it, each of these lines is an event.
   */
  listen(
    onEvent: (event: PipelineEvent) => void,
    onLines: (lines: StampedLines) => void = (lines) => {
      for (const event of eventsIn(lines)) onEvent(event);
    },
  ): () => void {
    const listener: Listener = { onEvent, onLines };
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /**
   * Yields the kept events after `afterId` (0: all), then new ones, until the signal aborts or the stream is closed.
   */
  async *subscribe(afterId: number, signal: CancelSignal): AsyncGenerator<StreamItem, void> {
    let next = afterId + 1;
    while (!signal.aborted) {
      const kept = this.#history.from(next);
      if (kept !== null) {
        if (kept.id > next) yield { kind: 'missed', count: kept.id - next };
        yield { kind: 'event', ...kept };
        next = kept.id + 1;
      } else if (this.#closed) {
        return;
      } else {
        await this.#wakeups.next(signal);
      }
    }
  }

  /** All kept events. */
  history(): readonly PipelineEvent[] {
    return this.#history.all();
  }

  /** Masks, in kept events, secrets that became known only after the events were emitted. */
  maskEarlier(masker: Pick<Masker, 'text'>): void {
    this.#history.mask(masker);
  }

  /** Stops the stream: later events are dropped. Subscribers first read the kept events, and then end. */
  close(): void {
    this.#closed = true;
    this.#wakeups.wake();
  }

  #reportEvent(stamped: PipelineEvent): void {
    // Lines of output were masked when they were read, piece by piece.
    const event = stamped.type === 'Output' ? stamped : maskEvent(stamped, byShape);
    this.#history.add(event);
    this.#notify(({ onEvent }) => {
      onEvent(event);
    });
  }

  #reportLines(lines: StampedLines): void {
    this.#history.addLines(lines);
    this.#notify(({ onLines }) => {
      onLines(lines);
    });
  }

  #notify(call: (listener: Listener) => void): void {
    for (const listener of this.#listeners) {
      try {
        call(listener);
      } catch {
        this.#listeners.delete(listener);
      }
    }
  }
}

interface Listener {
  readonly onEvent: (event: PipelineEvent) => void;
  readonly onLines: (lines: StampedLines) => void;
}
