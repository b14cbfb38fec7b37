/** Where the kinds of the apps group keep their number of replicas. */
import type { ScalePaths } from '../../resource-definition.ts';

export const REPLICA_SCALE: ScalePaths = {
  specReplicas: '.spec.replicas',
  statusReplicas: '.status.replicas',
  labelSelector: '.spec.selector',
};
