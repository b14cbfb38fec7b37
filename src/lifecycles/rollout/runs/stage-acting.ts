/** What the steps of a stage are carried out with. */
import type { Pod } from 'kubernetes-types/core/v1.js';

import { type Outcome, requeueAfter } from '../../../controller/reconcile.ts';
import { writeStatusIfChanged } from '../../../controller/write-status.ts';
import type { KubeClient } from '../../../kube/client.ts';
import type { RolloutContext } from '../context.ts';
import { type HookRun, hookRuns, type HookRunStatus } from '../kinds.ts';

export interface StageActing {
  readonly context: Pick<RolloutContext, 'platform' | 'recorder' | 'readLogTail' | 'observe'>;
  /** Fenced. */
  readonly client: KubeClient;
  /** Told each HookRun as the server answered it: the cache may be behind. */
  readonly remember: (run: HookRun) => void;
  /** The same of each pod that was there already: a second write over the old one would be a conflict. */
  readonly rememberPod: (pod: Pod) => void;
}

/** The next step follows at once, from what was written. */
export const again: Outcome = requeueAfter(0, 'the next step');

/** Guarded by the version that was read. */
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
