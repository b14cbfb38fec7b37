import { SERVER_TROUBLES, type ServerTrouble } from '../controller/server-troubles.ts';
import type { CommonTrouble } from '../controller/troubles.ts';
import type { Scene } from './scene.ts';
import { type Seed, throwMore, throwTroubles } from '../swarm.ts';

export type Trouble =
  | CommonTrouble
  | ServerTrouble
  /** Commands that fail, hang, or lie; connections that break. */
  | 'exec'
  /** Cuts that are late, fail first, happen after the deletion, or never. */
  | 'storage'
  /** Pods, containers and nodes that are created and deleted. */
  | 'targets'
  /** A server that refuses the statuses of hooks: too large, a quota, the webhooks of others. */
  | 'refusals'
  /** Pods that get a deletionTimestamp while something in them is frozen. */
  | 'terminations'
  /** Leaders that lose the server, and keep their exec streams. */
  | 'serverCuts'
  /** A server that is put back to an older state. */
  | 'restores'
  /** A namespace that is deleted with all that is in it. */
  | 'namespaces';

const TROUBLES: readonly Trouble[] = [
  'network',
  'kills',
  'replicas',
  'exec',
  'storage',
  'targets',
  'users',
  'clocks',
  'refusals',
  'terminations',
];

/** They have dice of their own, so that a seed without them is what it was before they were there. */
const MORE: readonly [Trouble, ...Trouble[]] = [
  ...SERVER_TROUBLES,
  'serverCuts',
  'restores',
  'namespaces',
];

/** How often a seed has one kind alone: where nothing else is slow, times are judged. */
const ALONE = 0.25;

export function throwSome(seed: Seed): ReadonlySet<Trouble> {
  const random = seed.random.fork('troubles').fork('more');
  const more = throwMore(MORE, { ...seed, random });
  return new Set([...throwTroubles(TROUBLES, seed, ALONE), ...more]);
}

/** Of the seeds with few kinds: with as many as others have. */
const MANY = 0.2;

/** Of the seeds whose focus is given: each kind that is many faults or rare, and each other one. */
const MANIFOLD_EACH = 0.25;
const OTHERS_EACH = 0.08;
const MANIFOLD: ReadonlySet<Trouble> = new Set([
  'network',
  'users',
  'targets',
  'exec',
  'terminations',
]);

/** Where many kinds meet, hardly a request of another client gets as far as its snapshot: most seeds have two at most. */
export function throwFew(seed: Seed): ReadonlySet<Trouble> {
  const random = seed.random.fork('few troubles');
  if (random.chance(MANY)) return throwSome(seed);
  if (seed.faults.isFocusGiven) {
    const isThrown = (kind: Trouble): boolean =>
      random.chance(MANIFOLD.has(kind) ? MANIFOLD_EACH : OTHERS_EACH);
    return new Set([...TROUBLES, ...MORE].filter(isThrown));
  }
  const [first, ...others] = TROUBLES;
  if (first === undefined) return new Set();
  return throwMore([first, ...others, ...MORE], { ...seed, random });
}

const WITH_REPLICAS: readonly Trouble[] = ['replicas', 'serverCuts', 'restores'];

/** Where a leader may lose its Lease: another process takes over, or the same in another term. */
export function hasReplicas({ troubles, scene }: WithReplicas): boolean {
  return scene.guard?.isTwofold === true || WITH_REPLICAS.some((each) => troubles.has(each));
}

interface WithReplicas {
  readonly troubles: ReadonlySet<Trouble>;
  readonly scene: Scene;
}
