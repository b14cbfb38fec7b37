/**
 * The permissions of the controllers of this lifecycle, and nothing else (SNAP-G23). `lifehook install` creates its
 * roles from them, and `lifehook snapshot plan` checks each of them.
 */
import type { Permission } from '../../controller/ask-permissions.ts';

const READ = ['get', 'list', 'watch'];
const SNAPSHOTS = 'snapshot.storage.k8s.io';
const GROUP_SNAPSHOTS = 'groupsnapshot.storage.k8s.io';
const OURS = 'lifehook.dev';

export const snapshotPermissions: readonly Permission[] = [
  {
    group: OURS,
    resource: 'executionhooks',
    verbs: [...READ, 'create', 'update', 'patch', 'delete'],
  },
  { group: OURS, resource: 'executionhooks/status', verbs: ['get', 'update', 'patch'] },
  { group: OURS, resource: 'executionhooktemplates', verbs: READ },
  // Creates and deletes the snapshots of schedules and the windows of guards.
  {
    group: OURS,
    resource: 'applicationsnapshots',
    verbs: [...READ, 'create', 'update', 'patch', 'delete'],
  },
  { group: OURS, resource: 'applicationsnapshots/status', verbs: ['get', 'update', 'patch'] },
  { group: OURS, resource: 'snapshotguards', verbs: READ },
  { group: OURS, resource: 'snapshotguards/status', verbs: ['get', 'update', 'patch'] },
  // Reads the label without which the guards of a namespace are not asked.
  { group: '', resource: 'namespaces', verbs: ['get'] },
  // The objects of a snapshot block its deletion (blockOwnerDeletion); some servers require this permission for that.
  { group: OURS, resource: 'applicationsnapshots/finalizers', verbs: ['update'] },
  { group: OURS, resource: 'snapshotschedules', verbs: READ },
  { group: OURS, resource: 'snapshotschedules/status', verbs: ['get', 'update', 'patch'] },
  // Creates and deletes rescue pods.
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
