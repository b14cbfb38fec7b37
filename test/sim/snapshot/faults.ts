import { SERVER_TROUBLES, type ServerTrouble } from '../controller/server-troubles.ts';
import type { CommonTrouble } from '../controller/troubles.ts';
import type { Scene } from './scene.ts';
import { type Seed, throwMore, throwTroubles } from '../swarm.ts';

export type Trouble =
  | CommonTrouble
  | ServerTrouble
  /** Commands that fail, hang, or report a false result; connections that break. */
  | 'exec'
  /** Cuts that are late, fail first, happen after the deletion, or never. */
  | 'storage'
  /** Pods, containers and nodes that are created and deleted. */
  | 'targets'
  /** A server that refuses the statuses of hooks: too large, a quota, foreign webhooks. */
  | 'refusals'
  /** Pods that get a deletionTimestamp while something in them is frozen. */
  | 'terminations'
  /** Leaders that lose the server, and keep their exec streams. */
  | 'serverCuts'
  /** A server that is restored to an older state. */
  | 'restores'
  /** A namespace that is deleted with all its objects. */
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

/** They have separate dice, so that seeds without them do not change. */
const MORE: readonly [Trouble, ...Trouble[]] = [
  ...SERVER_TROUBLES,
  'serverCuts',
  'restores',
  'namespaces',
];

/** Share of seeds with one kind only: times are judged if nothing else is slow. */
const ALONE = 0.25;

export function throwSome(seed: Seed): ReadonlySet<Trouble> {
  const random = seed.random.fork('troubles').fork('more');
  const more = throwMore(MORE, { ...seed, random });
  return new Set([...throwTroubles(TROUBLES, seed, ALONE), ...more]);
}

/** Share of the seeds with few kinds that have as many faults as other seeds. */
const MANY = 0.2;

/** Chance for each kind, many faults or rare, in seeds whose focus is given. */
const MANIFOLD_EACH = 0.25;
const OTHERS_EACH = 0.08;
const MANIFOLD: ReadonlySet<Trouble> = new Set([
  'network',
  'users',
  'targets',
  'exec',
  'terminations',
]);

/** With many kinds, hardly any request of another client gets a snapshot: most seeds have at most two. */
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

/** True if a leader may lose its Lease: another process takes over, or the same one in another term. */
export function hasReplicas({ troubles, scene }: WithReplicas): boolean {
  return scene.guard?.isTwofold === true || WITH_REPLICAS.some((each) => troubles.has(each));
}

interface WithReplicas {
  readonly troubles: ReadonlySet<Trouble>;
  readonly scene: Scene;
}
