import type { EventRecorder } from '../../../../src/controller/event-recorder.ts';
import type { SharedInformers } from '../../../../src/controller/shared-informers.ts';
import type { KubeClient } from '../../../../src/kube/client.ts';
import type { Platform } from '../../../../src/platform/platform.ts';

/** What the snapshotter is made from: the local cluster's context fits, and so does a real cluster's. */
export interface SnapshotterContext {
  readonly client: KubeClient;
  /** Ask for all informers while the controllers are made; they run afterwards. */
  readonly informers: SharedInformers;
  readonly recorder: EventRecorder;
  readonly platform: Pick<Platform, 'clock' | 'timers' | 'files' | 'processes'>;
  /** From 0 to 1. */
  readonly random: () => number;
}
