/** The permissions that the controller of restores needs, besides those for snapshots. */
import type { Permission } from '../../../controller/ask-permissions.ts';
import { GROUP } from '../../../model/api-version.ts';

const READ = ['get', 'list', 'watch'];

export const restorePermissions: readonly Permission[] = [
  // Creates and deletes the rehearsals of schedules.
  {
    group: GROUP,
    resource: 'snapshotrestores',
    verbs: [...READ, 'create', 'update', 'patch', 'delete'],
  },
  { group: GROUP, resource: 'snapshotrestores/status', verbs: ['get', 'update', 'patch'] },
  // Creates the restored claims; deletes those of a scratch restore.
  { group: '', resource: 'persistentvolumeclaims', verbs: [...READ, 'create', 'delete'] },
  // Hook pods; the patch removes their finalizer.
  { group: '', resource: 'pods', verbs: [...READ, 'create', 'patch', 'delete'] },
  { group: 'storage.k8s.io', resource: 'storageclasses', verbs: ['get'], clusterWide: true },
  { group: 'apps', resource: 'deployments', verbs: ['get'] },
  { group: 'apps', resource: 'statefulsets', verbs: ['get'] },
  { group: 'apps', resource: 'deployments/scale', verbs: ['patch'] },
  { group: 'apps', resource: 'statefulsets/scale', verbs: ['patch'] },
];
