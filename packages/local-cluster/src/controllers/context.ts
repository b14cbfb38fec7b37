import type { EventRecorder } from '../../../../src/controller/event-recorder.ts';
import type { SharedInformers } from '../../../../src/controller/shared-informers.ts';
import type { KubeClient } from '../../../../src/kube/client.ts';
import type { Platform } from '../../../../src/platform/platform.ts';

/**
 * The dependencies of every controller of the local cluster. Controllers use the API server like any other client,
 * and keep only state that they can read from it again.
 */
export interface ControllerContext {
  readonly client: KubeClient;
  /** Ask for all informers while the controllers are made; they run afterwards. */
  readonly informers: SharedInformers;
  readonly recorder: EventRecorder;
  readonly platform: Pick<Platform, 'clock' | 'timers' | 'files' | 'processes'>;
  /** From 0 to 1. */
  readonly random: () => number;
  /** The state directory of the cluster; dynamically provisioned volumes are in `volumes/` there. */
  readonly stateFolder: string;
  /** The CA certificate of the API server, as PEM, for the pods; absent: none. */
  readonly authority?: string;
}
