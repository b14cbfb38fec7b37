import type { Note } from '../../../src/controller/event-correlator.ts';
import {
  EventRecorder,
  type EventRecorderOptions,
} from '../../../src/controller/event-recorder.ts';

/** Passes each Event to a listener, before aggregation and rate limits. It stores no Event on the server. */
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
