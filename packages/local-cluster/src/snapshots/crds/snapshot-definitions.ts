/** Definitions of VolumeSnapshot and VolumeGroupSnapshot, their contents and their classes, as in the snapshot API. */
import type { CustomResourceDefinition } from 'kubernetes-types/apiextensions/v1.js';

import {
  bytes,
  define,
  error,
  flag,
  nanoseconds,
  object,
  oneOf,
  parameters,
  policy,
  reference,
  text,
  texts,
  time,
} from './schema-parts.ts';

const SINGLE = 'snapshot.storage.k8s.io';
const GROUP = 'groupsnapshot.storage.k8s.io';

export const singleDefinitions: readonly CustomResourceDefinition[] = [
  define({
    group: SINGLE,
    kind: 'VolumeSnapshot',
    plural: 'volumesnapshots',
    shortNames: ['vs'],
    scope: 'Namespaced',
    required: ['spec'],
    properties: {
      spec: object(
        {
          source: oneOf({ persistentVolumeClaimName: text, volumeSnapshotContentName: text }),
          volumeSnapshotClassName: text,
        },
        ['source'],
      ),
      status: object({
        boundVolumeSnapshotContentName: text,
        creationTime: time,
        error,
        readyToUse: flag,
        restoreSize: text,
        volumeGroupSnapshotName: text,
      }),
    },
    columns: [
      ['ReadyToUse', '.status.readyToUse', 'boolean'],
      ['SourcePVC', '.spec.source.persistentVolumeClaimName', 'string'],
      ['SourceSnapshotContent', '.spec.source.volumeSnapshotContentName', 'string'],
      ['RestoreSize', '.status.restoreSize', 'string'],
      ['SnapshotClass', '.spec.volumeSnapshotClassName', 'string'],
      ['SnapshotContent', '.status.boundVolumeSnapshotContentName', 'string'],
      ['CreationTime', '.status.creationTime', 'date'],
    ],
  }),
  define({
    group: SINGLE,
    kind: 'VolumeSnapshotContent',
    plural: 'volumesnapshotcontents',
    shortNames: ['vsc', 'vscs'],
    scope: 'Cluster',
    required: ['spec'],
    properties: {
      spec: object(
        {
          deletionPolicy: policy,
          driver: text,
          source: oneOf({ snapshotHandle: text, volumeHandle: text }),
          sourceVolumeMode: text,
          volumeSnapshotClassName: text,
          volumeSnapshotRef: reference,
        },
        ['deletionPolicy', 'driver', 'source', 'volumeSnapshotRef'],
      ),
      status: object({
        creationTime: nanoseconds,
        error,
        readyToUse: flag,
        restoreSize: bytes,
        snapshotHandle: text,
        volumeGroupSnapshotHandle: text,
      }),
    },
    columns: [
      ['ReadyToUse', '.status.readyToUse', 'boolean'],
      ['RestoreSize', '.status.restoreSize', 'integer'],
      ['DeletionPolicy', '.spec.deletionPolicy', 'string'],
      ['Driver', '.spec.driver', 'string'],
      ['VolumeSnapshotClass', '.spec.volumeSnapshotClassName', 'string'],
      ['VolumeSnapshot', '.spec.volumeSnapshotRef.name', 'string'],
      ['VolumeSnapshotNamespace', '.spec.volumeSnapshotRef.namespace', 'string'],
    ],
  }),
  classDefinition(SINGLE, 'VolumeSnapshotClass', 'vsclass'),
];

const requirement = object({ key: text, operator: text, values: texts }, ['key', 'operator']);
const selector = object({
  matchLabels: parameters,
  matchExpressions: { type: 'array', items: requirement },
});
const info = object({
  creationTime: nanoseconds,
  readyToUse: flag,
  restoreSize: bytes,
  snapshotHandle: text,
  volumeHandle: text,
});
const handles = object({ volumeGroupSnapshotHandle: text, volumeSnapshotHandles: texts }, [
  'volumeGroupSnapshotHandle',
  'volumeSnapshotHandles',
]);

export const groupDefinitions: readonly CustomResourceDefinition[] = [
  define({
    group: GROUP,
    kind: 'VolumeGroupSnapshot',
    plural: 'volumegroupsnapshots',
    shortNames: ['vgs'],
    scope: 'Namespaced',
    required: ['spec'],
    properties: {
      spec: object(
        {
          source: oneOf({ selector, volumeGroupSnapshotContentName: text }),
          volumeGroupSnapshotClassName: text,
        },
        ['source'],
      ),
      status: object({
        boundVolumeGroupSnapshotContentName: text,
        creationTime: time,
        error,
        readyToUse: flag,
      }),
    },
    columns: [
      ['ReadyToUse', '.status.readyToUse', 'boolean'],
      ['VolumeGroupSnapshotClass', '.spec.volumeGroupSnapshotClassName', 'string'],
      ['VolumeGroupSnapshotContent', '.status.boundVolumeGroupSnapshotContentName', 'string'],
      ['CreationTime', '.status.creationTime', 'date'],
    ],
  }),
  define({
    group: GROUP,
    kind: 'VolumeGroupSnapshotContent',
    plural: 'volumegroupsnapshotcontents',
    shortNames: ['vgsc', 'vgscs'],
    scope: 'Cluster',
    required: ['spec'],
    properties: {
      spec: object(
        {
          deletionPolicy: policy,
          driver: text,
          source: oneOf({ volumeHandles: texts, groupSnapshotHandles: handles }),
          volumeGroupSnapshotClassName: text,
          volumeGroupSnapshotRef: reference,
        },
        ['deletionPolicy', 'driver', 'source', 'volumeGroupSnapshotRef'],
      ),
      status: object({
        creationTime: time,
        error,
        readyToUse: flag,
        volumeGroupSnapshotHandle: text,
        volumeSnapshotInfoList: { type: 'array', items: info },
      }),
    },
    columns: [
      ['ReadyToUse', '.status.readyToUse', 'boolean'],
      ['DeletionPolicy', '.spec.deletionPolicy', 'string'],
      ['Driver', '.spec.driver', 'string'],
      ['VolumeGroupSnapshotClass', '.spec.volumeGroupSnapshotClassName', 'string'],
      ['VolumeGroupSnapshotNamespace', '.spec.volumeGroupSnapshotRef.namespace', 'string'],
      ['VolumeGroupSnapshot', '.spec.volumeGroupSnapshotRef.name', 'string'],
    ],
  }),
  classDefinition(GROUP, 'VolumeGroupSnapshotClass', 'vgsclass'),
];

function classDefinition(group: string, kind: string, short: string): CustomResourceDefinition {
  return define({
    group,
    kind,
    plural: `${kind.toLowerCase()}es`,
    shortNames: [short, `${short}es`],
    scope: 'Cluster',
    required: ['deletionPolicy', 'driver'],
    properties: { deletionPolicy: policy, driver: text, parameters },
    columns: [
      ['Driver', '.driver', 'string'],
      ['DeletionPolicy', '.deletionPolicy', 'string'],
    ],
  });
}
