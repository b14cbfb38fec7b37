/**
 * The changes that foreign mutating webhooks make, without those that break a cluster even without Lifehook.
 * Left out, for example: a template that changes with each write or differs in its ReplicaSets is rolled out for ever.
 */
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import { HOOK_CONTAINER } from '../../../src/lifecycles/rollout/hookpod/hook-container.ts';
import {
  GATED,
  RELEASED,
  ROLLOUT,
  WANTED_REPLICAS,
  WRITE_PROOF,
} from '../../../src/lifecycles/rollout/names.ts';
import type { Stored } from '../controller/sim-api.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import type { Moment, MutatingWebhook } from './mutating-webhooks.ts';
import type { Gate } from './gate.ts';
import { type Scene, templateOf, versionOf } from './scene.ts';

/** Name of a container that a webhook adds to hook pods. It does not exit by itself. */
export const SIDECAR = 'proxy';
const MARK = '+proxy';
const LONGEST_MS = 45_000;
const NUMBERS = [ROLLOUT, RELEASED, WRITE_PROOF];

type Change = MutatingWebhook['change'];
type Reported = readonly [what: string, change: Change, moments?: readonly Moment[]];

const DEPLOYMENT_CHANGES: readonly Reported[] = [
  ['changes the template', changeTemplate],
  ['changes the template', changeTemplate],
  ['changes the template', changeTemplate],
  ['changes the template', changeTemplate],
  ['takes our numbers off', dropAnnotations(NUMBERS)],
  // This webhook is called only before ours. After ours, it would remove the only record of the count that a user has
  // just requested.
  ['takes our annotations off', dropAnnotations([...NUMBERS, WANTED_REPLICAS]), ['before']],
  ['takes our label off', dropLabel],
  ['resumes', (object) => withSpec(object, 'paused', false)],
  ['pauses', (object) => withSpec(object, 'paused', true)],
  ['wants two replicas at least', wantTwo],
];

const POD_CHANGES: readonly [Reported, ...Reported[]] = [
  ['adds a sidecar', addSidecar],
  ['adds a sidecar', addSidecar],
  ['changes image and environment', changeContainer],
];

const STAMPED: Reported = ['puts a time on each write', stampTime];

/** A foreign webhook is called before ours, after ours, or after ours and again whenever ours changes the object. */
const MOMENTS: readonly [readonly Moment[], ...(readonly Moment[])[]] = [
  ['before'],
  ['after'],
  ['after', 'again'],
];

interface Changed {
  readonly world: World;
  readonly random: Random;
  readonly gate: Gate;
}

interface ChangedWorkloads extends Changed {
  readonly scene: Scene;
}

/** Adds a webhook that changes Deployments or ReplicaSets. */
export function changeWorkloads(changed: ChangedWorkloads): void {
  const { random, scene } = changed;
  // Without our webhook, a foreign one that resumes the Deployment or changes its template would bypass the gate.
  const special = scene.gate === 'Admission' ? DEPLOYMENT_CHANGES : [];
  const [what, change, moments = random.pick(MOMENTS)] = random.pick<Reported>([
    STAMPED,
    ...special,
  ]);
  if (random.chance(0.15)) changeSets(changed);
  else install(changed, what, { kind: 'Deployment', moments, change });
}

export function changeSets(changed: Changed): void {
  const [what, change] = STAMPED;
  install(changed, what, { kind: 'ReplicaSet', moments: ['before'], change });
}

export function changeHookPods(changed: Changed): void {
  const [what, change] = changed.random.pick(POD_CHANGES);
  install(changed, what, { kind: 'hook pod', moments: ['before'], change });
}

function install({ world, random, gate }: Changed, what: string, webhook: MutatingWebhook): void {
  const ms = random.between(200, LONGEST_MS);
  world.note(`a foreign webhook of each ${webhook.kind} ${what} for ${ms} ms`);
  world.after(ms, gate.others.add(webhook));
}

function stampTime(object: Stored, call: number): Stored {
  return withAnnotations(object, { 'policy.example/at': String(call) });
}

/** Gives the template another version, because versions identify templates. */
function changeTemplate(object: Stored): Stored {
  const { spec } = object as unknown as Deployment;
  const version = versionOf(spec?.template);
  return version.endsWith(MARK) ? object : withSpec(object, 'template', templateOf(version + MARK));
}

function dropAnnotations(names: readonly string[]): Change {
  return (object) => {
    const { annotations = {} } = object.metadata;
    if (names.every((name) => annotations[name] === undefined)) return object;
    const kept = Object.entries(annotations).filter(([name]) => !names.includes(name));
    return { ...object, metadata: { ...object.metadata, annotations: Object.fromEntries(kept) } };
  };
}

function dropLabel(object: Stored): Stored {
  const { [GATED]: label, ...labels } = object.metadata.labels ?? {};
  return label === undefined ? object : { ...object, metadata: { ...object.metadata, labels } };
}

/** As webhooks against single points of failure do, it raises 1 replica to 2, but leaves 0 unchanged. */
function wantTwo(object: Stored): Stored {
  const { spec } = object as unknown as Deployment;
  return spec?.replicas === 1 ? withSpec(object, 'replicas', 2) : object;
}

function addSidecar(object: Stored): Stored {
  const { containers = [] } = (object as unknown as Pod).spec ?? {};
  return withSpec(object, 'containers', [...containers, { name: SIDECAR, image: SIDECAR }]);
}

function changeContainer(object: Stored): Stored {
  const { containers = [] } = (object as unknown as Pod).spec ?? {};
  const changed = containers.map((container) => {
    if (container.name !== HOOK_CONTAINER) return container;
    const env = [...(container.env ?? []), { name: 'PROXY', value: SIDECAR }];
    return { ...container, image: `mirror.example/${container.image ?? ''}`, env };
  });
  return withSpec(object, 'containers', changed);
}

function withAnnotations(object: Stored, annotations: Record<string, string>): Stored {
  const all = { ...object.metadata.annotations, ...annotations };
  return { ...object, metadata: { ...object.metadata, annotations: all } };
}

function withSpec(object: Stored, field: string, value: unknown): Stored {
  const spec = object.spec as Readonly<Record<string, unknown>> | undefined;
  return spec?.[field] === value
    ? object
    : ({ ...object, spec: { ...spec, [field]: value } } as Stored);
}
