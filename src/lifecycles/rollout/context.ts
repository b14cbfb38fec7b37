import type { Observe } from '../../controller/controller-event.ts';
import type { EventRecorder } from '../../controller/event-recorder.ts';
import type { SharedInformers, WatchScope } from '../../controller/shared-informers.ts';
import type { KubeClient } from '../../kube/client.ts';
import type { ObjectKey } from '../../kube/object.ts';
import type { Platform } from '../../platform/platform.ts';
import type { IsAuthored } from './gate/authored.ts';
import type { ProveWrite } from './gate/write-proof.ts';
import type { RolloutEvent } from './rollout-event.ts';

/** What the controller of this lifecycle is made from; the simulator gives it a world of its own. */
export interface RolloutContext {
  readonly client: KubeClient;
  /** Ask for all informers while the controllers are made; they run afterwards. */
  readonly informers: SharedInformers;
  /** One namespace, or all. */
  readonly scope: WatchScope;
  readonly recorder: EventRecorder;
  readonly platform: Pick<Platform, 'clock' | 'timers'>;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Marks a write as ours for the webhook. null: no webhook is served, every gate is unproven. */
  readonly prove: ProveWrite | null;
  /** Whether the author of a spec was asked for the right to create pods. Absent: no webhook is served that asks. */
  readonly isAuthored?: IsAuthored;
  /** The end of a pod's log, as bytes were written; '' where there is none. Rejects where it cannot be read. */
  readonly readLogTail: (
    pod: ObjectKey & { readonly container: string },
    limits: { readonly lines: number; readonly bytes: number },
  ) => Promise<string>;
  /** Told what happens, for metrics and logs. Never throws. */
  readonly observe: (event: RolloutEvent) => void;
  readonly observeController: Observe;
}
