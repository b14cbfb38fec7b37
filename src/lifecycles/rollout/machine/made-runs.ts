/**
 * The HookRuns that this process created or read, and that the cache of HookRuns does not have yet.
 *
 * One that was deleted is not kept: the cache may have reported it and its deletion between two reconciles, or a list
 * may lack it. Otherwise its hook pods would keep Lifehook's finalizer for ever.
 */
import type { Change, Informer } from '../../../controller/informer.ts';
import { keyOf } from '../../../controller/object-key.ts';
import type { OwnWrites } from '../../../controller/own-writes.ts';
import type { HookRun } from '../kinds.ts';
import { uidOf } from './parts.ts';

/** Maximum number of deleted HookRuns whose UIDs are remembered, in case that the answer to a write is late. */
const MAX_DELETED = 1_000;

interface Made {
  readonly run: HookRun;
  /** The number of lists that the cache had begun when the server returned the HookRun. */
  readonly listsBegun: number;
}

export class MadeRuns {
  readonly #runs: Informer<HookRun>;
  readonly #written: OwnWrites<HookRun>;
  readonly #made = new Map<string, Made>();
  readonly #deleted = new Set<string>();

  /** `written`: the writes to the HookRuns that the cache has. */
  constructor(runs: Informer<HookRun>, written: OwnWrites<HookRun>) {
    this.#runs = runs;
    this.#written = written;
    runs.listen((change) => {
      this.#see(change);
    });
  }

  list(): readonly HookRun[] {
    const { listsReceived } = this.#runs;
    for (const [key, { listsBegun }] of this.#made) {
      // A list that began later has the HookRun if it still exists (CTRL-W3).
      if (listsReceived > listsBegun) this.#made.delete(key);
    }
    return [...this.#made.values()].map(({ run }) => run);
  }

  /** Stores a HookRun as the server returned it. Call it only for one that the cache does not have. */
  remember(run: HookRun): void {
    if (this.#deleted.has(uidOf(run))) return;
    this.#made.set(keyOf(run), { run, listsBegun: this.#runs.listsBegun });
  }

  forget(run: HookRun): void {
    this.#made.delete(keyOf(run));
  }

  #see({ key, before, after }: Change<HookRun>): void {
    const made = this.#made.get(key);
    this.#made.delete(key);
    if (after === null) this.#rememberDeleted(uidOf(before ?? {}));
    else if (made !== undefined && uidOf(made.run) === uidOf(after)) {
      this.#written.remember(made.run);
    }
  }

  #rememberDeleted(uid: string): void {
    this.#deleted.add(uid);
    for (const oldest of this.#deleted) {
      if (this.#deleted.size <= MAX_DELETED) return;
      this.#deleted.delete(oldest);
    }
  }
}
