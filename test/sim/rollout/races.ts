/** Decides when a controller dies, and when another client writes at the same time. */
import { resourceName } from '../../../src/kube/object.ts';
import { deployments, pods } from '../../../src/kube/resources.ts';
import type { SimWrite } from '../controller/sim-client.ts';
import type { Faults } from '../faults.ts';
import type { Random } from '../random.ts';

/** Probability that a controller dies at a request or an answer. */
const DEADLY = 0.03;
/** Probability of a death at the create of a pod: the server cannot refuse a late create by its resourceVersion. */
const DEADLY_FOR_PODS = 0.2;

export interface RaceDice {
  readonly faults: Faults;
  readonly random: Random;
}

export function isDeadly(write: SimWrite | null, { faults, random }: RaceDice): boolean {
  const isPod = write?.verb === 'create' && write.resource === resourceName(pods);
  return faults.ofMoments('kills', 'in action').chance(random, isPod ? DEADLY_FOR_PODS : DEADLY);
}

/** Probability that another client writes too when a controller writes the Deployment. */
const RACING = 0.3;
const SAME_MOMENT_MS = 10;
/** Milliseconds within which another client writes after the creator of a pod has died. The pod may not exist yet. */
const AFTER_DEATH_MS = 5_000;

/** Milliseconds from this write of the controller to a write of another client; null if there is none. */
export function raceAfterMs(
  { host, resource }: SimWrite,
  { faults, random }: RaceDice,
  areUsersBusy: boolean,
): number | null {
  if (!host.process.alive && resource === resourceName(pods)) {
    const isNext = faults.of('users', 'after a death').chance(random, 0.7);
    return isNext ? random.between(0, AFTER_DEATH_MS) : null;
  }
  if (!areUsersBusy || resource !== resourceName(deployments)) return null;
  const isNow = faults.of('users', 'at the same time').chance(random, RACING);
  return isNow ? random.between(0, SAME_MOMENT_MS) : null;
}
