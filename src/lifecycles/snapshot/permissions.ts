/**
 * The permissions of the controllers of this lifecycle, and nothing else (SNAP-G23). `lifehook install` creates its
 * roles from them, and `lifehook snapshot plan` checks each of those that snapshots need.
 */
import type { Permission } from '../../controller/ask-permissions.ts';
import { GROUP } from '../../model/api-version.ts';

const READ = ['get', 'list', 'watch'];
const SNAPSHOTS = 'snapshot.storage.k8s.io';
const GROUP_SNAPSHOTS = 'groupsnapshot.storage.k8s.io';

export const snapshotPermissions: readonly Permission[] = [
  {
    group: GROUP,
    resource: 'executionhooks',
    verbs: [...READ, 'create', 'patch', 'delete'],
  },
  { group: GROUP, resource: 'executionhooks/status', verbs: ['update'] },
  { group: GROUP, resource: 'executionhooktemplates', verbs: READ },
  // To create and delete the snapshots of schedules and the windows of guards.
  {
    group: GROUP,
    resource: 'applicationsnapshots',
    verbs: [...READ, 'create', 'patch', 'delete'],
  },
  { group: GROUP, resource: 'applicationsnapshots/status', verbs: ['update'] },
  { group: GROUP, resource: 'snapshotguards', verbs: READ },
  { group: GROUP, resource: 'snapshotguards/status', verbs: ['update'] },
  // To read the label GUARD_ENABLED: without it the guards of a namespace are not asked.
  { group: '', resource: 'namespaces', verbs: ['get'] },
  // The objects that a snapshot owns block its deletion (blockOwnerDeletion). Some servers require this permission for
  // that.
  { group: GROUP, resource: 'applicationsnapshots/finalizers', verbs: ['update'] },
  { group: GROUP, resource: 'snapshotschedules', verbs: READ },
  { group: GROUP, resource: 'snapshotschedules/status', verbs: ['update'] },
  // To create and delete rescue pods.
  { group: '', resource: 'pods', verbs: [...READ, 'create', 'delete'] },
  // A WebSocket exec is a GET request, authorised as "get" before Kubernetes 1.35 and as "create" since then.
  { group: '', resource: 'pods/exec', verbs: ['create', 'get'] },
  { group: '', resource: 'persistentvolumeclaims', verbs: READ },
  { group: '', resource: 'persistentvolumes', verbs: READ, clusterWide: true },
  { group: '', resource: 'nodes', verbs: READ, clusterWide: true },
  { group: '', resource: 'events', verbs: ['create', 'patch'] },
  { group: 'storage.k8s.io', resource: 'volumeattachments', verbs: READ, clusterWide: true },
  { group: SNAPSHOTS, resource: 'volumesnapshots', verbs: [...READ, 'create', 'patch', 'delete'] },
  {
    group: SNAPSHOTS,
    resource: 'volumesnapshotcontents',
    verbs: [...READ, 'patch'],
    clusterWide: true,
  },
  { group: SNAPSHOTS, resource: 'volumesnapshotclasses', verbs: READ, clusterWide: true },
  {
    group: GROUP_SNAPSHOTS,
    resource: 'volumegroupsnapshots',
    verbs: [...READ, 'create', 'patch', 'delete'],
  },
  {
    group: GROUP_SNAPSHOTS,
    resource: 'volumegroupsnapshotcontents',
    verbs: [...READ, 'patch'],
    clusterWide: true,
  },
  {
    group: GROUP_SNAPSHOTS,
    resource: 'volumegroupsnapshotclasses',
    verbs: READ,
    clusterWide: true,
  },
];

/** The permissions that the controller of restores needs in addition. */
export const restorePermissions: readonly Permission[] = [
  // To create and delete the rehearsals of schedules.
  {
    group: GROUP,
    resource: 'snapshotrestores',
    verbs: [...READ, 'create', 'patch', 'delete'],
  },
  { group: GROUP, resource: 'snapshotrestores/status', verbs: ['update'] },
  // To create the restored claims, and to delete those of a scratch restore.
  { group: '', resource: 'persistentvolumeclaims', verbs: [...READ, 'create', 'delete'] },
  // To run hook pods; the patch removes their finalizer.
  { group: '', resource: 'pods', verbs: [...READ, 'create', 'patch', 'delete'] },
  { group: 'storage.k8s.io', resource: 'storageclasses', verbs: ['get'], clusterWide: true },
  { group: 'apps', resource: 'deployments', verbs: ['get'] },
  { group: 'apps', resource: 'statefulsets', verbs: ['get'] },
  { group: 'apps', resource: 'deployments/scale', verbs: ['patch'] },
  { group: 'apps', resource: 'statefulsets/scale', verbs: ['patch'] },
];
