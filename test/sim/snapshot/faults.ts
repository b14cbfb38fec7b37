import type { CommonTrouble } from '../controller/troubles.ts';

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

export const TROUBLES: readonly Trouble[] = [
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
