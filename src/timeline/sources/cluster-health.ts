/** How well the watches of a cluster are, as the state of one source of the timeline. */
import type { Timers } from '../../platform/platform.ts';
import type { BarStore } from '../bar-store.ts';

/** Longer without another failure: it is taken for well again. */
export const WELL_AFTER_MS = 15_000;
/** How the answer of a server ends that has no such kind. */
const NOT_SERVED = '(HTTP 404)';

export interface ClusterHealthOptions {
  readonly store: Pick<BarStore, 'setSource'>;
  /** How the cluster is called on the page. */
  readonly name: string;
  readonly timers: Timers;
}

/** What is wrong with any of the watches, as one sentence. */
export class ClusterHealth {
  readonly #options: ClusterHealthOptions;
  readonly #problems = new Map<string, { readonly reason: string; readonly callOff: () => void }>();

  constructor(options: ClusterHealthOptions) {
    this.#options = options;
    this.#tell();
  }

  /** A watch says nothing when it is well again, so that silence has to do. */
  failed(what: string, reason: string, retryInMs: number): void {
    this.#problems.get(what)?.callOff();
    const { timers } = this.#options;
    const callOff = timers.after(retryInMs + WELL_AFTER_MS, () => {
      this.worked(what);
    });
    this.#problems.set(what, { reason, callOff });
    this.#tell();
  }

  worked(what: string): void {
    const problem = this.#problems.get(what);
    if (problem === undefined) return;
    problem.callOff();
    this.#problems.delete(what);
    this.#tell();
  }

  #tell(): void {
    const { store, name } = this.#options;
    store.setSource(name, this.#problem());
  }

  #problem(): string | null {
    const all = [...this.#problems];
    const [first] = all;
    if (first === undefined) return null;
    const [what, { reason }] = first;
    const others = all.length === 1 ? '' : ` and ${all.length - 1} more`;
    return all.every(([, one]) => one.reason.endsWith(NOT_SERVED))
      ? `it does not have ${what}${others}: \`lifehook install\` prints what it needs`
      : `${what}: ${reason}${others === '' ? '' : ` (${others.trimStart()})`}`;
  }
}
