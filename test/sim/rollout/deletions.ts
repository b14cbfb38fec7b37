/** Deletions of lifecycles and namespaces, mostly while a template is held, and later creations of new ones. */
import { ApiError } from '../../../src/kube/api-error.ts';
import { gateStateOf } from '../../../src/lifecycles/rollout/gate/gate-state.ts';
import { deploymentLifecycles } from '../../../src/lifecycles/rollout/kinds.ts';
import { createNamespace, deleteNamespace } from './namespace.ts';
import { deploy, meet, type People } from './people.ts';
import { KEY_OF_WEB, lifecycleObject, throwSpec } from './scene.ts';

/**
 * Maximum time between a new template and the deletion, in milliseconds. During this time, the hooks of the template
 * run, or the template is held.
 */
const HELD_MS = 20_000;
const AWAY_MS = 30_000;
const LOOK_MS = 100;

/** Deletes something: at once if a template is held, else soon after a user has changed the template. */
export function strikeDeletion(people: People): void {
  const { hands, world, random } = people;
  const [name, act] = random.pick(DELETIONS);
  const { stored } = hands;
  const deletion = (): void => {
    meet(people, name, act);
  };
  if (stored === undefined || gateStateOf(stored).gated) {
    deletion();
    return;
  }
  deploy(people);
  world.after(random.between(0, HELD_MS), deletion);
}

type Deletion = readonly [name: string, act: (people: People) => void];

const DELETIONS: readonly [Deletion, ...Deletion[]] = [
  ['lifecycle replaced', replace],
  ['lifecycle replaced', replace],
  ['lifecycle created late', createLate],
  ['lifecycle created late', createLate],
  ['namespace deleted', remove],
];

/** Like `kubectl replace --force`: creates a new lifecycle as soon as the old one is deleted. */
function replace(people: People): void {
  deleteLifecycle(people, () => {
    createLifecycle(people);
  });
}

/**
 * Deletes the lifecycle and creates it again later. Meanwhile a user pauses the Deployment and may change its template.
 */
function createLate(people: People): void {
  const { world, hands, random } = people;
  deleteLifecycle(people, () => {
    hands.patch({ paused: true });
    if (random.chance(0.7)) hands.setTemplate(hands.nextVersion());
    world.after(random.between(0, AWAY_MS), () => {
      createLifecycle(people);
    });
  });
}

function remove(people: People): void {
  const { world, api, hands, random } = people;
  deleteNamespace(world, api, () => {
    world.after(random.between(0, AWAY_MS), () => {
      createNamespace(api);
      if (random.chance(0.5)) createLifecycle(people);
      hands.replace(hands.nextVersion(), random.between(0, 3));
      createLifecycle(people);
    });
  });
}

/** Deletes the lifecycle, and calls `then` when it no longer exists. */
function deleteLifecycle({ world, api }: People, then: () => void): void {
  const found = api.find(deploymentLifecycles, KEY_OF_WEB);
  if (found === undefined) return;
  world.note('a user deletes the lifecycle, and waits');
  api.delete(deploymentLifecycles, KEY_OF_WEB, {});
  const look = (): void => {
    const now = api.find(deploymentLifecycles, KEY_OF_WEB);
    if (now === undefined) then();
    else if (now.metadata.uid === found.metadata.uid) world.after(LOOK_MS, look);
  };
  look();
}

function createLifecycle({ world, api, random, scene }: People): void {
  if (api.find(deploymentLifecycles, KEY_OF_WEB) !== undefined) return;
  try {
    api.create(deploymentLifecycles, lifecycleObject(throwSpec(random, scene)));
    world.note('a user creates the lifecycle');
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    world.note(`the lifecycle is refused: ${error.message}`);
  }
}
