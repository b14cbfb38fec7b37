import type { Observe } from '../../controller/controller-event.ts';
import type { EventRecorder } from '../../controller/event-recorder.ts';
import type { SharedInformers, WatchScope } from '../../controller/shared-informers.ts';
import type { ContainerKey } from '../../kube/referenced-secrets.ts';
import type { ExecPort } from '../../handlers/exec.ts';
import type { KubeClient } from '../../kube/client.ts';
import type { OpenExecOptions } from '../../kube/exec.ts';
import type { StreamSession } from '../../kube/stream-session.ts';
import type { Platform } from '../../platform/platform.ts';
import type { IsAllowedHost } from '../../handlers/allowed-hosts.ts';
import type { SnapshotEvent } from './snapshot-event.ts';

/** The ports through which the controllers reach containers. */
export interface ContainerAccess {
  readonly exec: ExecPort;
  /** Rejects if no session could be opened. */
  readonly openExec: (options: OpenExecOptions) => Promise<StreamSession>;
  readonly network: Platform['network'];
  /** Values of the Secrets of a container, as far as they may be read. Never rejects. Absent: nothing is masked. */
  readonly secretsOf?: (key: ContainerKey) => Promise<readonly string[]>;
}

/** The dependencies of the controllers of this lifecycle. The simulator passes simulated dependencies. */
export interface SnapshotContext {
  readonly client: KubeClient;
  /** Create all informers together with the controllers; they start afterwards. */
  readonly informers: SharedInformers;
  /** The watched namespaces: one namespace, or all. */
  readonly scope: WatchScope;
  readonly recorder: EventRecorder;
  readonly platform: Pick<Platform, 'clock' | 'timers'>;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  readonly freezing: ContainerAccess;
  /** Container access for thaws only. It has its own connections, so that a freeze cannot delay a thaw. */
  readonly thawing: ContainerAccess;
  /** Hosts besides the hooked pod to which a hook may send requests. Absent: none. */
  readonly isAllowedHost?: IsAllowedHost;
  /** Receives each event, for metrics and logs. Never throws. */
  readonly observe: (event: SnapshotEvent) => void;
  /** Receives each reconcile, also one that fails again and again. */
  readonly observeController: Observe;
}
