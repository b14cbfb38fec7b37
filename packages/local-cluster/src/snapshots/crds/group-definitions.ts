/** VolumeGroupSnapshot, its content and its class, as the group snapshot API defines them. */
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

const group = 'groupsnapshot.storage.k8s.io';

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
    group,
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
    group,
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
  define({
    group,
    kind: 'VolumeGroupSnapshotClass',
    plural: 'volumegroupsnapshotclasses',
    shortNames: ['vgsclass', 'vgsclasses'],
    scope: 'Cluster',
    required: ['deletionPolicy', 'driver'],
    properties: { deletionPolicy: policy, driver: text, parameters },
    columns: [
      ['Driver', '.driver', 'string'],
      ['DeletionPolicy', '.deletionPolicy', 'string'],
    ],
  }),
];
