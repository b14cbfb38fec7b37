import type { EventRecorder } from '../../../../src/controller/event-recorder.ts';
import type { SharedInformers } from '../../../../src/controller/shared-informers.ts';
import type { KubeClient } from '../../../../src/kube/client.ts';
import type { Platform } from '../../../../src/platform/platform.ts';

/**
 * The dependencies of every controller of the local cluster.
 *
 * Controllers use the API server like any other client. All their state can be read again from the API server.
 */
export interface ControllerContext {
  readonly client: KubeClient;
  /** Request all informers while the controllers are constructed: afterwards the informers start. */
  readonly informers: SharedInformers;
  readonly recorder: EventRecorder;
  readonly platform: Pick<Platform, 'clock' | 'timers' | 'files' | 'processes'>;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
  /** State directory of the cluster. Its subdirectory `volumes/` has the dynamically provisioned volumes. */
  readonly stateFolder: string;
  /** CA certificate of the API server in PEM, for the pods. Without it pods get none. */
  readonly authority?: string;
}
