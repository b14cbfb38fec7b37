/** All permissions of the rollout controller, from which `lifehook install` generates the roles. */
import type { Permission } from '../../controller/ask-permissions.ts';
import { GROUP } from '../../model/api-version.ts';

const READ = ['get', 'list', 'watch'];

export const rolloutPermissions: readonly Permission[] = [
  // The patch sets the finalizer of a DeploymentLifecycle.
  { group: GROUP, resource: 'deploymentlifecycles', verbs: [...READ, 'patch'] },
  { group: GROUP, resource: 'deploymentlifecycles/status', verbs: ['update'] },
  { group: GROUP, resource: 'hookruns', verbs: [...READ, 'create', 'delete'] },
  { group: GROUP, resource: 'hookruns/status', verbs: ['update'] },
  { group: 'apps', resource: 'deployments', verbs: [...READ, 'patch'] },
  // The patch writes the condition Failed (ROLL-DH14).
  { group: 'apps', resource: 'deployments/status', verbs: ['patch'] },
  { group: 'apps', resource: 'replicasets', verbs: READ },
  // The patch changes the finalizer and the owner of hook pods.
  { group: '', resource: 'pods', verbs: [...READ, 'create', 'patch', 'delete'] },
  { group: '', resource: 'pods/log', verbs: ['get'] },
  // Hook pods read their fencing token from these ConfigMaps.
  { group: '', resource: 'configmaps', verbs: ['get', 'create', 'update', 'delete'] },
  // Read to find out whether the namespace is terminating, because then no lifecycle has to wait.
  { group: '', resource: 'namespaces', verbs: ['get'] },
  { group: '', resource: 'events', verbs: ['create', 'patch'] },
];
