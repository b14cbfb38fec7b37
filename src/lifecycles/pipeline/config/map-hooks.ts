/** Lists all hooks of a pipeline, and maps the stages of a module by their place ("build/web", "render"). Pure. */
import type { PipelineHook, StageHooks } from '../hooks/model.ts';
import type { ModuleConfig, PipelineConfig } from './model.ts';

export type StageChange = (stage: StageHooks, place: string) => StageHooks;

export function mapStages(module: ModuleConfig, change: StageChange): ModuleConfig {
  const { build, manifests, deploy } = module;
  const { kubectl, helm } = deploy;
  return {
    ...module,
    build: {
      ...build,
      hooks: change(build.hooks, 'build'),
      artifacts: build.artifacts.map((one) => ({
        ...one,
        hooks: change(one.hooks, `build/${one.image}`),
        sync: one.sync && { ...one.sync, hooks: change(one.sync.hooks, `sync/${one.image}`) },
      })),
    },
    manifests: { ...manifests, hooks: change(manifests.hooks, 'render') },
    deploy: {
      ...deploy,
      kubectl: kubectl && { ...kubectl, hooks: change(kubectl.hooks, 'deploy/kubectl') },
      helm: helm && { ...helm, hooks: change(helm.hooks, 'deploy/helm') },
    },
  };
}

/** The prefix of the addresses in a module; empty if there is only one module. */
export function modulePrefix(modules: readonly ModuleConfig[], index: number): string {
  return modules.length === 1 ? '' : `${modules[index]?.name ?? String(index)}:`;
}

/** Hooks of both files and of all four lists, in the order of modules and phases. */
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
