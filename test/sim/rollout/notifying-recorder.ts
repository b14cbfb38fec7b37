import type { Note } from '../../../src/controller/event-correlator.ts';
import {
  EventRecorder,
  type EventRecorderOptions,
} from '../../../src/controller/event-recorder.ts';

/** The Events for users, before they are aggregated or rate limited: none is stored here. */
export class NotifyingRecorder extends EventRecorder {
  readonly #hear: (note: Note) => void;

  constructor(options: EventRecorderOptions, hear: (note: Note) => void) {
    super(options);
    this.#hear = hear;
  }

  override record(note: Note): void {
    this.#hear(note);
  }

  override as(): EventRecorder {
    return this;
  }
}
