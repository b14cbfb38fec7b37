/** When the server has done something to the requests of controllers that a judge has to allow for. */
import { resourceName } from '../../../src/kube/object.ts';
import { leases } from '../../../src/kube/resources.ts';
import type { SimApi } from '../controller/sim-api.ts';
import type { World } from '../world.ts';

/** How long a request that was refused, delayed or lost, or a silent watch, can keep a controller back, milliseconds. */
const AFTERMATH_MS = 60_000;

const LEASES = resourceName(leases);
/** A cache is outdated for as long as these fail. */
const BLINDING: ReadonlySet<string> = new Set(['list', 'watch']);

export class Disturbances {
  readonly #world: World;
  readonly #struckMs: number[] = [];
  /** Of these, those that struck a Lease. */
  readonly #leasesMs: number[] = [];
  /** Of these, those that struck a list or a watch. */
  readonly #blindedMs: number[] = [];
  #restoredMs = Number.NEGATIVE_INFINITY;

  constructor(world: World, api: SimApi) {
    this.#world = world;
    api.rules.onStrike = ({ verb, resource }) => {
      if (resourceName(resource) === LEASES) this.#leasesMs.push(world.elapsedMs);
      if (BLINDING.has(verb)) this.#blindedMs.push(world.elapsedMs);
      if (this.#struckMs.at(-1) !== world.elapsedMs) this.#struckMs.push(world.elapsedMs);
    };
    api.onRestore(() => {
      this.#restoredMs = world.elapsedMs;
    });
  }

  /** After the server was restored to an older state, earlier events may be unknown to everyone. */
  isBeforeRestore(atMs: number): boolean {
    return atMs < this.#restoredMs;
  }

  /** Whether the cache of a controller may have been outdated between these moments. */
  mayBlind(fromMs: number, toMs: number): boolean {
    return this.#blindedMs.some((ms) => ms >= fromMs - AFTERMATH_MS && ms <= toMs);
  }

  /** When a request for the Lease was last disturbed between these moments: nothing may have been led until then; null: never. */
  lastTermMs(fromMs: number, toMs: number): number | null {
    return this.#leasesMs.findLast((ms) => ms >= fromMs - AFTERMATH_MS && ms <= toMs) ?? null;
  }

  /** Whether something may have kept a controller back between these moments. */
  isAny(fromMs: number, toMs: number = this.#world.elapsedMs): boolean {
    return this.#struckMs.some((ms) => ms >= fromMs - AFTERMATH_MS && ms <= toMs);
  }
}
