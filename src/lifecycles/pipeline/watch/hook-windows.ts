/** Records when the host hooks of an iteration ran: a change at such a time is attributed to the hook. */
import type { Clock } from '../../../platform/platform.ts';
import type { EventBody } from '../events/event-stream.ts';
import type { CallbackType } from '../events/pipeline-event.ts';

export interface HookWindow {
  readonly address: string;
  readonly callback: CallbackType;
  /** Wall clock milliseconds, like the times of files. */
  readonly fromMs: number;
  /** Wall clock milliseconds; null: the hook is still running. */
  readonly toMs: number | null;
}

/**
 * Milliseconds by which the time of a file may be too early: the kernel sets it to its last clock tick. It is never too
 * late.
 */
const GRAIN_MS = 20;

/** Milliseconds by which the time of a file may exceed the clock, which has only whole milliseconds. */
const ROUNDING_MS = 1;

/** Maximum number of recorded hooks per iteration. No change is attributed to further hooks. */
const MAX_WINDOWS = 10_000;

export class HookWindows {
  readonly #clock: Pick<Clock, 'nowMs'>;
  #windows: HookWindow[] = [];
  #begunMs: number;

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.#clock = clock;
    this.#begunMs = clock.nowMs();
  }

  /** Starts a new iteration and forgets earlier windows. */
  begin(): void {
    this.#windows = [];
    this.#begunMs = this.#clock.nowMs();
  }

  /** The earliest time that a file written in the current or last iteration can have, in wall clock milliseconds. */
  get begunMs(): number {
    return this.#begunMs - GRAIN_MS;
  }

  /** Records when hooks run. Call it with every event of the session. */
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
   * Whether a file with this time was written before the iteration began. File times are early, so a hook that ran in
   * the first milliseconds may have written the file instead.
   */
  isBefore(timeMs: number): boolean {
    return timeMs <= this.#begunMs + ROUNDING_MS;
  }

  /** The hooks that ran at this time of the wall clock. */
  at(timeMs: number): readonly HookWindow[] {
    return this.#windows.filter(
      ({ fromMs, toMs }) =>
        timeMs >= fromMs - GRAIN_MS && (toMs === null || timeMs <= toMs + ROUNDING_MS),
    );
  }
}
