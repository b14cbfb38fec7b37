import type { Note } from '../../../src/controller/event-correlator.ts';
import {
  EventRecorder,
  type EventRecorderOptions,
} from '../../../src/controller/event-recorder.ts';

/** What is told to people, before it is counted together or held back: no Event is stored here. */
export class HeardRecorder extends EventRecorder {
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
