/** All that one command deploys goes to one cluster: configurations that name several are refused. Pure. */
import type { Problem } from '../../../model/problem.ts';
import { errorOf } from './config-problem.ts';
import type { ModuleConfig } from './model.ts';

/** `given`: the context of the command line, which stands in for those of the files. */
export function clusterProblems(
  modules: readonly ModuleConfig[],
  given: string | undefined,
): readonly Problem[] {
  if (given !== undefined) return [];
  const deploying = modules.filter((one) => deploysAnything(one));
  const named = deploying.find(({ deploy }) => deploy.kubeContext !== undefined);
  const other = deploying.find(({ deploy }) => deploy.kubeContext !== named?.deploy.kubeContext);
  if (named === undefined || other === undefined) return [];
  const at = named.deploy.kubeContextAt ?? { file: named.file, line: 1, column: 1 };
  const message = `Configurations are deployed to several clusters: ${whereOf(named)}, ${whereOf(other)}.`;
  const next = 'Deploy one of them at a time with --module, or all to one with --kube-context.';
  return [errorOf('LHL136', { at, message, next })];
}

function whereOf({ name, file, deploy }: ModuleConfig): string {
  return `${name ?? file} to ${deploy.kubeContext ?? 'that of the current context'}`;
}

function deploysAnything({ deploy, manifests }: ModuleConfig): boolean {
  const { rawYaml, kustomize, helm } = manifests;
  if (deploy.helm !== null) return true;
  return deploy.kubectl !== null && (rawYaml.length > 0 || kustomize !== null || helm !== null);
}
