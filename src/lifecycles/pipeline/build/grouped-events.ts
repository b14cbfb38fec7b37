/**
 * Groups the events of parallel builds by build, in the order in which the builds started (PIPE-CASE43): events of the
 * first are emitted at once, those of the others are held until it is their turn.
 */
import type { Clock } from '../../../platform/platform.ts';
import type { EventBody } from '../events/event-stream.ts';

/** Maximum events per build, including lines of output; output above it is emitted without waiting for its turn. */
export const MAX_HELD_EVENTS = 10_000;

type Emit = (event: EventBody) => void;

interface Group {
  held: EventBody[];
  /** Events in `held`. */
  count: number;
  ended: boolean;
}

export class GroupedEvents {
  readonly #emit: Emit;
  readonly #clock: Pick<Clock, 'nowMs'>;
  /** In the order in which they started; events of the first are emitted at once. */
  readonly #groups: Group[] = [];

  constructor(emit: Emit, clock: Pick<Clock, 'nowMs'>) {
    this.#emit = emit;
    this.#clock = clock;
  }

  /** For one build: emits its events, and its end; `end` must always be called. */
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

  #hold(group: Group, event: EventBody): void {
    const count = event.type === 'OutputLines' ? event.count : 1;
    if (group.count + count > MAX_HELD_EVENTS) this.#release(group);
    group.count += count;
    group.held.push({ ...event, atMs: this.#clock.nowMs() });
  }

  /** Removes ended groups, and emits the held events of the groups that are first then. */
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
