import type { Observe } from '../../controller/controller-event.ts';
import type { EventRecorder } from '../../controller/event-recorder.ts';
import type { SharedInformers, WatchScope } from '../../controller/shared-informers.ts';
import type { KubeClient } from '../../kube/client.ts';
import type { ObjectKey } from '../../kube/object.ts';
import type { ContainerKey } from '../../kube/referenced-secrets.ts';
import type { Platform } from '../../platform/platform.ts';
import type { IsAuthored } from './gate/review-authors.ts';
import type { ProveWrite } from './gate/write-proof.ts';
import type { RolloutEvent } from './rollout-event.ts';

/** The dependencies of the rollout controller. The simulator provides its own. */
export interface RolloutContext {
  readonly client: KubeClient;
  /**
   * Source of all informers. Request each informer while the controllers are constructed: informers start after that.
   */
  readonly informers: SharedInformers;
  /** The watched namespace, or all namespaces. */
  readonly scope: WatchScope;
  readonly recorder: EventRecorder;
  readonly platform: Pick<Platform, 'clock' | 'timers'>;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
  /** Marks a write as the controller's for the webhook. null: no webhook is served, and every gate is unproven. */
  readonly prove: ProveWrite | null;
  /**
   * True: the author of a spec was checked for the permission to create pods. Absent: no webhook is served that checks
   * authors.
   */
  readonly isAuthored?: IsAuthored;
  /**
   * Reads the end of a pod's log, with secrets masked; '' if the log is empty. Rejects if the log cannot be read, or
   * not within some seconds, because the outcome of the attempt is recorded only after this read.
   */
  readonly readLogTail: (
    pod: ObjectKey & { readonly container: string },
    limits: { readonly lines: number; readonly bytes: number },
  ) => Promise<string>;
  /**
   * Returns the values of the Secrets of a pod's container, to mask them in its termination message. Never rejects.
   * Absent: secrets are masked only by their form.
   */
  readonly secretsOf?: (key: ContainerKey) => Promise<readonly string[]>;
  /** Receives the events of rollouts, for metrics and logs. Never throws. */
  readonly observe: (event: RolloutEvent) => void;
  readonly observeController: Observe;
}
