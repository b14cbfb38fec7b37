/**
 * The one stream of a pipeline: everything that is told gets a number and a time, goes to the listeners at once and
 * into a bounded history. Subscribers read from that history at their own pace: one that is too slow, or comes back
 * too late, is told how many events it missed, and holds nobody up. Of output and of all other events the same number is
 * kept, so that a flood of output costs no event of a hook.
 */
import type { Masker } from '../../../model/secrets.ts';
import { maskShapes } from '../../../model/secret-shapes.ts';
import type { CancelSignal, Clock } from '../../../platform/platform.ts';
import { Wakeups } from '../../../platform/wakeups.ts';
import { EventHistory, eventsIn, type StampedLines } from './event-history.ts';
import { maskEvent } from './mask-event.ts';
import type { OutputLines, PipelineEvent } from './pipeline-event.ts';

/** As it is told: the stream adds the time, unless it was earlier than it is told, and the run. */
export type EventBody = (WithoutStamp<PipelineEvent> | OutputLines) & { readonly atMs?: number };

type WithoutStamp<E> = E extends unknown ? Omit<E, 'atMs' | 'runId'> : never;

export type StreamItem =
  | { readonly kind: 'event'; readonly id: number; readonly event: PipelineEvent }
  /** So many that came before are no longer there. */
  | { readonly kind: 'missed'; readonly count: number };

/** Lines of output, and as many other events, that are kept for who comes later or is slow. */
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

  tell(body: EventBody): void {
    if (this.#closed) return;
    const { runId, clock } = this.#options;
    const stamped = { atMs: clock.nowMs(), runId, ...body };
    if (stamped.type === 'OutputLines') this.#tellLines(stamped);
    else this.#tellEvent(stamped);
    this.#wakeups.wake();
  }

  /**
   * Called at once with each event from now on; one that throws is told nothing more. Returns what ends it. `onLines` gets
   * lines that were printed together; without it each of them is an event.
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

  /** What is there after `afterId` (0: all), then what comes, until the signal or the stream ends. */
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

  /** All that is kept. */
  history(): readonly PipelineEvent[] {
    return this.#history.all();
  }

  /** In what is kept: secrets that were not known to be some when they were told. */
  maskEarlier(masker: Pick<Masker, 'text'>): void {
    this.#history.mask(masker);
  }

  /** Nothing is told any more; subscribers end when they have read what there is. */
  close(): void {
    this.#closed = true;
    this.#wakeups.wake();
  }

  #tellEvent(stamped: PipelineEvent): void {
    // Lines of output were masked where they came in, piece by piece.
    const event = stamped.type === 'Output' ? stamped : maskEvent(stamped, byShape);
    this.#history.add(event);
    this.#notify(({ onEvent }) => {
      onEvent(event);
    });
  }

  #tellLines(lines: StampedLines): void {
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
