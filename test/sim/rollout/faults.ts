import { type CommonTrouble, networkTrouble } from '../controller/troubles.ts';
import type { NetworkFaults } from '../controller/sim-client.ts';

export type Trouble =
  | CommonTrouble
  /** Hooks that fail, hang, find no node or no image. */
  | 'hooks'
  /** Pods that are evicted, and nodes that are lost for a while. */
  | 'nodes'
  /** The gate's webhook does not answer. */
  | 'webhook'
  /** The Deployment controller is behind, or away. */
  | 'cluster'
  /** Autoscalers and a GitOps writer that repeats its manifest. */
  | 'writers'
  /** Lifecycles that are deleted, replaced and created late while a template is held; namespaces that are deleted. */
  | 'deletions';

export const TROUBLES: readonly Trouble[] = [
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
  'deletions',
];

export const rolloutNetworkTrouble: NetworkFaults = { ...networkTrouble, answerLost: 0.03 };
