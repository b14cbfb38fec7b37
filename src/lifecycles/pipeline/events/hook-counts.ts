/** Names the type of a hook in events, and counts hooks by type (PIPE-V3, PIPE-C11, PIPE-C12). Pure. */
import type { PipelineConfig } from '../config/model.ts';
import type { PipelineHook, When } from '../hooks/model.ts';
import type { CallbackType, PipelineEvent } from './pipeline-event.ts';

const PREFIXES = { before: 'pre', after: 'post', onError: 'error', finally: 'finally' } as const;

/** The type of a hook in events. Worked example: a hook after sync has the type "post-sync". */
export function callbackType({
  phase,
  when,
}: {
  phase: PipelineHook['phase'];
  when: When;
}): CallbackType {
  return `${PREFIXES[when]}-${phase}`;
}

/**
 * Counts the hooks of each type. Worked example: three hooks before build and one after deploy give { "pre-build": 3,
 * "post-deploy": 1 }.
 */
export function countHooks(
  hooks: readonly PipelineHook[],
): Extract<PipelineEvent, { type: 'HookCounts' }>['counts'] {
  const counts: Record<string, number> = {};
  for (const hook of hooks) {
    const type = callbackType(hook);
    counts[type] = (counts[type] ?? 0) + 1;
  }
  return counts;
}

/** All hooks of skaffold.yaml, in the order of modules and phases. */
export function hooksOf({ modules }: PipelineConfig): PipelineHook[] {
  const lists = modules.flatMap(({ build, manifests, deploy }) => [
    build.hooks,
    ...build.artifacts.flatMap(({ hooks, sync }) => [
      hooks,
      ...(sync === null ? [] : [sync.hooks]),
    ]),
    manifests.hooks,
    ...(deploy.kubectl === null ? [] : [deploy.kubectl.hooks]),
    ...(deploy.helm === null ? [] : [deploy.helm.hooks]),
  ]);
  return lists.flatMap(({ before, after }) => [...before, ...after]);
}
