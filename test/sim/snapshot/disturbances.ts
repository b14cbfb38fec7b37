/** Times at which the server disturbed requests of controllers, for which a judge must allow. */
import { resourceName } from '../../../src/kube/object.ts';
import { leases } from '../../../src/kube/resources.ts';
import type { SimApi } from '../controller/sim-api.ts';
import type { World } from '../world.ts';

/** Milliseconds for which a refused, delayed or lost request, or a silent watch, can delay a controller. */
const AFTERMATH_MS = 60_000;

const LEASES = resourceName(leases);
/** Requests whose failure keeps a cache outdated. */
const BLINDING: ReadonlySet<string> = new Set(['list', 'watch']);

export class Disturbances {
  readonly #world: World;
  readonly #struckMs: number[] = [];
  /** Those among them that struck a Lease. */
  readonly #leasesMs: number[] = [];
  /** Those among them that struck a list or a watch. */
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

  /** True if the server was restored after that time: earlier events may be unknown to every process. */
  isBeforeRestore(atMs: number): boolean {
    return atMs < this.#restoredMs;
  }

  /** True if the cache of a controller may have been outdated between these times. */
  mayBlind(fromMs: number, toMs: number): boolean {
    return this.#blindedMs.some((ms) => ms >= fromMs - AFTERMATH_MS && ms <= toMs);
  }

  /**
   * Time of the last disturbed request for the Lease between these times: until then there may have been no leader;
   * null: none.
   */
  lastTermMs(fromMs: number, toMs: number): number | null {
    return this.#leasesMs.findLast((ms) => ms >= fromMs - AFTERMATH_MS && ms <= toMs) ?? null;
  }

  /** True if something may have delayed a controller between these times. */
  isAny(fromMs: number, toMs: number = this.#world.elapsedMs): boolean {
    return this.#struckMs.some((ms) => ms >= fromMs - AFTERMATH_MS && ms <= toMs);
  }
}
