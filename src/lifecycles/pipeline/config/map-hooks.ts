/** Every stage of hooks of a module rewritten by its place ("build/web", "deploy/kubectl", "render"). Pure. */
import type { StageHooks } from '../hooks/model.ts';
import type { ModuleConfig } from './model.ts';

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

/** What stands before an address: nothing where there is one module. */
export function modulePrefix(modules: readonly ModuleConfig[], index: number): string {
  return modules.length === 1 ? '' : `${modules[index]?.name ?? String(index)}:`;
}
