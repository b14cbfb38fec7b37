/** Actions of users. */
import type { ReplicaSet } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import { deployments, pods, replicaSets } from '../../../src/kube/resources.ts';
import { gateStateOf } from '../../../src/lifecycles/rollout/gate/gate-state.ts';
import { identityOf } from '../../../src/lifecycles/rollout/hookpod/identity.ts';
import { deploymentLifecycles } from '../../../src/lifecycles/rollout/kinds.ts';
import {
  ABORT,
  GATED,
  HOOK_POD_FINALIZER,
  RETRY,
  WANTED_REPLICAS,
} from '../../../src/lifecycles/rollout/names.ts';
import type { SimApi, Stored } from '../controller/sim-api.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import type { GatedApi } from './gated-api.ts';
import type { Hands } from './hands.ts';
import { isThere } from './namespace.ts';
import { KEY_OF_WEB, lifecycleObject, type Scene, throwSpec, versionOf } from './scene.ts';

/** Annotation on a hook pod whose finalizer a user has removed. */
export const FREED = 'simulation/freed';

export interface People {
  readonly world: World;
  readonly api: GatedApi;
  readonly hands: Hands;
  readonly scene: Scene;
  readonly random: Random;
}

/** Deploys new versions at random times. If rollouts should reach mid, the times are early, so that hooks can end. */
export function scheduleDeploys(people: People, withinMs: number): void {
  const { world, random, scene } = people;
  const deploys = world.faults.of('deploy');
  const untilMs = scene.leadsTo === 'mid' ? withinMs / 2 : withinMs;
  for (let times = random.between(1, 4); times > 0; times -= 1) {
    world.after(random.between(0, untilMs), () => {
      if (deploys.strikes(random)) meet(people, 'template changed', deploy);
    });
  }
}

/** Deploys a new version in one of the usual ways. */
export function deploy({ hands, random, scene }: People): void {
  const { stored } = hands;
  if (scene.gate === 'PausedAtRest') {
    // A limit of the gate PausedAtRest: a write during a rollout bypasses it.
    if (stored?.spec?.paused === true) hands.setTemplate(hands.nextVersion());
    return;
  }
  const version = hands.nextVersion();
  switch (random.pick(['replace', 'set', 'set', 'apply'])) {
    case 'replace':
      hands.replace(version, random.pick([hands.wanted, random.between(0, 4)]));
      return;
    case 'apply':
      hands.setTemplate(version, { paused: false, replicas: random.between(1, 4) });
      return;
    default:
      hands.setTemplate(version);
  }
}

type Deed = readonly [name: string, act: (people: People) => void];

const DEEDS: readonly [Deed, ...Deed[]] = [
  ['template changed', undo],
  ['template changed', undo],
  ['template changed', restart],
  ['scaled', scale],
  ['scaled', scale],
  [
    'paused or resumed',
    (people) => {
      if (people.scene.gate === 'Admission') pause(people, false);
    },
  ],
  [
    'paused or resumed',
    (people) => {
      pause(people, true);
    },
  ],
  ['retry or abort', askRetry],
  ['retry or abort', askRetry],
  [
    'retry or abort',
    (people) => {
      ask(people, ABORT);
    },
  ],
  ['template changed', revert],
  ['template changed', revert],
  ['hook pod deleted', deleteHookPod],
  ['hook pod deleted', freeHookPod],
  ['hook pod deleted', freeHookPod],
  ['hook pod deleted', freeHookPod],
  ['Deployment deleted', deleteDeployment],
  ['lifecycle deleted', deleteLifecycle],
  ['lifecycle edited', editLifecycle],
  ['lifecycle edited', editLifecycle],
  ['scaled', wantOthers],
  ['label removed', takeLabel],
  ['template changed', deploy],
  ['template changed', deploy],
];

export function doSomething(people: People): void {
  const [name, act] = people.world.faults.isFocusGiven
    ? throwRare(people)
    : people.random.pick(DEEDS);
  meet(people, name, act);
}

/** Selects an action so that each name is equally likely. */
function throwRare({ random }: People): Deed {
  const [first, ...others] = [...new Set(DEEDS.map(([name]) => name))];
  const chosen = random.pick([first ?? '', ...others]);
  const [deed, ...more] = DEEDS.filter(([name]) => name === chosen);
  return random.pick([deed ?? DEEDS[0], ...more]);
}

/** Does the action of a user. Counts it if it changed anything, or if the server refused its request. */
export function meet(people: People, name: string, act: (people: People) => void): void {
  const { api, world, hands } = people;
  const { revision } = api;
  const { writes } = hands;
  const phases = world.faults.phases();
  act(people);
  if (api.revision !== revision || hands.writes !== writes) world.faults.met(name, () => phases);
}

function pause({ hands }: People, paused: boolean): void {
  const { stored } = hands;
  if (stored !== undefined && (stored.spec?.paused ?? false) !== paused) hands.patch({ paused });
}

function askRetry(people: People): void {
  ask(people, RETRY);
}

/** Like `kubectl rollout undo`: writes the template and the annotations of an older ReplicaSet. */
function undo({ api, hands, random, scene }: People): void {
  const { stored } = hands;
  const sets = api.peek(replicaSets) as unknown as readonly ReplicaSet[];
  const chosen = sets[random.between(0, sets.length - 1)];
  if (stored === undefined || chosen === undefined) return;
  const isPaused = stored.spec?.paused === true;
  // kubectl refuses an undo while the Deployment is paused. A direct write of the template is possible.
  if (scene.gate === 'PausedAtRest' ? !isPaused : isPaused && random.chance(0.5)) return;
  hands.setTemplate(versionOf(chosen.spec?.template));
  if (scene.gate === 'Admission') hands.annotate({ ...chosen.metadata?.annotations });
}

function restart({ hands, scene }: People): void {
  const { stored } = hands;
  if (stored === undefined) return;
  if (scene.gate === 'PausedAtRest' && stored.spec?.paused !== true) return;
  const version = versionOf(stored.spec?.template);
  hands.versions.push(version);
  hands.setTemplate(`${version}+${hands.versions.length}`);
}

function scale({ hands, random, scene }: People): void {
  const { stored } = hands;
  if (stored === undefined) return;
  // Without a webhook, scaling up from 0 would bypass the gate.
  if (scene.gate === 'PausedAtRest' && stored.spec?.replicas === 0) return;
  hands.scale(random.between(scene.gate === 'PausedAtRest' ? 1 : 0, 4));
}

function ask({ hands, random }: People, name: string): void {
  const { stored } = hands;
  if (stored === undefined) return;
  const number = gateStateOf(stored).rollout ?? 0;
  hands.annotate({ [name]: String(number + random.pick([0, 0, 0, 0, 1, -1])) });
}

/** Writes an earlier version of the template again. */
export function revert({ hands, random, scene }: People): void {
  const { stored, versions } = hands;
  if (stored === undefined) return;
  if (scene.gate === 'PausedAtRest' && stored.spec?.paused !== true) return;
  const [last = 'v1'] = versions.slice(-random.pick([2, 2, 3]));
  hands.setTemplate(last);
}

export function hasHookPod(api: SimApi): boolean {
  return hookPodsIn(api).length > 0;
}

function hookPodsIn(api: SimApi): readonly Stored[] {
  return api.peek(pods).filter((pod) => identityOf(pod as unknown as Pod) !== null);
}

function someHookPod({ api, random }: People): Stored | undefined {
  const hooks = hookPodsIn(api);
  return hooks[random.between(0, hooks.length - 1)];
}

export function deleteHookPod(people: People): Stored | undefined {
  const pod = someHookPod(people);
  if (pod === undefined) return undefined;
  const { namespace = '', name = '' } = pod.metadata;
  people.world.note(`a user deletes ${name}`);
  people.api.delete(pods, { namespace, name }, {});
  return people.api.find(pods, { namespace, name });
}

/** Deletes a hook pod and removes our finalizer, so that its end is never reported. */
export function freeHookPod(people: People): void {
  const pod = deleteHookPod(people);
  if (pod?.metadata.deletionTimestamp === undefined) return;
  const { namespace = '', name = '', finalizers = [] } = pod.metadata;
  people.world.note(`a user takes the finalizer off ${name}`);
  const left = finalizers.filter((other) => other !== HOOK_POD_FINALIZER);
  const body = { metadata: { finalizers: left, annotations: { [FREED]: 'yes' } } };
  people.api.patch(pods, { namespace, name }, { type: 'merge', body });
}

function deleteDeployment({ world, api, hands, random }: People): void {
  if (hands.stored === undefined) return;
  world.note('a user deletes the Deployment');
  api.delete(deployments, KEY_OF_WEB, {});
  world.after(random.between(100, 20_000), () => {
    if (hands.stored === undefined) hands.replace(hands.nextVersion(), random.between(0, 3));
  });
}

function deleteLifecycle({ world, api, random, scene }: People): void {
  if (api.find(deploymentLifecycles, KEY_OF_WEB) === undefined) return;
  world.note('a user deletes the lifecycle');
  api.delete(deploymentLifecycles, KEY_OF_WEB, {});
  world.after(random.between(100, 40_000), () => {
    if (api.find(deploymentLifecycles, KEY_OF_WEB) !== undefined || !isThere(api)) return;
    world.note('a user creates the lifecycle again');
    api.create(deploymentLifecycles, lifecycleObject(throwSpec(random, scene)));
  });
}

function editLifecycle({ world, api, random, scene }: People): void {
  const found = api.find(deploymentLifecycles, KEY_OF_WEB);
  if (found === undefined || found.metadata.deletionTimestamp !== undefined) return;
  world.note('a user edits the lifecycle');
  const spec = throwSpec(random, scene);
  api.replace(deploymentLifecycles, { ...found, spec } as unknown as Stored, 'object');
}

function wantOthers({ hands, random, scene }: People): void {
  if (scene.gate === 'Admission')
    hands.annotate({ [WANTED_REPLICAS]: String(random.between(1, 4)) });
}

function takeLabel({ hands, scene }: People): void {
  const labels = hands.stored?.metadata?.labels;
  if (scene.gate === 'Admission' && labels?.[GATED] !== undefined) hands.takeLabel(GATED);
}
