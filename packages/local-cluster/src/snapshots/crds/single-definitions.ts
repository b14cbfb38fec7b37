/** VolumeSnapshot, its content and its class, as the snapshot API defines them. */
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
  time,
} from './schema-parts.ts';

const group = 'snapshot.storage.k8s.io';

export const singleDefinitions: readonly CustomResourceDefinition[] = [
  define({
    group,
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
    group,
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
  define({
    group,
    kind: 'VolumeSnapshotClass',
    plural: 'volumesnapshotclasses',
    shortNames: ['vsclass', 'vsclasses'],
    scope: 'Cluster',
    required: ['deletionPolicy', 'driver'],
    properties: { deletionPolicy: policy, driver: text, parameters },
    columns: [
      ['Driver', '.driver', 'string'],
      ['DeletionPolicy', '.deletionPolicy', 'string'],
    ],
  }),
];
