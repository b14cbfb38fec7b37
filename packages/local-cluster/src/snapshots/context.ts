import type { PersistentVolume } from 'kubernetes-types/core/v1.js';

import type { EventRecorder } from '../../../../src/controller/event-recorder.ts';
import type { Informer } from '../../../../src/controller/informer.ts';
import type { SharedInformers } from '../../../../src/controller/shared-informers.ts';
import type { KubeClient } from '../../../../src/kube/client.ts';
import { ATOMIC, ATOMIC_REASON, type SnapshotClass } from '../../../../src/kube/snapshots.ts';
import type { Platform } from '../../../../src/platform/platform.ts';
import type { Cut } from './storage/ways.ts';

/** The dependencies of the snapshotter, in the local cluster and in a real one. */
export interface SnapshotterContext {
  readonly client: KubeClient;
  /** Request all informers while the controllers are constructed: afterwards the informers start. */
  readonly informers: SharedInformers;
  readonly recorder: EventRecorder;
  readonly platform: Pick<Platform, 'clock' | 'timers' | 'files' | 'processes'>;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
}

/** Name of our driver in the snapshot kinds. */
export const DRIVER = 'lifehook.dev/local';

const GROUP = 'snapshot.storage.kubernetes.io';
export const BEING_CREATED: string = `${GROUP}/volumesnapshot-being-created`;
export const SNAPSHOT_BOUND: string = `${GROUP}/volumesnapshot-bound-protection`;
export const CONTENT_BOUND: string = `${GROUP}/volumesnapshotcontent-bound-protection`;
export const CLAIM_IS_SOURCE: string = `${GROUP}/pvc-as-source-protection`;

const GROUPS = 'groupsnapshot.storage.kubernetes.io';
export const GROUP_BEING_CREATED: string = `${GROUPS}/volumegroupsnapshot-being-created`;
export const GROUP_BOUND: string = `${GROUPS}/volumegroupsnapshot-bound-protection`;
export const GROUP_CONTENT_BOUND: string = `${GROUPS}/volumegroupsnapshotcontent-bound-protection`;

/** Our annotation with the method by which a volume was cut, such as "reflink". */
export const METHOD = 'lifehook.dev/snapshot-method';

/** Annotations about a cut, which are copied from the content to the snapshot. */
export const MARKS: readonly string[] = [METHOD, ATOMIC, ATOMIC_REASON];

export function marksOf({ method, atomic, reason }: Cut): Record<string, string> {
  return { [METHOD]: method, [ATOMIC]: String(atomic), [ATOMIC_REASON]: reason };
}

/** Directory of this host that contains the volume; null if the volume is not a directory. */
export function pathOfVolume({ spec }: PersistentVolume): string | null {
  const { hostPath, local, csi } = spec ?? {};
  return hostPath?.path ?? local?.path ?? csi?.volumeAttributes?.['path'] ?? null;
}

/** The class of a given name. Without a name: the class of our driver that the annotation marks as default. */
export function classOf(
  name: string | undefined,
  classes: Informer<SnapshotClass>,
  annotation: string,
): SnapshotClass | undefined {
  if (name !== undefined) return classes.get(name);
  const isDefault = ({ driver, metadata }: SnapshotClass): boolean =>
    driver === DRIVER && metadata?.annotations?.[annotation] === 'true';
  return classes.list().find(isDefault);
}
