import { type CommonTrouble, throwTroubles } from '../controller/troubles.ts';
import type { Random } from '../random.ts';

export type Trouble =
  | CommonTrouble
  /** Commands that fail, hang, or lie; connections that break. */
  | 'exec'
  /** Cuts that are late, fail first, come after the deletion, or never. */
  | 'storage'
  /** Pods, containers and nodes that come and go. */
  | 'targets'
  /** A server that refuses the statuses of hooks: too large, a quota, the webhooks of others. */
  | 'refusals'
  /** Pods that get a deletionTimestamp while something in them is frozen. */
  | 'terminations';

const TROUBLES: readonly [Trouble, ...Trouble[]] = [
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

/** One kind alone more often than chance would have it: where nothing else is slow, times are judged. */
export function throwSome(random: Random): ReadonlySet<Trouble> {
  return random.chance(0.25) ? new Set([random.pick(TROUBLES)]) : throwTroubles(TROUBLES, random);
}
