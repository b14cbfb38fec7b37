/** The dependencies for carrying out the steps of a stage. */
import type { Pod } from 'kubernetes-types/core/v1.js';

import { writeStatusIfChanged } from '../../../controller/write-status.ts';
import type { KubeClient } from '../../../kube/client.ts';
import type { RolloutContext } from '../context.ts';
import { type HookRun, hookRuns, type HookRunStatus } from '../kinds.ts';

export interface StageActing {
  readonly context: Pick<
    RolloutContext,
    'platform' | 'recorder' | 'readLogTail' | 'observe' | 'random'
  >;
  /** Writes only in the current term of leadership. */
  readonly client: KubeClient;
  /** Called with each HookRun that the server returned: the cache may be behind. */
  readonly remember: (run: HookRun) => void;
  /** Called with each pod that the server returned: a write based on the cached one would be a conflict. */
  readonly rememberPod: (pod: Pod) => void;
}

/** With the version that was read as precondition. */
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
