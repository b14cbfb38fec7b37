/**
 * Keeps the newest events of a stream, by number. Lines of output and other events have separate limits, so that much
 * output evicts no hook event. Lines that were printed together are split into events only when a reader needs them.
 */
import type { Masker } from '../../../model/secrets.ts';
import { maskEvent } from './pipeline-event.ts';
import type { EventStamp, OutputLines, PipelineEvent } from './pipeline-event.ts';

export type StampedLines = OutputLines & EventStamp;

export interface KeptEvent {
  /** The number of the event in the stream, from 1. */
  readonly id: number;
  readonly event: PipelineEvent;
}

type Group = 'output' | 'other';

interface Entry {
  readonly group: Group;
  readonly firstId: number;
  readonly count: number;
  /** Lines that are not split into events yet; null: `events` has them. */
  lines: StampedLines | null;
  events: readonly PipelineEvent[];
}

export class EventHistory {
  readonly #limit: number;
  #entries: Entry[] = [];
  #nextId = 1;
  /** The number of kept events in each group. */
  readonly #counts = { output: 0, other: 0 };

  /** `limit`: the minimum number of events that are kept of each group. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  add(event: PipelineEvent): void {
    const group = event.type === 'Output' ? 'output' : 'other';
    this.#add({ group, count: 1, lines: null, events: [event] });
  }

  addLines(lines: StampedLines): void {
    this.#add({ group: 'output', count: lines.count, lines, events: [] });
  }

  /** The first kept event with this number or a higher one; null: there is none yet. */
  from(id: number): KeptEvent | null {
    const entry = this.#entries[this.#placeOf(id)];
    if (entry === undefined) return null;
    const at = Math.max(id, entry.firstId);
    const event = eventsOf(entry)[at - entry.firstId];
    return event === undefined ? null : { id: at, event };
  }

  all(): readonly PipelineEvent[] {
    return this.#entries.flatMap((entry) => eventsOf(entry));
  }

  mask(masker: Pick<Masker, 'text'>): void {
    for (const entry of this.#entries) {
      entry.events = eventsOf(entry).map((event) => maskEvent(event, masker));
    }
  }

  #add(entry: Omit<Entry, 'firstId'>): void {
    const { group, count } = entry;
    this.#entries.push({ firstId: this.#nextId, ...entry });
    this.#nextId += count;
    this.#counts[group] += count;
    // Cuts only at twice the limit, so that not every event copies the history.
    if (this.#counts[group] > 2 * this.#limit) this.#cut(group);
  }

  /** Drops the oldest events of a group. Lines that were printed together are dropped together. */
  #cut(group: Group): void {
    let isOlder = true;
    this.#entries = this.#entries.filter((entry) => {
      if (!isOlder || entry.group !== group) return true;
      isOlder = this.#counts[group] - entry.count >= this.#limit;
      if (isOlder) this.#counts[group] -= entry.count;
      return !isOlder;
    });
  }

  /** The index of the first entry whose last event has this number or a higher one. */
  #placeOf(id: number): number {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const { firstId = id, count = 1 } = this.#entries[middle] ?? {};
      if (firstId + count <= id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function eventsOf(entry: Entry): readonly PipelineEvent[] {
  if (entry.lines !== null) entry.events = eventsIn(entry.lines);
  entry.lines = null;
  return entry.events;
}

/**
 * Splits lines that were printed together into single events. Worked example: the lines "a\nb" become two events, a and
 * b, with the same time.
 */
export function eventsIn({ atMs, runId, source, stream, text }: StampedLines): PipelineEvent[] {
  return text.split('\n').map((line) => ({ atMs, runId, type: 'Output', source, stream, line }));
}
