/**
 * One request on its way into a window. It decides anew with each state of the window, until it is admitted, the freeze
 * has failed, or its time is over.
 *
 * It writes only new windows and its own UID.
 */
import type { ObjectKey } from '../../../kube/object.ts';
import type { CancelSignal } from '../../../platform/platform.ts';
import { sleep } from '../../../platform/sleep.ts';
import { isRefusal } from '../app/acting.ts';
import { FREEZE_TIMEOUT } from '../app/decide-window.ts';
import type { ApplicationSnapshot, CutSignal } from '../kinds.ts';
import { chooseWindow, isOverWindow, type WindowStep } from './choose-window.ts';
import { type Entered, entryOf, type GuardedRequest } from './entry.ts';
import { windowFor, type WindowInput, windowNumber } from './guard-window.ts';
import type { GuardWorld } from './guard-world.ts';
import { readWindows } from './read-guards.ts';
import type { Rest } from './rest.ts';

export interface EnteringOptions {
  readonly wanted: GuardedRequest;
  readonly world: GuardWorld;
  readonly signal: CancelSignal;
  readonly input: WindowInput;
  readonly cutSignal: CutSignal;
  readonly window: ApplicationSnapshot | null;
}

export class Entering {
  readonly #options: EnteringOptions;
  #window: ApplicationSnapshot | null;
  #joined: string | null = null;
  #newestNumber: number;
  #waitsFor = '';

  constructor(options: EnteringOptions) {
    this.#options = options;
    this.#window = options.window;
    this.#newestNumber = options.input.guard.status?.newestNumber ?? 0;
    this.#count(options.window);
  }

  async until(endMs: number, seconds: number): Promise<Entered> {
    const { wanted, input } = this.#options;
    const claimNames = wanted.claims.map(({ name }) => name);
    while (this.#hasTime(endMs)) {
      const hasHalfItsTime = this.#leftMs(endMs) >= (seconds * 1_000) / 2;
      const nowMs = this.#options.world.platform.clock.nowMs();
      const known = { joined: this.#joined, newestNumber: this.#newestNumber };
      const overForMs = this.#overForMs();
      const waiting = { claimNames, input, hasHalfItsTime, nowMs, overForMs, ...known };
      const step = chooseWindow(this.#window, { asked: wanted.asked, ...waiting });
      const entered = await this.#take(step, endMs);
      if (entered !== null) return entered;
    }
    const why = `the application was not frozen within ${seconds} s`;
    return this.#failed(FREEZE_TIMEOUT, `${why}: ${this.#whereItWaits()}`);
  }

  #hasTime(endMs: number): boolean {
    return !this.#options.signal.aborted && this.#leftMs(endMs) > 0;
  }

  #leftMs(endMs: number): number {
    return endMs - this.#options.world.platform.clock.monotonicMs();
  }

  #overForMs(): number {
    const window = this.#window;
    if (window === null || !isOverWindow(window)) return 0;
    return this.#options.world.endTimes.sinceMs(window);
  }

  #whereItWaits(): string {
    if (this.#window === null) return 'the API server answered too slowly to open a window';
    const { metadata, status } = this.#window;
    const why = this.#waitsFor;
    const state = why === '' ? `is ${status?.phase ?? 'Pending'}` : `is open, and ${why}`;
    return `window ${metadata?.name ?? ''} ${state}`;
  }

  /** Takes one step. null: decide again. */
  async #take(step: WindowStep, endMs: number): Promise<Entered | null> {
    switch (step.kind) {
      case 'admitted':
        return { kind: 'admitted' };
      case 'failed':
        return this.#failed(step.reason, step.message);
      case 'open':
        return this.#open(step.number);
      case 'rest':
        return this.#rest(step, endMs);
      case 'admit':
        return this.#admit();
      case 'join':
        return this.#wait('');
      case 'wait':
        return this.#wait(step.message);
      default:
        return step satisfies never;
    }
  }

  /**
   * Waits for the next state of the window. `message`: why the open window is not for this request; '': the request
   * waits for the window's freeze.
   */
  async #wait(message: string): Promise<null> {
    this.#waitsFor = message;
    if (message === '') this.#joined = this.#window?.metadata?.uid ?? null;
    const { world, signal } = this.#options;
    const seen = this.#window?.metadata?.resourceVersion;
    await this.#read((key) => world.reads.next(key, seen, signal));
    return null;
  }

  /** Another request that waits the same time may open the next window first. */
  async #rest({ ms, message }: Rest, endMs: number): Promise<Entered | null> {
    if (ms >= this.#leftMs(endMs)) return this.#failed('Resting', message);
    const { world, signal } = this.#options;
    await sleep(world.platform.timers, ms, signal);
    await this.#read((key) => world.reads.window(key));
    return null;
  }

  async #open(number: number): Promise<Entered | null> {
    const { world, input } = this.#options;
    try {
      this.#newestNumber = number;
      this.#window = await world.openings.open(windowFor(input, number));
      return null;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return this.#failed('WindowRefused', `its window cannot be created: ${error.message}`);
    }
  }

  async #admit(): Promise<Entered | null> {
    const { world, wanted, cutSignal } = this.#options;
    const window = this.#window;
    if (window === null) return null;
    this.#joined = window.metadata?.uid ?? null;
    const entry = entryOf(wanted, { cutSignal, nowMs: world.platform.clock.nowMs() });
    if (await world.admissions.admit(window, entry)) return { kind: 'admitted' };
    await this.#read((key) => world.reads.window(key));
    return null;
  }

  async #read(newest: (key: ObjectKey) => Promise<ApplicationSnapshot | null>): Promise<void> {
    const { world, wanted, signal } = this.#options;
    const { namespace = '', name = '' } = this.#window?.metadata ?? {};
    this.#window =
      (await newest({ namespace, name })) ??
      (await readWindows(world, wanted.guard, signal)).at(-1) ??
      null;
    this.#count(this.#window);
  }

  #count(window: ApplicationSnapshot | null): void {
    const number = window === null ? 0 : windowNumber(window);
    this.#newestNumber = Math.max(this.#newestNumber, number);
  }

  #failed(reason: string, message: string): Entered {
    const { cutSignal } = this.#options;
    return { kind: 'failed', reason, message, window: this.#window, cutSignal };
  }
}
