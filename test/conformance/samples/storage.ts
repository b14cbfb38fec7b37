/** Volumes, their classes, and claims. */
import type { Sample } from '../sample.ts';

const core = { group: '', version: 'v1' } as const;
const storage = { group: 'storage.k8s.io', version: 'v1', namespaced: false } as const;

const volume: Sample = {
  ...core,
  namespaced: false,
  plural: 'persistentvolumes',
  kind: 'PersistentVolume',
  body: {
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      hostPath: { path: '/srv/conformance' },
      storageClassName: 'conformance',
    },
  },
  change: { spec: { persistentVolumeReclaimPolicy: 'Delete', mountOptions: ['ro'] } },
  wrongType: { spec: { accessModes: 'all' } },
  invalid: {
    'no capacity': { spec: { capacity: null } },
    'no access': { spec: { accessModes: [] } },
    'an unknown access': { spec: { accessModes: ['Everything'] } },
    'no source': { spec: { hostPath: null } },
    'two sources': { spec: { nfs: { server: 'a', path: '/b' } } },
    'an unknown policy': { spec: { persistentVolumeReclaimPolicy: 'Burn' } },
    'a path with dots': { spec: { hostPath: { path: '/srv/../etc' } } },
  },
  immutable: { 'another path': { spec: { hostPath: { path: '/srv/other' } } } },
  status: { phase: 'Failed', reason: 'Tried', message: 'it was tried' },
};

const claim: Sample = {
  ...core,
  namespaced: true,
  plural: 'persistentvolumeclaims',
  kind: 'PersistentVolumeClaim',
  body: {
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      storageClassName: 'conformance',
    },
  },
  change: { metadata: { annotations: { 'example.com/changed': 'yes' } } },
  wrongType: { spec: { resources: 'much' } },
  invalid: {
    'no access': { spec: { accessModes: null } },
    'an unknown access': { spec: { accessModes: ['Everything'] } },
    'no request': { spec: { resources: null } },
    'less than nothing': { spec: { resources: { requests: { storage: '-1Gi' } } } },
    'a class that is no name': { spec: { storageClassName: 'Not_A_Name' } },
  },
  immutable: {
    'more access': { spec: { accessModes: ['ReadWriteMany'] } },
    'another class': { spec: { storageClassName: 'other' } },
  },
  status: { phase: 'Bound', capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] },
};

const storageClass: Sample = {
  ...storage,
  plural: 'storageclasses',
  kind: 'StorageClass',
  body: { provisioner: 'example.com/conformance' },
  change: { allowVolumeExpansion: true },
  wrongType: { allowVolumeExpansion: 'maybe' },
  invalid: {
    'no provisioner': { provisioner: null },
    'an unknown policy': { reclaimPolicy: 'Burn' },
    'an unknown binding': { volumeBindingMode: 'Never' },
  },
  immutable: {
    'another provisioner': { provisioner: 'example.com/other' },
    'other parameters': { parameters: { a: 'b' } },
    'another policy': { reclaimPolicy: 'Retain' },
  },
};

const attachment: Sample = {
  ...storage,
  plural: 'volumeattachments',
  kind: 'VolumeAttachment',
  body: {
    spec: {
      attacher: 'conformance.example.com',
      nodeName: 'nowhere',
      source: { persistentVolumeName: 'conformance-none' },
    },
  },
  change: { metadata: { annotations: { 'example.com/changed': 'yes' } } },
  wrongType: { spec: { nodeName: 7 } },
  invalid: {
    'no attacher': { spec: { attacher: '' } },
    'no node': { spec: { nodeName: null } },
    'no source': { spec: { source: {} } },
  },
  immutable: { 'another node': { spec: { nodeName: 'elsewhere' } } },
  status: { attached: false, attachError: { message: 'it was tried' } },
};

const driver: Sample = {
  ...storage,
  plural: 'csidrivers',
  kind: 'CSIDriver',
  body: { spec: { attachRequired: false } },
  change: { metadata: { annotations: { 'example.com/changed': 'yes' } } },
  wrongType: { spec: { attachRequired: 'no' } },
  invalid: { 'an unknown mode': { spec: { volumeLifecycleModes: ['Sometimes'] } } },
  immutable: { 'attached after all': { spec: { attachRequired: true } } },
};

export const storageSamples: readonly Sample[] = [volume, claim, storageClass, attachment, driver];
