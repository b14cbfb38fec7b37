/**
 * Which facts were accepted for sending, and which are known to be delivered. Pure, and bounded. A restart knows only
 * the delivered ones: all others are accepted again, with the same ids (ENG-N1).
 */
import type { Notification } from '../../model/event.ts';
import { sha256 } from '../../platform/digests.ts';

/** The ids of problems by their names; of both the newest are kept. */
export const KEPT_MAX = 1_000;
const ID_LENGTH = 32;

/** The stored form of the known deliveries. */
export interface DeliveredFacts {
  readonly ids: readonly string[];
  /** Keyed by problem: the id of the fact that opened it. */
  readonly open: Readonly<Record<string, string>>;
}

export interface AcceptedFact {
  /** The same for the same fact, in every process. */
  readonly id: string;
  readonly problem: string;
  readonly state: Notification['state'];
}

export class ReportedFacts {
  /** True: a fact that clears nothing is sent too. */
  readonly #sendsClear: (type: Notification['type']) => boolean;
  readonly #accepted = new Map<string, true>();
  readonly #open = new Map<string, string>();
  readonly #delivered = new Map<string, true>();
  readonly #deliveredOpen = new Map<string, string>();

  constructor(sendsClear: (type: Notification['type']) => boolean) {
    this.#sendsClear = sendsClear;
  }

  /** Adds what another process has delivered. */
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

  /** null: it is accepted already, or it clears a problem that is not open. */
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

/** Inserts it as the newest; drops the oldest. */
function put<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= KEPT_MAX) return;
    map.delete(oldest);
  }
}
