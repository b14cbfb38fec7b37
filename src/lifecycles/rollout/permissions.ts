/** What the controller of this lifecycle may do, and nothing else: the roles of `lifehook install` are made from it. */
import type { Permission } from '../../controller/permission.ts';

const READ = ['get', 'list', 'watch'];
const OURS = 'lifehook.dev';

export const rolloutPermissions: readonly Permission[] = [
  // Its finalizer is a patch.
  { group: OURS, resource: 'deploymentlifecycles', verbs: [...READ, 'patch'] },
  { group: OURS, resource: 'deploymentlifecycles/status', verbs: ['update'] },
  { group: OURS, resource: 'hookruns', verbs: [...READ, 'create', 'delete'] },
  { group: OURS, resource: 'hookruns/status', verbs: ['update'] },
  { group: 'apps', resource: 'deployments', verbs: [...READ, 'patch'] },
  // The condition Failed (ROLL-DH14).
  { group: 'apps', resource: 'deployments/status', verbs: ['patch'] },
  { group: 'apps', resource: 'replicasets', verbs: READ },
  // Hook pods; the patch is that of their finalizer and of their owner.
  { group: '', resource: 'pods', verbs: [...READ, 'create', 'patch', 'delete'] },
  { group: '', resource: 'pods/log', verbs: ['get'] },
  // What hook pods read their token from.
  { group: '', resource: 'configmaps', verbs: ['get', 'create', 'update', 'delete'] },
  // In one that is terminating no lifecycle waits for anything.
  { group: '', resource: 'namespaces', verbs: ['get'] },
  { group: '', resource: 'events', verbs: ['create', 'patch'] },
];
