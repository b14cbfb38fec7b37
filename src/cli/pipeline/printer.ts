/**
 * Prints a pipeline for users: each event as a line. On a terminal the last line shows the running steps and their
 * duration. If stdout is reserved for a result (manifests, JSON), everything else is printed on stderr.
 */
import type {
  OutputLines,
  PipelineEvent,
} from '../../lifecycles/pipeline/events/pipeline-event.ts';
import type { Clock, Timers } from '../../platform/platform.ts';
import { eventLines, linesText } from './event-text.ts';

export interface Screen {
  readonly write: (text: string) => void;
  /** Width of the terminal; null: the stream is not a terminal. */
  readonly columns: () => number | null;
}

export interface PrinterOptions {
  /** The stream of progress and output. */
  readonly out: Screen;
  /** The stream of problems. */
  readonly err: Screen;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly timers: Timers;
}

const REDRAW_MS = 1_000;
const MS_PER_SECOND = 1_000;
const CLEAR_LINE = '\r\u001b[2K';

export class Printer {
  readonly #options: PrinterOptions;
  readonly #running: RunningNow;
  #shown = false;
  #stopTimer: (() => void) | null = null;

  constructor(options: PrinterOptions) {
    this.#options = options;
    this.#running = new RunningNow(options.clock);
  }

  /** Prints the lines of an event. A property, so that it can be passed as a listener. */
  readonly listen = (event: PipelineEvent): void => {
    this.#running.add(event);
    for (const { kind, text } of eventLines(event)) {
      if (kind === 'problem') this.problem(text);
      else this.progress(text);
    }
    this.#draw();
  };

  /**
   * Output lines have their own listener: they are by far the most frequent events, and do not change the set of
   * running steps.
   */
  readonly lines = (lines: OutputLines): void => {
    this.progress(linesText(lines));
    this.#draw();
  };

  progress(text: string): void {
    this.#line(this.#options.out, text);
  }

  problem(text: string): void {
    this.#line(this.#options.err, text);
  }

  /** Clears the line of running steps, and no longer updates it. */
  close(): void {
    this.#stopTimer?.();
    this.#stopTimer = null;
    this.#clear();
  }

  #line(screen: Screen, text: string): void {
    this.#clear();
    screen.write(`${text}\n`);
  }

  #clear(): void {
    if (this.#shown) this.#options.out.write(CLEAR_LINE);
    this.#shown = false;
  }

  #draw(): void {
    const columns = this.#options.out.columns();
    if (columns === null) return;
    this.#clear();
    this.#stopTimer?.();
    this.#stopTimer = null;
    const now = this.#running.now();
    if (now === null) return;
    const text = `… ${now.names.join(', ')}, ${Math.round(now.forMs / MS_PER_SECOND)} s`;
    this.#options.out.write(text.slice(0, Math.max(0, columns - 1)));
    this.#shown = true;
    this.#stopTimer = this.#options.timers.after(REDRAW_MS, () => {
      this.#draw();
    });
  }
}

export interface Running {
  /** The names of the steps, in the order of their start. */
  readonly names: readonly string[];
  /** Milliseconds since the first of these steps started. */
  readonly forMs: number;
}

/** The set of running steps of a pipeline: hooks by their addresses, and phases by phase and subject. */
class RunningNow {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #hooks = new Map<string, number>();
  readonly #phases = new Map<string, number>();

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  add(event: PipelineEvent): void {
    if (event.type === 'PhaseEvent') {
      const { phase, subject, status } = event;
      const name = subject === undefined ? phase : `${phase} ${subject}`;
      this.#note(this.#phases, name, status === 'InProgress');
    } else if (event.type === 'HostCallbackEvent' || event.type === 'ContainerCallbackEvent') {
      const { address, container, status } = event;
      const name = container === undefined ? address : `${address} in ${container}`;
      this.#note(this.#hooks, name, status === 'InProgress');
    } else if (event.type === 'Ended') {
      this.#hooks.clear();
      this.#phases.clear();
    }
  }

  /** The running hooks; if no hook runs, the running phases. null: nothing runs. */
  now(): Running | null {
    const shown = this.#hooks.size > 0 ? this.#hooks : this.#phases;
    const [first] = shown.values();
    if (first === undefined) return null;
    return { names: [...shown.keys()], forMs: this.#clock.monotonicMs() - first };
  }

  #note(running: Map<string, number>, name: string, begins: boolean): void {
    if (!begins) running.delete(name);
    else if (!running.has(name)) running.set(name, this.#clock.monotonicMs());
  }
}
