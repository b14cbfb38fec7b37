/**
 * A second, younger lifecycle that names the same Deployment. A user deletes it no later than the first lifecycle.
 * ROLL-L18: the second lifecycle does nothing, and reports that.
 */
import { resourceName } from '../../../src/kube/object.ts';
import {
  type DeploymentLifecycle,
  deploymentLifecycles,
  type HookRun,
  hookRuns,
} from '../../../src/lifecycles/rollout/kinds.ts';
import type { Entry, SimApi } from '../controller/sim-api.ts';
import type { World } from '../world.ts';
import { KEY_OF_WEB, lifecycleObject, throwSpec } from './scene.ts';
import type { Struck } from './strikes.ts';

const KEY = { ...KEY_OF_WEB, name: 'web-second' };
const LIFECYCLES = resourceName(deploymentLifecycles);
const RUNS = resourceName(hookRuns);
const LONGEST_MS = 90_000;

export function createRival({ world, api, random, scene }: Struck): void {
  const first = api.find(deploymentLifecycles, KEY_OF_WEB);
  if (first === undefined || first.metadata.deletionTimestamp !== undefined) return;
  if (api.find(deploymentLifecycles, KEY) !== undefined) return;
  const { spec } = lifecycleObject(throwSpec(random, scene));
  api.create(deploymentLifecycles, { metadata: KEY, spec } as unknown as DeploymentLifecycle);
  world.faults.met('lifecycle created twice');
  world.note('a user creates a second lifecycle');
  const remove = (): void => {
    forget();
    if (api.find(deploymentLifecycles, KEY) === undefined) return;
    world.note('a user deletes the second lifecycle');
    api.delete(deploymentLifecycles, KEY, {});
  };
  const forget = api.onCommit(({ resource, type, object }) => {
    if (resource !== LIFECYCLES || object.metadata.name !== KEY_OF_WEB.name) return;
    if (type === 'Delete' || object.metadata.deletionTimestamp !== undefined) remove();
  });
  if (random.chance(0.5)) world.after(random.between(1_000, LONGEST_MS), remove);
}

/** ROLL-L18: the second lifecycle has no rollout, no HookRun and no finalizer. */
export function judgeRivals(world: World, api: SimApi): void {
  api.onCommit((entry) => {
    const what = deedOf(entry);
    if (what === null) return;
    world.violate('ROLL-L18', `an older lifecycle names the Deployment, and the second ${what}`);
  });
}

/** Describes what the second lifecycle did against ROLL-L18; null if it did nothing. */
function deedOf({ resource, type, object }: Entry): string | null {
  if (type === 'Delete') return null;
  if (resource === RUNS) {
    const { spec } = object as unknown as HookRun;
    return spec.lifecycleName === KEY.name ? 'has a HookRun' : null;
  }
  if (resource !== LIFECYCLES || object.metadata.name !== KEY.name) return null;
  return deedInStatus(object as unknown as DeploymentLifecycle);
}

function deedInStatus({ metadata, status }: DeploymentLifecycle): string | null {
  if (status?.rollout !== undefined) return `has rollout ${status.rollout.number}`;
  return (metadata?.finalizers ?? []).length > 0 ? 'holds its deletion' : null;
}

/**
 * The violation of ROLL-L18 if the second lifecycle does not report that it does nothing. null: it reports that, or
 * does not exist.
 */
export function missingFromRival(api: SimApi): string | null {
  const found: unknown = api.find(deploymentLifecycles, KEY);
  const { conditions = [] } = (found as DeploymentLifecycle | undefined)?.status ?? {};
  if (found === undefined || conditions.some(({ reason }) => reason === 'NotTheOldest'))
    return null;
  return 'the second lifecycle does not say that another one keeps the Deployment';
}
