/** The dependencies of the code that carries out the steps of a stage. */
import type { Pod } from 'kubernetes-types/core/v1.js';

import { writeStatusIfChanged } from '../../../controller/write-status.ts';
import type { KubeClient } from '../../../kube/client.ts';
import type { RolloutContext } from '../context.ts';
import { type HookRun, hookRuns, type HookRunStatus } from '../kinds.ts';

export interface StageActing {
  readonly context: Pick<
    RolloutContext,
    'platform' | 'recorder' | 'readLogTail' | 'secretsOf' | 'observe' | 'random'
  >;
  /** Writes only during the current term of leadership. */
  readonly client: KubeClient;
  /** Called with each HookRun that the server returned, because the cache may be outdated. */
  readonly remember: (run: HookRun) => void;
  /**
   * Called with each pod that the server returned, because a write based on an outdated cached pod would be a conflict.
   */
  readonly rememberPod: (pod: Pod) => void;
}

/** Writes the status. The precondition is the resourceVersion that was read. */
export async function writeRun(
  { client, remember }: StageActing,
  object: HookRun,
  status: HookRunStatus,
): Promise<HookRun> {
  const written = await writeStatusIfChanged({ client, resource: hookRuns, object, status });
  remember(written);
  return written;
}

export function nowMs({ context }: StageActing): number {
  return context.platform.clock.nowMs();
}
