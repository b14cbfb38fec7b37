/**
 * What several builds tell at once, one build after another in the order in which they began (PIPE-CASE43): that of the
 * first is told as it comes, that of the others is held until it is their turn.
 */
import type { Clock } from '../../../platform/platform.ts';
import type { EventBody } from '../events/event-stream.ts';

/** Of one build, where a line of output is an event too; what it prints beyond that is told without waiting for its turn. */
export const MAX_HELD_EVENTS = 10_000;

type Tell = (event: EventBody) => void;

interface Group {
  held: EventBody[];
  /** Events in `held`. */
  count: number;
  ended: boolean;
}

export class GroupedEvents {
  readonly #tell: Tell;
  readonly #clock: Pick<Clock, 'nowMs'>;
  /** In the order in which they began; the first is told at once. */
  readonly #groups: Group[] = [];

  constructor(tell: Tell, clock: Pick<Clock, 'nowMs'>) {
    this.#tell = tell;
    this.#clock = clock;
  }

  /** For one build: what it tells, and its end, which has to be told in any case. */
  begin(): { readonly tell: Tell; readonly end: () => void } {
    const group: Group = { held: [], count: 0, ended: false };
    this.#groups.push(group);
    return {
      tell: (event) => {
        if (this.#groups[0] === group) this.#tell(event);
        else this.#hold(group, event);
      },
      end: () => {
        group.ended = true;
        this.#goOn();
      },
    };
  }

  #hold(group: Group, event: EventBody): void {
    const count = event.type === 'OutputLines' ? event.count : 1;
    if (group.count + count > MAX_HELD_EVENTS) this.#release(group);
    group.count += count;
    group.held.push({ ...event, atMs: this.#clock.nowMs() });
  }

  /** Past those that have ended, to the one that is told as it comes. */
  #goOn(): void {
    while (this.#groups[0]?.ended === true) {
      this.#groups.shift();
      for (const next of this.#groups.slice(0, 1)) this.#release(next);
    }
  }

  #release(group: Group): void {
    group.count = 0;
    for (const event of group.held.splice(0)) this.#tell(event);
  }
}
