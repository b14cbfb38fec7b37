/** What `lifehook doctor` finds out about rollouts. */
import type { Permission } from '../../../controller/ask-permissions.ts';
import { deploymentLifecycles } from '../../../lifecycles/rollout/kinds.ts';
import { hasOwnKinds, type Judge } from '../../doctor/facts.ts';
import { listSeen } from '../../doctor/seen.ts';
import type { DoctorWorld } from '../../lifecycle-parts.ts';
import { webhookArmed } from './check-gate.ts';
import { gatherGate, type GateFacts } from './gather-gate.ts';

const GROUP = 'lifehook.dev';
const READ = ['get', 'list', 'watch'];

/** Permissions that a user of rollouts needs. */
export const userPermissions: readonly Permission[] = [
  { group: GROUP, resource: 'deploymentlifecycles', verbs: [...READ, 'create'] },
  { group: GROUP, resource: 'hookruns', verbs: READ },
  // The author of a hook needs the permissions for the hook's actions.
  { group: '', resource: 'pods', verbs: ['create'] },
  { group: 'apps', resource: 'deployments', verbs: ['get', 'patch'] },
];

export async function examine(world: DoctorWorld): Promise<Judge> {
  const lifecycles = await listSeen(world.client, deploymentLifecycles, world);
  return judgeRollouts(await gatherGate(world, lifecycles));
}

export function judgeRollouts(gate: GateFacts): Judge {
  return (cluster) => (hasOwnKinds(cluster) ? { webhooks: webhookArmed(gate) } : {});
}
