/** What a seed is about: pods with their claims, snapshots of them with their hooks, hooks of people. */
import type { SessionAction } from '../../../src/lifecycles/snapshot/action-kinds.ts';
import type {
  ExecutionHookInfo,
  HookActions,
  HookTargets,
} from '../../../src/lifecycles/snapshot/kinds.ts';
import type { Random } from '../random.ts';
import type { Lock } from './application.ts';
import type { PodPlan } from './sim-cluster.ts';
import { READY } from './sim-holder.ts';

/** What a hook does, and how: what the judge has to know of it. */
export interface HookPlan {
  /** Stands in all of its commands. */
  readonly tag: string;
  readonly lock: Lock;
  readonly probed: boolean;
  readonly held: boolean;
  readonly thaws: boolean;
  /** Its freeze may be there still when the pod is gone. */
  readonly outlives: boolean;
  readonly actions: HookActions;
  readonly targets: HookTargets;
}

export type StorageKind = 'usual' | 'late' | 'silent' | 'failsFirst' | 'early' | 'lostContent';

export interface SnapshotPlan {
  readonly name: string;
  readonly claims: readonly string[];
  readonly mode: 'Single' | 'Group';
  /** Of the group, or of the single snapshots. */
  readonly storage: StorageKind;
  readonly hooks: readonly HookPlan[];
  readonly cutDeadlineSeconds: number | undefined;
  readonly atMs: number;
}

export interface Scene {
  /** When the pods are created, if later than everything else. */
  readonly podsAtMs?: number;
  readonly pods: readonly PodPlan[];
  readonly snapshots: readonly SnapshotPlan[];
  /** Made by people, for reasons of their own (SNAP-R26). */
  readonly hooks: readonly { readonly plan: HookPlan; readonly atMs: number }[];
}

/** All snapshots and hooks of a scene are asked for within this time. */
export const BEGINNING_MS = 15_000;
/** But for one. */
export const LATE_MS = 20_000;

export function throwScene(
  random: Random,
  faulty: { readonly storage: boolean; readonly exec: boolean; readonly terminations: boolean },
): Scene {
  const ordinary = throwOrdinaryScene(random, faulty);
  const expiring = random.fork('expiring');
  const isExpiring = faulty.exec && expiring.chance(0.3);
  const scene = isExpiring ? withExpiring(expiring, ordinary) : ordinary;
  const [pod] = scene.pods;
  if (!faulty.terminations || pod === undefined || pod.server !== undefined) return scene;
  // Something that stays frozen for a while.
  const long = random.fork('long');
  const plan = throwHook(long, 'long', pod);
  return { ...scene, hooks: [...scene.hooks, { plan, atMs: long.between(0, BEGINNING_MS) }] };
}

function throwOrdinaryScene(
  random: Random,
  faulty: { readonly storage: boolean; readonly exec: boolean },
): Scene {
  const shared = random.fork('shared');
  if (shared.chance(0.15)) return throwSharedScene(shared, faulty.storage);
  const early = random.fork('early');
  if (early.chance(0.1)) return throwEarlyScene(early);
  const pods = throwPods(random);
  const snapshots = Array.from({ length: random.pick([1, 1, 2]) }, (_, index) =>
    throwSnapshot(random, { name: `s${index}`, pods, faulty: faulty.storage }),
  );
  const hooks = Array.from({ length: random.pick([0, 0, 0, 1]) }, (_, index) => ({
    plan: throwHook(random, `h${index}`, random.pick([pods[0] ?? firstPod, ...pods])),
    atMs: random.between(0, BEGINNING_MS),
  }));
  if (!faulty.exec || pods.length < 2) return { pods, snapshots, hooks };
  // When a thaw may have failed on the node that both pods are on.
  const late = { plan: throwHook(random, 'late', pods[1] ?? firstPod), atMs: LATE_MS };
  return { pods, snapshots, hooks: [...hooks, late] };
}

/** A person makes a hook together with its pod, which takes its time. */
function throwEarlyScene(random: Random): Scene {
  const hooks = [{ plan: throwHook(random, 'h0', firstPod), atMs: 0 }];
  return { pods: [firstPod], snapshots: [], hooks, podsAtMs: random.between(1, 3_000) };
}

/** All containers, of all pods, freeze one server; a snapshot of it, and nobody else who would thaw it. */
function throwSharedScene(random: Random, faulty: boolean): Scene {
  const containers = random.pick([['db'], ['db', 'log']]);
  const count = containers.length > 1 ? random.between(1, 2) : 2;
  const pods = Array.from({ length: count }, (_, index): PodPlan => ({
    ...podPlan(index, { lock: 'flag', containers, claims: [`c${index}`] }),
    server: 'p0/db',
  }));
  return { pods, snapshots: [throwSnapshot(random, { name: 's0', pods, faulty })], hooks: [] };
}

/** Of a hook that may expire while it asks its probes, seconds. */
export const SHORT_EXPIRY_SECONDS = 4;

/** With a snapshot whose hook expires soon after the cut, while it asks its probes: of a pod on a node of its own. */
function withExpiring(random: Random, scene: Scene): Scene {
  const containers = random.pick([['db'], ['db', 'log']]);
  const claims = [`c${EXPIRING_POD}`];
  const pod = podPlan(EXPIRING_POD, { lock: 'flag', containers, claims });
  const kept = { probed: true, held: false, thaws: true, outlives: false };
  const is = { tag: 'short.0', lock: 'flag', ...kept } as const;
  const actions = {
    ...throwActions(random, is),
    probe: { ...exec('probe', is.tag), timeoutSeconds: 5 },
    expirationSeconds: random.between(2, SHORT_EXPIRY_SECONDS),
  };
  const hook = { ...is, actions, targets: throwTargets(random, pod) };
  const snapshot = throwSnapshot(random, { name: 'short', pods: [pod], faulty: false });
  return {
    ...scene,
    pods: [...scene.pods, pod],
    snapshots: [...scene.snapshots, { ...snapshot, hooks: [hook] }],
  };
}

const EXPIRING_POD = 3;

const firstPod: PodPlan = podPlan(0, { lock: 'flag', containers: ['db'], claims: ['c0'] });

function podPlan(
  index: number,
  { lock, containers, claims }: Pick<PodPlan, 'lock' | 'containers' | 'claims'>,
): PodPlan {
  const labels = { app: `app-${index}`, all: 'yes' };
  return { name: `p${index}`, labels, node: `n${index >> 1}`, lock, containers, claims };
}

function throwPods(random: Random): readonly PodPlan[] {
  return Array.from({ length: random.pick([1, 2, 2, 2, 3]) }, (_, index) => {
    const lock = random.pick<Lock>(['flag', 'counted', 'session', 'superblock', 'selfExpiring']);
    const containers = random.pick([['db'], ['db'], ['db'], ['db', 'log']]);
    const claims = random.pick([[`c${index}`], [`c${index}`], [`c${index}`, `w${index}`]]);
    return podPlan(index, { lock, containers, claims });
  });
}

interface SnapshotDice {
  readonly name: string;
  readonly pods: readonly PodPlan[];
  readonly faulty: boolean;
}

function throwSnapshot(random: Random, { name, pods, faulty }: SnapshotDice): SnapshotPlan {
  const count = Math.min(random.pick([1, 2, 2]), pods.length);
  const start = random.between(0, pods.length - count);
  const chosen = pods.slice(start, start + count);
  const storage: StorageKind = faulty
    ? random.pick(['usual', 'late', 'silent', 'failsFirst', 'early', 'lostContent'])
    : random.pick(['usual', 'usual', 'early']);
  return {
    name,
    claims: chosen.flatMap(({ claims }) => claims),
    mode: random.pick(['Single', 'Single', 'Group']),
    storage,
    hooks: random.chance(0.1)
      ? []
      : chosen.map((pod, index) => throwHook(random, `${name}.${index}`, pod)),
    cutDeadlineSeconds: random.pick([undefined, 5, 20]),
    atMs: random.pick([0, 0, random.between(0, BEGINNING_MS)]),
  };
}

export function throwHook(random: Random, tag: string, pod: PodPlan): HookPlan {
  const { lock } = pod;
  const endsAlone = lock === 'selfExpiring';
  const held = lock === 'session' || (!endsAlone && random.chance(0.3));
  // Without a probe nobody sees the end of a server that is not of this container.
  const probed = endsAlone || random.chance(pod.server === undefined ? 0.4 : 1);
  const thaws = !endsAlone || random.chance(0.7);
  // Of a file system, or in a server that is not of this pod.
  const outlives = lock === 'superblock' || (pod.server !== undefined && thaws);
  const is = { tag, lock, probed, held, thaws, outlives };
  return { ...is, actions: throwActions(random, is), targets: throwTargets(random, pod) };
}

function throwActions(
  random: Random,
  { tag, lock, probed, held, thaws, outlives }: Omit<HookPlan, 'actions' | 'targets'>,
): HookActions {
  const seconds = random.pick([undefined, 4, 10]);
  const limit = seconds === undefined ? {} : { actionTimeoutSeconds: seconds };
  const again = random.chance(0.5) && isIdempotent(lock) ? { idempotent: true } : {};
  const pre = held ? { session: sessionOf(random, { lock, tag }) } : exec('freeze', tag);
  const preAction = { ...pre, ...limit, ...again };
  const actions: HookActions = { policy: 'ExecuteAll', preAction, ...scopeOf(outlives) };
  if (thaws && !held) actions.postAction = { ...exec('thaw', tag), ...limit };
  if (probed) actions.probe = { ...exec('probe', tag), timeoutSeconds: 3 };
  const expires = lock === 'selfExpiring' ? 15 : random.pick([undefined, 8, 30]);
  return expires === undefined ? actions : { ...actions, expirationSeconds: expires };
}

function scopeOf(outlives: boolean): Pick<HookActions, 'lockScope'> {
  return outlives ? { lockScope: 'Kernel' } : {};
}

function isIdempotent(lock: Lock): boolean {
  return lock === 'flag' || lock === 'selfExpiring';
}

function throwTargets(random: Random, { labels, name, containers }: PodPlan): HookTargets {
  return random.pick<HookTargets>([
    { podSelector: { matchLabels: { app: labels['app'] ?? '' } } },
    { podContainerNamesList: [{ podName: name, containerNames: [...containers] }] },
  ]);
}

function exec(verb: string, tag: string): { exec: { command: string[] } } {
  return { exec: { command: [verb, tag] } };
}

function sessionOf(random: Random, of: { lock: Lock; tag: string }): SessionAction {
  const { lock, tag } = of;
  const windowSeconds = random.pick([2, 4, 10]);
  if (lock !== 'session') {
    return { freeze: ['freeze', tag], thaw: ['thaw', tag], windowSeconds };
  }
  const client = ['client', tag];
  return {
    client,
    freeze: [`freeze ${tag}`],
    thaw: [`thaw ${tag}`],
    ready: READY,
    windowSeconds,
  };
}

/** The template of a hook of a snapshot has its tag as its name. */
export function infoOf({ tag, targets }: HookPlan): ExecutionHookInfo {
  return { ...targets, executionHookTemplateName: templateName(tag) };
}

export function templateName(tag: string): string {
  return `t-${tag.replace('.', '-')}`;
}

export function planIn(plans: ReadonlyMap<string, HookPlan>, tag: string): HookPlan {
  const plan = plans.get(tag);
  if (plan === undefined) throw new Error(`no hook has the tag ${tag}`);
  return plan;
}
