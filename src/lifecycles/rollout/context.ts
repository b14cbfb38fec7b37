import type { Observe } from '../../controller/controller-event.ts';
import type { EventRecorder } from '../../controller/event-recorder.ts';
import type { SharedInformers, WatchScope } from '../../controller/shared-informers.ts';
import type { KubeClient } from '../../kube/client.ts';
import type { ObjectKey } from '../../kube/object.ts';
import type { Platform } from '../../platform/platform.ts';
import type { IsAuthored } from './gate/review-authors.ts';
import type { ProveWrite } from './gate/write-proof.ts';
import type { RolloutEvent } from './rollout-event.ts';

/** The dependencies of this lifecycle's controller; the simulator provides its own. */
export interface RolloutContext {
  readonly client: KubeClient;
  /** Get all informers from it while the controllers are constructed; they start afterwards. */
  readonly informers: SharedInformers;
  /** One namespace, or all. */
  readonly scope: WatchScope;
  readonly recorder: EventRecorder;
  readonly platform: Pick<Platform, 'clock' | 'timers'>;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  /** Marks a write as ours for the webhook. null: no webhook is served, and every gate is unproven. */
  readonly prove: ProveWrite | null;
  /**
   * Whether the author of a spec was checked for the right to create pods. Absent: no webhook that checks is served.
   */
  readonly isAuthored?: IsAuthored;
  /**
   * The end of a pod's log, as the bytes that were written; '' if empty. Rejects if it cannot be read, or not within
   * some seconds: an outcome is recorded after it.
   */
  readonly readLogTail: (
    pod: ObjectKey & { readonly container: string },
    limits: { readonly lines: number; readonly bytes: number },
  ) => Promise<string>;
  /** Receives the events of this lifecycle, for metrics and logs. Never throws. */
  readonly observe: (event: RolloutEvent) => void;
  readonly observeController: Observe;
}
