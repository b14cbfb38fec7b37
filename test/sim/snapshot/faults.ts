import { SERVER_TROUBLES, type ServerTrouble } from '../controller/server-troubles.ts';
import type { CommonTrouble } from '../controller/troubles.ts';
import type { Scene } from './scene.ts';
import { type Seed, throwMore, throwTroubles } from '../swarm.ts';

export type Trouble =
  | CommonTrouble
  | ServerTrouble
  /** Commands fail, hang, or report a false result. Connections break. */
  | 'exec'
  /** Cuts are late, fail at first, happen after the snapshot was deleted, or never happen. */
  | 'storage'
  /** Pods, containers and nodes are created and deleted. */
  | 'targets'
  /** The server refuses statuses of hooks, because of their size, a quota or foreign webhooks. */
  | 'refusals'
  /** Pods become terminating while a container in them is frozen. */
  | 'terminations'
  /** Leaders lose the server, but keep their exec streams. */
  | 'serverCuts'
  /** The server is restored to an older state. */
  | 'restores'
  /** The namespace is deleted with all its objects. */
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

/** These troubles use their own random numbers, so that seeds without them stay the same. */
const MORE: readonly [Trouble, ...Trouble[]] = [
  ...SERVER_TROUBLES,
  'serverCuts',
  'restores',
  'namespaces',
];

/** Probability of exactly one kind of trouble. In such a seed, times are judged, because nothing else is slow. */
const ALONE = 0.25;

export function throwSome(seed: Seed): ReadonlySet<Trouble> {
  const random = seed.random.fork('troubles').fork('more');
  const more = throwMore(MORE, { ...seed, random });
  return new Set([...throwTroubles(TROUBLES, seed, ALONE), ...more]);
}

/** Probability that a seed for guards has as many kinds of trouble as other seeds. */
const MANY = 0.2;

/** Probability of each kind, in seeds whose focus is given. MANIFOLD kinds have many different faults. */
const MANIFOLD_EACH = 0.25;
const OTHERS_EACH = 0.08;
const MANIFOLD: ReadonlySet<Trouble> = new Set([
  'network',
  'users',
  'targets',
  'exec',
  'terminations',
]);

/**
 * Selects at most two kinds of trouble in most seeds. With many kinds, other clients would hardly ever get a snapshot.
 */
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

/** True if a leader may lose its Lease. Then another process leads, or the same process in a new term. */
export function hasReplicas({ troubles, scene }: WithReplicas): boolean {
  return scene.guard?.isTwofold === true || WITH_REPLICAS.some((each) => troubles.has(each));
}

interface WithReplicas {
  readonly troubles: ReadonlySet<Trouble>;
  readonly scene: Scene;
}
