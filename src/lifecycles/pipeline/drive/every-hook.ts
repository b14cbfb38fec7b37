/** Every hook of a pipeline, in the order of modules and phases: of both files, and of all four lists. Pure. */
import type { PipelineConfig } from '../config/model.ts';
import type { PipelineHook, StageHooks } from '../hooks/model.ts';

export function everyHook({ modules, ownHooks }: PipelineConfig): readonly PipelineHook[] {
  const stages: StageHooks[] = modules.flatMap(({ build, manifests, deploy }) => [
    build.hooks,
    ...build.artifacts.flatMap(({ hooks, sync }) =>
      sync === null ? [hooks] : [hooks, sync.hooks],
    ),
    manifests.hooks,
    ...(deploy.kubectl === null ? [] : [deploy.kubectl.hooks]),
    ...(deploy.helm === null ? [] : [deploy.helm.hooks]),
  ]);
  const { test, ready, portForward, verify, cleanup } = ownHooks;
  return [...stages, test, ready, portForward, verify, cleanup].flatMap((stage) => [
    ...stage.before,
    ...stage.after,
    ...stage.onError,
    ...stage.finally,
  ]);
}
