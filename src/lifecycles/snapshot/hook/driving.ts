/** The parameters that every step of one reconcile of a hook shares. */
import type { PassContext } from '../../../controller/reconcile.ts';
import type { KubeClient } from '../../../kube/client.ts';
import type { HookRoom } from './hook-room.ts';

export interface Driving {
  readonly room: HookRoom;
  readonly key: string;
  readonly pass: PassContext;
  /** Checks before each write whether this process still leads (SNAP-I14). */
  readonly client: KubeClient;
}
