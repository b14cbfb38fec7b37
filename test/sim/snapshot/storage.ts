/** Opens the storage of a scene, with its behaviour for our snapshots and those of other clients. */
import { persistentVolumeClaims } from '../../../src/kube/resources.ts';
import type { SimApi } from '../controller/sim-api.ts';
import type { Random } from '../random.ts';
import { driverIn, type Drivers, throwDrivers } from './drivers.ts';
import type { Court } from './judge.ts';
import { NAMESPACE } from './sim-cluster.ts';
import type { Admits } from './snapshot-members.ts';
import { Snapshotter } from './snapshotter.ts';

export function openStorage(
  { world, api, cluster, account, scene, troubles }: Court,
  random: Random,
  admits: Admits,
): Snapshotter {
  const { snapshots, guard } = scene;
  const plans = [...snapshots, ...(guard?.requests ?? [])];
  const mayBeOdd = troubles.size > 0;
  const drivers: Drivers = mayBeOdd ? throwDrivers(random.fork('drivers'), scene) : new Map();
  const dice = random.fork('storage');
  return new Snapshotter({
    world,
    api,
    random: dice,
    cluster,
    account,
    kindOf: (name) => plans.find((plan) => plan.name === planName(name))?.storage ?? 'usual',
    claimsOf: (labels) => {
      const { claims = [] } = plans.find(({ name }) => labels[name] !== undefined) ?? {};
      return claims.filter((claim) => isClaim(api, claim));
    },
    driverOf: (name) => driverIn(drivers, planName(name)),
    clockSkewMs: dice.pick([0, 0, 600_000, -600_000]),
    hasStrangers: dice.chance(0.3),
    admits,
  });
}

/** The name of the plan of a snapshot. A generated name begins with the name of its plan and "-". */
function planName(name: string): string {
  return name.split('-')[0] ?? '';
}

/** False if a user has deleted the claim. */
export function isClaim(api: SimApi, name: string): boolean {
  return api.find(persistentVolumeClaims, { namespace: NAMESPACE, name }) !== undefined;
}
