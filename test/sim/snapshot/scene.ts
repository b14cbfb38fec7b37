/**
 * The plan of a seed: pods with their claims, snapshots of the claims with hooks, hooks of users, and maybe a guard.
 */
import type { Random } from '../random.ts';
import type { Lock } from './application.ts';
import { type GuardPlan, throwGuard } from './guard-scene.ts';
import { exec, type HookPlan, throwActions, throwHook, throwTargets } from './hook-plans.ts';
import type { PodPlan } from './sim-cluster.ts';
import type { StorageKind } from './sim-contents.ts';

export interface SnapshotPlan {
  readonly name: string;
  readonly claims: readonly string[];
  readonly mode: 'Single' | 'Group';
  /** Behaviour of the storage for all VolumeSnapshots of this snapshot. */
  readonly storage: StorageKind;
  readonly hooks: readonly HookPlan[];
  readonly cutDeadlineSeconds: number | undefined;
  readonly atMs: number;
}

export interface Scene {
  /** Milliseconds until the pods are created, if they are created after the hook; absent: at the start. */
  readonly podsAtMs?: number;
  readonly pods: readonly PodPlan[];
  readonly snapshots: readonly SnapshotPlan[];
  /** Hooks that users create without a snapshot (SNAP-R26). */
  readonly hooks: readonly { readonly plan: HookPlan; readonly atMs: number }[];
  /** A guard of the claims of all pods; absent: none. */
  readonly guard?: GuardPlan;
}

/** The hooks that use templates: all except those of users. */
export function templatedHooks({ snapshots, guard }: Scene): readonly HookPlan[] {
  return [...snapshots.flatMap(({ hooks }) => hooks), ...(guard?.hooks ?? [])];
}

/** Milliseconds within which all snapshots and hooks of a scene are requested. */
export const BEGINNING_MS = 15_000;
/** Milliseconds after which one late hook is requested. */
export const LATE_MS = 20_000;

/** Which parts of the seed may fail. */
export interface Faulty {
  readonly storage: boolean;
  readonly exec: boolean;
  readonly terminations: boolean;
  /** True if the focus is given, as in the seeds that fill the coverage table. */
  readonly isFocusGiven: boolean;
}

export function throwScene(random: Random, faulty: Faulty): Scene {
  const ordinary = throwOrdinaryScene(random, faulty);
  const expiring = random.fork('expiring');
  const isExpiring = faulty.exec && expiring.chance(0.3);
  const scene = isExpiring ? withExpiring(expiring, ordinary) : ordinary;
  const [pod] = scene.pods;
  if (!faulty.terminations || pod === undefined || pod.server !== undefined) return scene;
  // Another hook whose target stays frozen for a while.
  const long = random.fork('long');
  const plan = throwHook(long, 'long', pod);
  return { ...scene, hooks: [...scene.hooks, { plan, atMs: long.between(0, BEGINNING_MS) }] };
}

function throwOrdinaryScene(random: Random, faulty: Faulty): Scene {
  const shared = random.fork('shared');
  if (shared.chance(0.2)) return throwSharedScene(shared, faulty.storage);
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
  // This hook is late: by then, a thaw may have failed on the node of both pods.
  const late = { plan: throwHook(random, 'late', pods[1] ?? firstPod), atMs: LATE_MS };
  return { pods, snapshots, hooks: [...hooks, late] };
}

/**
 * A scene in which other clients take snapshots of guarded claims. Some of these scenes also have an
 * ApplicationSnapshot.
 */
export function throwGuardedScene(
  random: Random,
  { storage: faulty, isFocusGiven: isPatient }: Faulty,
): Scene {
  const pods = throwPods(random).slice(0, 2);
  const isShared = random.chance(isPatient ? 0.7 : 0.3);
  const snapshots = isShared ? [throwSnapshot(random, { name: 's0', pods, faulty })] : [];
  return { pods, snapshots, hooks: [], guard: throwGuard(random, { pods, faulty, isPatient }) };
}

/** A scene in which a user creates a hook together with its pod, which takes time to start. */
function throwEarlyScene(random: Random): Scene {
  const hooks = [{ plan: throwHook(random, 'h0', firstPod), atMs: 0 }];
  return { pods: [firstPod], snapshots: [], hooks, podsAtMs: random.between(1, 3_000) };
}

/**
 * A scene in which all containers freeze one shared server. It has only one snapshot, and no other hook that could thaw
 * it.
 */
function throwSharedScene(random: Random, faulty: boolean): Scene {
  const containers = random.pick([['db'], ['db', 'log']]);
  const count = containers.length > 1 ? random.between(1, 2) : 2;
  const pods = Array.from({ length: count }, (_, index): PodPlan => ({
    ...podPlan(index, { lock: 'flag', containers, claims: [`c${index}`] }),
    server: 'p0/db',
  }));
  return { pods, snapshots: [throwSnapshot(random, { name: 's0', pods, faulty })], hooks: [] };
}

/** A hook whose expirationSeconds is at most this may expire during its probes. */
export const SHORT_EXPIRY_SECONDS = 4;

/** Adds a pod on its own node, and a snapshot of it whose hook expires soon after the cut, during its probes. */
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
