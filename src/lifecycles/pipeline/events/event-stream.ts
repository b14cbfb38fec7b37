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
import { maskEvent } from './mask-event.ts';
import type { PipelineEvent } from './pipeline-event.ts';

/** As it is told: the stream adds the time, unless it was earlier than it is told, and the run. */
export type EventBody = WithoutStamp<PipelineEvent> & { readonly atMs?: number };

type WithoutStamp<E> = E extends unknown ? Omit<E, 'atMs' | 'runId'> : never;

export type StreamItem =
  | { readonly kind: 'event'; readonly id: number; readonly event: PipelineEvent }
  /** So many that came before are no longer there. */
  | { readonly kind: 'missed'; readonly count: number };

/** Lines of output, and as many other events, that are kept for who comes later or is slow. */
export const MAX_HISTORY_EVENTS = 10_000;

type Kept = Extract<StreamItem, { kind: 'event' }>;
type Group = 'output' | 'other';

function groupOf({ type }: PipelineEvent): Group {
  return type === 'Output' ? 'output' : 'other';
}

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
  /** By their numbers, of which the first of all is 1. */
  #history: Kept[] = [];
  #lastId = 0;
  /** Of the history. */
  readonly #counts = { output: 0, other: 0 };
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
    this.#lastId += 1;
    this.#history.push({ kind: 'event', id: this.#lastId, event });
    const group = groupOf(event);
    this.#counts[group] += 1;
    // Twice the limit before it is cut, so that not every event copies it.
    if (this.#counts[group] > 2 * historyLimit) this.#cut(group, historyLimit);
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
      const kept = this.#history[this.#placeOf(next)];
      if (kept !== undefined) {
        if (kept.id > next) yield { kind: 'missed', count: kept.id - next };
        yield kept;
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
    return this.#history.map(({ event }) => event);
  }

  /** In what is kept: secrets that were not known to be some when they were told. */
  maskEarlier(masker: Pick<Masker, 'text'>): void {
    this.#history = this.#history.map((kept) => ({
      ...kept,
      event: maskEvent(kept.event, masker),
    }));
  }

  /** Nothing is told any more; subscribers end when they have read what there is. */
  close(): void {
    this.#closed = true;
    this.#wakeups.wake();
  }

  /** Of the history: where the first event is that has this number or a higher one. */
  #placeOf(id: number): number {
    let low = 0;
    let high = this.#history.length;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.#history[middle]?.id ?? id) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #cut(group: Group, limit: number): void {
    let left = this.#counts[group] - limit;
    this.#history = this.#history.filter(({ event }) => {
      if (left === 0 || groupOf(event) !== group) return true;
      left -= 1;
      return false;
    });
    this.#counts[group] = limit;
  }

  #notify(listener: (event: PipelineEvent) => void, event: PipelineEvent): void {
    try {
      listener(event);
    } catch {
      this.#listeners.delete(listener);
    }
  }
}
