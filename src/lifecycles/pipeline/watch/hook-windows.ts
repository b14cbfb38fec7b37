/** When which host hook of an iteration ran: what was changed meanwhile is taken for the hook's own. */
import type { Clock } from '../../../platform/platform.ts';
import type { EventBody } from '../events/event-stream.ts';
import type { CallbackType } from '../events/pipeline-event.ts';

export interface HookWindow {
  readonly address: string;
  readonly callback: CallbackType;
  /** Wall clock, milliseconds, as times of files are. */
  readonly fromMs: number;
  /** null: it still runs. */
  readonly toMs: number | null;
}

/** The kernel gives files the time of its last tick: one that is too early, and never too late. */
const GRAIN_MS = 20;

/** A clock's milliseconds are whole, those of files are not. */
const ROUNDING_MS = 1;

/** Of one iteration; who has more hooks than that is told of fewer of them. */
const MAX_WINDOWS = 10_000;

export class HookWindows {
  readonly #clock: Pick<Clock, 'nowMs'>;
  #windows: HookWindow[] = [];
  #begunMs: number;

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.#clock = clock;
    this.#begunMs = clock.nowMs();
  }

  /** A new iteration: what was before is forgotten. */
  begin(): void {
    this.#windows = [];
    this.#begunMs = this.#clock.nowMs();
  }

  /** Of the iteration that ran last, or runs. */
  get begunMs(): number {
    return this.#begunMs - GRAIN_MS;
  }

  /** Gets every event of the session. */
  see(event: EventBody): void {
    if (event.type !== 'HostCallbackEvent') return;
    const { address, callback, status } = event;
    const nowMs = this.#clock.nowMs();
    if (status === 'InProgress' && this.#windows.length < MAX_WINDOWS) {
      this.#windows.push({ address, callback, fromMs: nowMs, toMs: null });
    }
    if (status !== 'Completed' && status !== 'Failed') return;
    const at = this.#windows.findIndex((one) => one.address === address && one.toMs === null);
    const open = this.#windows[at];
    if (open !== undefined) this.#windows[at] = { ...open, toMs: nowMs };
  }

  /**
   * Hooks that may have written a file at this time and left its content as it was at the beginning of the iteration. A
   * file with a time before that beginning was not written since: the watcher reports an edit late, or twice.
   */
  keptAt(timeMs: number): readonly HookWindow[] {
    return timeMs <= this.#begunMs + ROUNDING_MS ? [] : this.at(timeMs);
  }

  /** Hooks that ran at this time of the wall clock. */
  at(timeMs: number): readonly HookWindow[] {
    return this.#windows.filter(
      ({ fromMs, toMs }) =>
        timeMs >= fromMs - GRAIN_MS && (toMs === null || timeMs <= toMs + ROUNDING_MS),
    );
  }
}
