/** The phases of the rollouts in a simulated world, as their user can observe them. */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { deployments } from '../../../src/kube/resources.ts';
import { gateStateOf } from '../../../src/lifecycles/rollout/gate/gate-state.ts';
import {
  type DeploymentLifecycle,
  deploymentLifecycles,
  type Phase,
} from '../../../src/lifecycles/rollout/kinds.ts';
import type { SimApi } from '../controller/sim-api.ts';
import { KEY_OF_WEB } from './scene.ts';

export const PHASES = [
  'at rest',
  'gated',
  'pre',
  'draining',
  'mid',
  'rolling out',
  'post',
  'rolling back',
  'held or failed',
  'lifecycle deleting',
  'no lifecycle',
] as const;
export type RolloutPhase = (typeof PHASES)[number];

const OF_STATUS: Readonly<Record<Phase, RolloutPhase>> = {
  Pre: 'pre',
  Draining: 'draining',
  Mid: 'mid',
  Releasing: 'rolling out',
  Progressing: 'rolling out',
  Post: 'post',
  Restoring: 'rolling back',
  RollingBack: 'rolling back',
  Done: 'at rest',
  RolledBack: 'at rest',
  Held: 'held or failed',
  Failed: 'held or failed',
};

export function phasesIn(api: SimApi): readonly RolloutPhase[] {
  const lifecycle = api.find(deploymentLifecycles, KEY_OF_WEB) as DeploymentLifecycle | undefined;
  if (lifecycle === undefined) return ['no lifecycle'];
  const phase = OF_STATUS[lifecycle.status?.rollout?.phase ?? 'Done'];
  const present = phase === 'at rest' && isGated(api) ? 'gated' : phase;
  const isDeleting = lifecycle.metadata?.deletionTimestamp !== undefined;
  return isDeleting ? ['lifecycle deleting', present] : [present];
}

/** True if the newest template may not run yet. No rollout has begun with it. */
function isGated(api: SimApi): boolean {
  const deployment = api.find(deployments, KEY_OF_WEB) as unknown as Deployment | undefined;
  return deployment !== undefined && gateStateOf(deployment).gated;
}

/** Phases in which a hook runs. Its stage counts, even if the status differs or the lifecycle is terminating. */
export function hookPhases(
  stage: string | undefined,
  present: readonly string[],
): readonly string[] {
  return [stage ?? '', ...present.filter((phase) => phase === 'lifecycle deleting')];
}
