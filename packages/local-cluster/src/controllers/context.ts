import type { EventRecorder } from '../../../../src/controller/event-recorder.ts';
import type { SharedInformers } from '../../../../src/controller/shared-informers.ts';
import type { KubeClient } from '../../../../src/kube/client.ts';
import type { Platform } from '../../../../src/platform/platform.ts';

/**
 * What every controller of the local cluster gets. Controllers use the API server like any other client, and keep
 * nothing that they could not read from it again.
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
  /** The certificate of who signs the API server's, as PEM, for the pods; absent: it has none. */
  readonly authority?: string;
}
