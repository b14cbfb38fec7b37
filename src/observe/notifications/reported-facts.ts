/**
 * Remembers which facts were accepted for sending, and which were delivered. Pure, and bounded. After a restart only
 * the delivered facts are known: all others are accepted again, with the same ids (ENG-N1).
 */
import type { Notification } from '../../model/event.ts';
import { sha256 } from '../../platform/digests.ts';

/** Maximum number of remembered ids, and of remembered problems; the oldest are dropped first. */
export const KEPT_MAX = 1_000;
const ID_LENGTH = 32;

/** The stored form of the delivered facts. */
export interface DeliveredFacts {
  readonly ids: readonly string[];
  /** For each problem, the id of the fact that opened it. */
  readonly open: Readonly<Record<string, string>>;
}

export interface AcceptedFact {
  /** The same id in every process that reports the fact. */
  readonly id: string;
  readonly problem: string;
  readonly state: Notification['state'];
}

export class ReportedFacts {
  /** Whether a fact of this type that clears no open problem is sent too. */
  readonly #sendsClear: (type: Notification['type']) => boolean;
  readonly #accepted = new Map<string, true>();
  readonly #open = new Map<string, string>();
  readonly #delivered = new Map<string, true>();
  readonly #deliveredOpen = new Map<string, string>();

  constructor(sendsClear: (type: Notification['type']) => boolean) {
    this.#sendsClear = sendsClear;
  }

  /** Adds the facts that another process has delivered. */
  restore({ ids, open }: DeliveredFacts): void {
    for (const id of ids) {
      put(this.#accepted, id, true);
      put(this.#delivered, id, true);
    }
    for (const [problem, id] of Object.entries(open)) {
      put(this.#open, problem, id);
      put(this.#deliveredOpen, problem, id);
    }
  }

  /** null: the fact was already accepted, or it clears a problem that is not open. */
  accept({ id: fact, type, problem, state }: Notification): AcceptedFact | null {
    const opened = this.#open.get(problem);
    if (state === 'clear' && opened === undefined && !this.#sendsClear(type)) return null;
    const id = idOf(fact ?? `${opened ?? problem}/clear`);
    if (this.#accepted.has(id)) return null;
    put(this.#accepted, id, true);
    if (state === 'open') put(this.#open, problem, id);
    else this.#open.delete(problem);
    return { id, problem, state };
  }

  delivered({ id, problem, state }: AcceptedFact): void {
    put(this.#delivered, id, true);
    if (state === 'open') put(this.#deliveredOpen, problem, id);
    else this.#deliveredOpen.delete(problem);
  }

  stored(): DeliveredFacts {
    return {
      ids: [...this.#delivered.keys()],
      open: Object.fromEntries(this.#deliveredOpen),
    };
  }
}

function idOf(fact: string): string {
  return sha256(fact).slice(0, ID_LENGTH);
}

/** Inserts the entry as the newest one; drops the oldest entry if there are too many. */
function put<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= KEPT_MAX) return;
    map.delete(oldest);
  }
}
