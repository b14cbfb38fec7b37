/** When a controller dies, and when somebody writes beside it. */
import { resourceName } from '../../../src/kube/object.ts';
import { deployments, pods } from '../../../src/kube/resources.ts';
import type { SimWrite } from '../controller/sim-client.ts';
import type { Random } from '../random.ts';

/** Of each moment at which something goes on: that a controller dies. */
const DEADLY = 0.03;
/** Of the moment at which it asks for a pod: nothing else has no version to be tested. */
const DEADLY_FOR_PODS = 0.2;

export function isDeadly(write: SimWrite | null, random: Random): boolean {
  const isPod = write?.verb === 'create' && write.resource === resourceName(pods);
  return random.chance(isPod ? DEADLY_FOR_PODS : DEADLY);
}

/** Of each write to the Deployment: that somebody else writes as well. */
const RACING = 0.3;
const SAME_MOMENT_MS = 10;
/** Who made the pod is dead, and it may not be there yet. */
const AFTER_DEATH_MS = 5_000;

/** In how many milliseconds after this write of the controller somebody writes; null: nobody does. */
export function raceAfterMs(
  { host, resource }: SimWrite,
  random: Random,
  areUsersBusy: boolean,
): number | null {
  if (!host.process.alive && resource === resourceName(pods)) {
    return random.chance(0.7) ? random.between(0, AFTER_DEATH_MS) : null;
  }
  if (!areUsersBusy || resource !== resourceName(deployments)) return null;
  return random.chance(RACING) ? random.between(0, SAME_MOMENT_MS) : null;
}
