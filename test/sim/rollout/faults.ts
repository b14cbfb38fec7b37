/** What goes wrong in one seed: some kinds of trouble, so that each is met alone as well as with others. */
import type { NetworkFaults } from '../controller/sim-client.ts';
import type { WatchFaults } from '../controller/sim-watch.ts';
import type { Random } from '../random.ts';

export type Trouble =
  /** Requests that are refused, lost, answered late, in conflict; watches that lag and break. */
  | 'network'
  /** Controllers that die, at any step. */
  | 'kills'
  /** Two of them, with a lease, that are stopped and cut off. */
  | 'replicas'
  /** Hooks that fail, hang, find no node or no image. */
  | 'hooks'
  /** Pods that are evicted, and nodes that are lost for a while. */
  | 'nodes'
  /** The gate's webhook does not answer. */
  | 'webhook'
  /** The Deployment controller is behind, or away. */
  | 'cluster'
  /** People who do more than to deploy. */
  | 'users'
  /** Autoscalers and a GitOps writer that repeats its manifest. */
  | 'writers'
  /** Clocks that differ and are set. */
  | 'clocks';

const ALL: readonly Trouble[] = [
  'network',
  'kills',
  'replicas',
  'hooks',
  'nodes',
  'webhook',
  'cluster',
  'users',
  'writers',
  'clocks',
];

export function throwTroubles(random: Random): ReadonlySet<Trouble> {
  const each = random.pick([0, 0.2, 0.3, 0.4, 0.6]);
  return new Set(ALL.filter(() => random.chance(each)));
}

export const networkTrouble: NetworkFaults = {
  refused: 0.02,
  tooMany: 0.02,
  conflict: 0.05,
  requestLost: 0.01,
  answerLost: 0.03,
  slow: 0.02,
};

export const watchTrouble: WatchFaults = { relist: 0.02, repeat: 0.05, lag: 0.08 };
