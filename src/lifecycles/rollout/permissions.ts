/** All permissions of this lifecycle's controller: `lifehook install` generates the roles from them. */
import type { Permission } from '../../controller/ask-permissions.ts';
import { GROUP } from '../../model/api-version.ts';

const READ = ['get', 'list', 'watch'];

export const rolloutPermissions: readonly Permission[] = [
  // The patch sets its finalizer.
  { group: GROUP, resource: 'deploymentlifecycles', verbs: [...READ, 'patch'] },
  { group: GROUP, resource: 'deploymentlifecycles/status', verbs: ['update'] },
  { group: GROUP, resource: 'hookruns', verbs: [...READ, 'create', 'delete'] },
  { group: GROUP, resource: 'hookruns/status', verbs: ['update'] },
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
