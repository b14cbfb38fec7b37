/** Users who create, change and scale ReplicaSets directly, although a Deployment owns or adopts them. */
import type { ReplicaSet } from 'kubernetes-types/apps/v1.js';

import { ApiError } from '../../../src/kube/api-error.ts';
import { resourceName } from '../../../src/kube/object.ts';
import { deployments, pods, replicaSets } from '../../../src/kube/resources.ts';
import { gateStateOf } from '../../../src/lifecycles/rollout/gate/gate-state.ts';
import { identityOf } from '../../../src/lifecycles/rollout/hookpod/identity.ts';
import type { Stored } from '../controller/sim-api.ts';
import type { Account } from './account.ts';
import { changeSets } from './foreign-changes.ts';
import type { Gate } from './gate.ts';
import type { GatedApi } from './gated-api.ts';
import type { People } from './people.ts';
import type { Workloads } from './sim-workloads.ts';
import { KEY_OF_WEB, templateOf, versionOf } from './scene.ts';

const PODS = resourceName(pods);
/** A version that no manifest of the Deployment ever has. */
const FOREIGN = 'v0-foreign';

type Deed = (people: People) => unknown;

const DEEDS: readonly [Deed, ...Deed[]] = [
  createSet,
  createSet,
  scaleSet,
  scaleSet,
  changeTemplate,
];

export interface SetsOptions extends People {
  readonly account: Account;
  readonly workloads: Workloads;
  readonly gate: Gate;
  /** True if foreign webhooks change Deployments and ReplicaSets in this seed. */
  readonly areMutated: boolean;
  readonly withinMs: number;
  /** True if the server calls the gate. Otherwise users do not write, because nothing is promised then. */
  readonly isServing: () => boolean;
}

const WRITES_MAX = 4;
/** Probability that a user writes a ReplicaSet while a hook runs, or soon after. */
const WRITES_PER_HOOK = 0.5;
const HOOK_MS = 4_000;

/** Schedules writes of ReplicaSets: at any time, and during hooks. */
export function scheduleSets(options: SetsOptions): void {
  const { world, account, random, withinMs, isServing, ...others } = options;
  const { faults } = world;
  const writeAfter = (ms: number, site: string): void => {
    world.after(ms, () => {
      if (!isServing() || !faults.of('ReplicaSet written', site).strikes(random)) return;
      writeSet({ world, random, ...others });
    });
  };
  for (let times = random.between(0, WRITES_MAX); times > 0; times -= 1) {
    writeAfter(random.between(1, withinMs), '');
  }
  account.onStart(({ hook, podName }) => {
    if (hook === null || !random.chance(WRITES_PER_HOOK)) return;
    writeAfter(random.between(0, random.pick([HOOK_MS / 8, HOOK_MS])), podName);
  });
  insistInFocus(options);
}

const SCALES_PER_HOOK = 4;
const BETWEEN_SCALES_MS = 500;
const SUSPENDED_MS = 5_000;
/** Probability that a foreign webhook changes ReplicaSets during a mid hook, in a seed with foreign webhooks. */
const MUTATED = 0.5;

/** Scales ReplicaSets of a held Deployment during its mid hook, in seeds that concentrate on mid hooks. */
function insistInFocus(options: SetsOptions): void {
  const { account, isServing, workloads, gate, areMutated, ...people } = options;
  const { world, api } = people;
  const { faults } = world;
  account.onStart(({ hook, podName }) => {
    // Before the first release, the gate refuses every ReplicaSet.
    if (hook?.stage !== 'mid' || hook.number === 1 || !faults.isFocusedOn('mid')) return;
    const random = people.random.fork(`insists next to ${podName}`);
    const scaleAgain = (left: number): void => {
      if (left === 0 || !isServing() || !isJudgedByGate(people)) return;
      const isNow = faults.of('ReplicaSet written', `next to ${podName}`).strikes(random);
      if (isNow && scaleSet({ ...people, random })) suspendAtNextPod(api, workloads);
      else
        world.after(random.between(1, BETWEEN_SCALES_MS), () => {
          scaleAgain(left - 1);
        });
    };
    const mutations = random.fork('mutations');
    const isMutated = areMutated && mutations.chance(MUTATED);
    const fault = faults.of('mutations', `next to ${podName}`);
    if (fault.decides(isMutated, mutations)) changeSets({ world, gate, random: mutations });
    scaleAgain(SCALES_PER_HOOK);
  });
}

/** Suspends the controllers at the next new pod. So the pod starts before they revert the scale. */
function suspendAtNextPod(api: GatedApi, workloads: Workloads): void {
  const forget = api.onCommit(({ resource, object }) => {
    if (resource !== PODS || identityOf(object) !== null) return;
    forget();
    workloads.stopFor(SUSPENDED_MS);
  });
}

function writeSet(people: People): void {
  if (isJudgedByGate(people)) people.random.pick(DEEDS)(people);
}

function isJudgedByGate({ hands: { stored }, scene }: People): boolean {
  return scene.gate === 'Admission' && stored !== undefined && gateStateOf(stored).labelled;
}

/**
 * Creates a ReplicaSet with the present, an earlier or a foreign version. It has an owner reference, or will be
 * adopted.
 */
function createSet(people: People): void {
  const { api, hands, random, scene } = people;
  const present = versionOf(hands.stored?.spec?.template);
  const [earlier = present] = hands.versions.slice(-random.between(1, 3));
  const version = random.pick([present, present, earlier, FOREIGN]);
  // A second ReplicaSet of a running version must have no pods, because the Deployment counts them as its own.
  const runs = setsOf(people).some(({ spec }) => versionOf(spec?.template) === version);
  // With an old cache, the Deployment controller would scale both sets of a paused Deployment, and keep both.
  if (runs && (scene.leadsTo === 'draining' || scene.leadsTo === 'mid')) return;
  const name = `made-${random.between(0, 1_000_000)}`;
  const labels = { app: KEY_OF_WEB.name, 'pod-template-hash': name };
  const { metadata, spec } = templateOf(version);
  const template = { metadata: { ...metadata, labels }, ...(spec === undefined ? {} : { spec }) };
  const set = {
    metadata: { ...KEY_OF_WEB, name, labels, ...(random.chance(0.5) ? ownerOf(people) : {}) },
    spec: {
      replicas: runs ? 0 : random.between(0, 3),
      selector: { matchLabels: labels },
      template,
    },
  };
  write(people, `creates ReplicaSet ${name} of ${version}`, () => api.create(replicaSets, set));
}

/**
 * Scales up a ReplicaSet. The gate treats an update and the scale subresource in the same way. Returns true if the
 * server accepted it.
 */
function scaleSet(people: People): boolean {
  const set = someSet(people);
  if (set === undefined || areOthersActive(people, set)) return false;
  const { name = '' } = set.metadata ?? {};
  const replicas = (set.spec?.replicas ?? 0) + people.random.between(1, 3);
  return write(people, `scales ReplicaSet ${name} to ${replicas}`, () => {
    patch(people, name, { replicas });
  });
}

function changeTemplate(people: People): void {
  const set = someSet(people);
  if (set === undefined) return;
  const { name = '' } = set.metadata ?? {};
  const annotations = { version: FOREIGN };
  write(people, `changes the template of ReplicaSet ${name}`, () => {
    patch(people, name, { template: { metadata: { annotations } } });
  });
}

function patch({ api }: People, name: string, spec: object): void {
  const body = { spec: { ...spec } };
  api.patch(replicaSets, { ...KEY_OF_WEB, name }, { type: 'merge', body });
}

function setsOf({ api }: People): readonly ReplicaSet[] {
  return api.peek(replicaSets) as unknown as readonly ReplicaSet[];
}

/**
 * True if another ReplicaSet has pods. While the Deployment is paused, no controller would remove pods added next to
 * them.
 */
function areOthersActive(people: People, { metadata, spec }: ReplicaSet): boolean {
  const isGrowing = (spec?.replicas ?? 0) > 0;
  const version = versionOf(spec?.template);
  return setsOf(people).some(
    (other) =>
      other.metadata?.name !== metadata?.name &&
      (other.spec?.replicas ?? 0) > 0 &&
      (isGrowing || versionOf(other.spec?.template) === version),
  );
}

function someSet(people: People): ReplicaSet | undefined {
  const sets = setsOf(people);
  return sets[people.random.between(0, sets.length - 1)];
}

function ownerOf({ api }: People): Pick<Stored['metadata'], 'ownerReferences'> {
  const { uid = '', name = '' } = api.get(deployments, KEY_OF_WEB).metadata;
  return {
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name, uid, controller: true }],
  };
}

function write({ world }: People, what: string, act: () => void): boolean {
  try {
    act();
    world.note(`a user ${what}`);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    world.note(`a user ${what}, which is refused: ${error.message}`);
    return false;
  }
}
