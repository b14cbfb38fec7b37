import type { Observe } from '../../controller/controller-event.ts';
import type { EventRecorder } from '../../controller/event-recorder.ts';
import type { SharedInformers, WatchScope } from '../../controller/shared-informers.ts';
import type { ContainerKey } from '../../kube/referenced-secrets.ts';
import type { ExecPort } from '../../handlers/exec.ts';
import type { KubeClient } from '../../kube/client.ts';
import type { OpenExecOptions } from '../../kube/exec.ts';
import type { StreamSession } from '../../kube/stream-session.ts';
import type { Platform } from '../../platform/platform.ts';
import type { IsAllowedHost } from './hook/hook-hosts.ts';
import type { SnapshotEvent } from './snapshot-event.ts';

/** How we get into containers. */
export interface ContainerAccess {
  readonly exec: ExecPort;
  /** Rejects when no session could be opened. */
  readonly openExec: (options: OpenExecOptions) => Promise<StreamSession>;
  readonly network: Platform['network'];
  /** Values of the Secrets that a container is given, as far as they may be read. Never rejects. Absent: none are. */
  readonly secretsOf?: (key: ContainerKey) => Promise<readonly string[]>;
}

/** What both controllers of this lifecycle are made from; the simulator gives them a world of its own. */
export interface SnapshotContext {
  readonly client: KubeClient;
  /** Ask for all informers while the controllers are made; they run afterwards. */
  readonly informers: SharedInformers;
  /** One namespace, or all. */
  readonly scope: WatchScope;
  readonly recorder: EventRecorder;
  readonly platform: Pick<Platform, 'clock' | 'timers'>;
  /** From 0 to 1. */
  readonly random: () => number;
  /** For freezes and probes. */
  readonly freezing: ContainerAccess;
  /** For thaws alone, with connections of its own: nothing that freezes can be in its way. */
  readonly thawing: ContainerAccess;
  /** Hosts besides the hooked pod to which a hook may send requests. Absent: none. */
  readonly isAllowedHost?: IsAllowedHost;
  /** Told what happens, for metrics and logs. Never throws. */
  readonly observe: (event: SnapshotEvent) => void;
  /** Told of each pass, one that fails again and again among them. */
  readonly observeController: Observe;
}
