/**
 * The one stream of a pipeline: everything that is told gets a number and a time, goes to the listeners at once and
 * into a bounded history. Subscribers read from that history at their own pace: one that is too slow, or comes back
 * too late, is told how many events it missed, and holds nobody up.
 */
import type { Masker } from '../../../model/secrets.ts';
import { maskShapes } from '../../../model/secret-shapes.ts';
import type { CancelSignal, Clock } from '../../../platform/platform.ts';
import { Wakeups } from '../../../platform/wakeups.ts';
import { maskEvent } from './mask-event.ts';
import type { PipelineEvent } from './pipeline-event.ts';

/** As it is told: the stream adds the time, unless it was earlier than it is told, and the run. */
export type EventBody = WithoutStamp<PipelineEvent> & { readonly atMs?: number };

type WithoutStamp<E> = E extends unknown ? Omit<E, 'atMs' | 'runId'> : never;

export type StreamItem =
  | { readonly kind: 'event'; readonly id: number; readonly event: PipelineEvent }
  /** So many that came before are no longer there. */
  | { readonly kind: 'missed'; readonly count: number };

/** Events that are kept for who comes later or is slow. */
export const MAX_HISTORY_EVENTS = 10_000;

const byShape: Pick<Masker, 'text'> = { text: maskShapes };

export interface EventStreamOptions {
  readonly runId: string;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly historyLimit?: number;
}

export class EventStream {
  readonly #options: Required<EventStreamOptions>;
  readonly #listeners = new Set<(event: PipelineEvent) => void>();
  readonly #wakeups = new Wakeups();
  #history: PipelineEvent[] = [];
  /** The number of the first event in the history; the first of all is 1. */
  #firstId = 1;
  #closed = false;

  constructor(options: EventStreamOptions) {
    this.#options = { historyLimit: MAX_HISTORY_EVENTS, ...options };
  }

  tell(body: EventBody): void {
    if (this.#closed) return;
    const { runId, clock, historyLimit } = this.#options;
    const stamped: PipelineEvent = { atMs: clock.nowMs(), runId, ...body };
    // Lines of output were masked where they came in, piece by piece.
    const event = stamped.type === 'Output' ? stamped : maskEvent(stamped, byShape);
    this.#history.push(event);
    // Twice the limit before it is cut, so that not every event copies it.
    if (this.#history.length > 2 * historyLimit) this.#cut(this.#history.length - historyLimit);
    for (const listener of this.#listeners) this.#notify(listener, event);
    this.#wakeups.wake();
  }

  /** Called at once with each event from now on; one that throws is told nothing more. Returns what ends it. */
  listen(listener: (event: PipelineEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** What is there after `afterId` (0: all), then what comes, until the signal or the stream ends. */
  async *subscribe(afterId: number, signal: CancelSignal): AsyncGenerator<StreamItem, void> {
    let next = afterId + 1;
    while (!signal.aborted) {
      if (next < this.#firstId) {
        yield { kind: 'missed', count: this.#firstId - next };
        next = this.#firstId;
      }
      const event = this.#history[next - this.#firstId];
      if (event !== undefined) {
        yield { kind: 'event', id: next, event };
        next += 1;
      } else if (this.#closed) {
        return;
      } else {
        await this.#wakeups.next(signal);
      }
    }
  }

  /** All that is kept. */
  history(): readonly PipelineEvent[] {
    return this.#history;
  }

  /** In what is kept: secrets that were not known to be some when they were told. */
  maskEarlier(masker: Pick<Masker, 'text'>): void {
    this.#history = this.#history.map((event) => maskEvent(event, masker));
  }

  /** Nothing is told any more; subscribers end when they have read what there is. */
  close(): void {
    this.#closed = true;
    this.#wakeups.wake();
  }

  #cut(count: number): void {
    this.#history = this.#history.slice(count);
    this.#firstId += count;
  }

  #notify(listener: (event: PipelineEvent) => void, event: PipelineEvent): void {
    try {
      listener(event);
    } catch {
      this.#listeners.delete(listener);
    }
  }
}
