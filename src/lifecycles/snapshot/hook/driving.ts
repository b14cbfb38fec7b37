/** The parameters that every step of one reconcile of a hook shares. */
import type { PassContext } from '../../../controller/reconcile.ts';
import type { KubeClient } from '../../../kube/client.ts';
import type { HookState } from './hook-state.ts';

export interface Driving {
  readonly shared: HookState;
  readonly key: string;
  readonly pass: PassContext;
  /** Checks before each write whether this process still leads (SNAP-I14). */
  readonly client: KubeClient;
}
