/** All permissions of this lifecycle's controller: `lifehook install` generates the roles from them. */
import type { Permission } from '../../controller/ask-permissions.ts';

const READ = ['get', 'list', 'watch'];
const OURS = 'lifehook.dev';

export const rolloutPermissions: readonly Permission[] = [
  // The patch sets its finalizer.
  { group: OURS, resource: 'deploymentlifecycles', verbs: [...READ, 'patch'] },
  { group: OURS, resource: 'deploymentlifecycles/status', verbs: ['update'] },
  { group: OURS, resource: 'hookruns', verbs: [...READ, 'create', 'delete'] },
  { group: OURS, resource: 'hookruns/status', verbs: ['update'] },
  { group: 'apps', resource: 'deployments', verbs: [...READ, 'patch'] },
  // The condition Failed (ROLL-DH14).
  { group: 'apps', resource: 'deployments/status', verbs: ['patch'] },
  { group: 'apps', resource: 'replicasets', verbs: READ },
  // Hook pods; the patch changes their finalizer and their owner.
  { group: '', resource: 'pods', verbs: [...READ, 'create', 'patch', 'delete'] },
  { group: '', resource: 'pods/log', verbs: ['get'] },
  // The ConfigMaps from which hook pods read their fencing token.
  { group: '', resource: 'configmaps', verbs: ['get', 'create', 'update', 'delete'] },
  // In a terminating namespace no lifecycle waits for anything.
  { group: '', resource: 'namespaces', verbs: ['get'] },
  { group: '', resource: 'events', verbs: ['create', 'patch'] },
];
