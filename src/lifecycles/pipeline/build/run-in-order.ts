/**
 * Runs tasks with requirements: in parallel, each after its requirements have succeeded (PIPE-CASE43).
 *
 * Groups the events of parallel builds by build, in the order in which the builds started (PIPE-CASE43): events of the
 * first are emitted at once, those of the others are held until it is their turn.
 */
import type { Masker } from '../../../model/secrets.ts';
import type { Clock } from '../../../platform/platform.ts';
import type { EventBody } from '../events/event-stream.ts';
import { maskEvent } from '../events/pipeline-event.ts';

export interface OrderedWork<T> {
  /** The unique name of the task. */
  readonly key: string;
  readonly requires: readonly string[];
  readonly value: T;
}

export interface OrderedRun<T, R> {
  /** Maximum number of parallel tasks; 0: no limit. */
  readonly concurrency: number;
  /** Must not reject for a failure that the other tasks should survive. */
  readonly run: (value: T) => Promise<R>;
  readonly succeeded: (result: R) => boolean;
}

/**
 * Results by key. After a failure no task is started, and running tasks are awaited: the caller may then remove the
 * files that tasks use. Rejects with the first error of a task. A task without a result was never started. A
 * requirement that is not in the list is not waited for.
 */
export async function runInOrder<T, R>(
  work: readonly OrderedWork<T>[],
  { concurrency, run, succeeded }: OrderedRun<T, R>,
): Promise<ReadonlyMap<string, R>> {
  const keys = new Set(work.map(({ key }) => key));
  const results = new Map<string, R>();
  const running = new Map<string, Promise<void>>();
  const waiting = [...work];
  const state: { failed: boolean; errors: unknown[] } = { failed: false, errors: [] };
  const isReady = ({ requires }: OrderedWork<T>): boolean =>
    requires.every((one) => !keys.has(one) || results.has(one));
  const start = async ({ key, value }: OrderedWork<T>): Promise<void> => {
    try {
      const result = await run(value);
      results.set(key, result);
      state.failed ||= !succeeded(result);
    } catch (error) {
      // Stored instead of thrown: Promise.race would report only one of several tasks that fail together.
      state.failed = true;
      state.errors.push(error);
    } finally {
      running.delete(key);
    }
  };
  for (;;) {
    const free = concurrency === 0 ? waiting.length : concurrency - running.size;
    const next = state.failed
      ? []
      : waiting.filter((one) => isReady(one)).slice(0, Math.max(0, free));
    for (const one of next) {
      waiting.splice(waiting.indexOf(one), 1);
      running.set(one.key, start(one));
    }
    if (running.size === 0) break;
    await Promise.race(running.values());
  }
  if (state.errors.length > 0) throw state.errors[0];
  return results;
}

/**
 * The maximum number of held events per build, counting each line of output. A build that exceeds it has its held
 * events emitted out of turn.
 */
export const MAX_HELD_EVENTS = 10_000;

type Emit = (event: EventBody) => void;

interface Group {
  held: EventBody[];
  /** The number of events in `held`, counting each line of output. */
  count: number;
  ended: boolean;
}

export class GroupedEvents {
  readonly #emit: Emit;
  readonly #clock: Pick<Clock, 'nowMs'>;
  /** In the order in which the builds started. Events of the first group are emitted at once. */
  readonly #groups: Group[] = [];

  constructor(emit: Emit, clock: Pick<Clock, 'nowMs'>) {
    this.#emit = emit;
    this.#clock = clock;
  }

  /** Starts the group of one build. `emit` takes its events; `end` must always be called. */
  begin(): { readonly emit: Emit; readonly end: () => void } {
    const group: Group = { held: [], count: 0, ended: false };
    this.#groups.push(group);
    return {
      emit: (event) => {
        if (this.#groups[0] === group) this.#emit(event);
        else this.#hold(group, event);
      },
      end: () => {
        group.ended = true;
        this.#proceed();
      },
    };
  }

  /** Masks secrets in held events, since they may have become known only after the events were held. */
  mask(masker: Pick<Masker, 'text'>): void {
    for (const group of this.#groups) group.held = group.held.map((one) => masked(one, masker));
  }

  #hold(group: Group, event: EventBody): void {
    const count = event.type === 'OutputLines' ? event.count : 1;
    if (group.count + count > MAX_HELD_EVENTS) this.#release(group);
    group.count += count;
    group.held.push({ ...event, atMs: this.#clock.nowMs() });
  }

  /** Removes ended groups at the front, and emits the held events of each group that becomes the first. */
  #proceed(): void {
    while (this.#groups[0]?.ended === true) {
      this.#groups.shift();
      for (const next of this.#groups.slice(0, 1)) this.#release(next);
    }
  }

  #release(group: Group): void {
    group.count = 0;
    for (const event of group.held.splice(0)) this.#emit(event);
  }
}

/** Masks lines that were printed together line by line, so that their number stays. */
function masked(event: EventBody, masker: Pick<Masker, 'text'>): EventBody {
  if (event.type !== 'OutputLines') return maskEvent(event, masker);
  const lines = event.text.split('\n').map((line) => masker.text(line));
  return { ...event, text: lines.join('\n') };
}
