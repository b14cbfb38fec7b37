/** Records when the server disturbed requests of controllers, because judges must allow for the delay. */
import { resourceName } from '../../../src/kube/object.ts';
import { leases } from '../../../src/kube/resources.ts';
import type { SimApi } from '../controller/sim-api.ts';
import type { World } from '../world.ts';

/** Maximum delay of a controller by a refused, slow or lost request, or by a silent watch, in milliseconds. */
const AFTERMATH_MS = 60_000;

const LEASES = resourceName(leases);
/** Requests whose failure leaves a cache outdated. */
const BLINDING: ReadonlySet<string> = new Set(['list', 'watch']);

export class Disturbances {
  readonly #world: World;
  readonly #struckMs: number[] = [];
  /** Times at which a request for a Lease was disturbed, in simulated milliseconds. */
  readonly #leasesMs: number[] = [];
  /** Times at which a list or a watch was disturbed, in simulated milliseconds. */
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

  /** True if the server was restored after this time. Then processes may not know earlier events. */
  isBeforeRestore(atMs: number): boolean {
    return atMs < this.#restoredMs;
  }

  /** True if the cache of a controller may have been outdated between these times. */
  mayBlind(fromMs: number, toMs: number): boolean {
    return this.#blindedMs.some((ms) => ms >= fromMs - AFTERMATH_MS && ms <= toMs);
  }

  /**
   * Time of the last disturbed request for the Lease in this interval; null if none was disturbed. Before that time,
   * there may have been no leader.
   */
  lastTermMs(fromMs: number, toMs: number): number | null {
    return this.#leasesMs.findLast((ms) => ms >= fromMs - AFTERMATH_MS && ms <= toMs) ?? null;
  }

  /** True if something may have delayed a controller between these times. */
  isAny(fromMs: number, toMs: number = this.#world.elapsedMs): boolean {
    return this.#struckMs.some((ms) => ms >= fromMs - AFTERMATH_MS && ms <= toMs);
  }
}
