/** Fields that are read and not acted on: one warning names them all, so that none is ignored in silence. Pure. */
import type { Located, LocatedMap } from '../../../model/located-tree.ts';
import type { Problem } from '../../../model/problem.ts';
import { warningOf } from './config-problem.ts';
import { fieldsOf, ROOT_TYPE } from './field-table.ts';
import type { UnusedField } from './model.ts';

export const UNUSED: ReadonlySet<string> = new Set([
  'Artifact.runtimeType',
  'BuildConfig.cluster',
  'BuildConfig.googleCloudBuild',
  'BuildConfig.insecureRegistries',
  'DeployConfig.cloudrun',
  'DeployConfig.docker',
  'DeployConfig.kpt',
  'HelmDeployFlags.depBuild',
  'HelmDeployFlags.install',
  'HelmDeployFlags.template',
  'HelmDeployFlags.upgrade',
  'Helm.flags',
  'HelmRelease.createNamespace',
  'HelmRelease.dependsOn',
  'HelmRelease.packaged',
  'HelmRelease.recreatePods',
  'HelmRelease.skipTests',
  'HelmRelease.upgradeOnChange',
  'HelmRelease.useHelmSecrets',
  'HelmRelease.wait',
  'KubectlDeploy.remoteManifests',
  'KubectlFlags.apply',
  'KubectlFlags.delete',
  'KubectlFlags.disableValidation',
  'KubectlFlags.global',
  'LegacyHelmDeploy.concurrency',
  'LocalBuild.tryImportMissing',
  'LocalBuild.useBuildkit',
  'LocalBuild.useDockerCLI',
  'LogsConfig.jsonParse',
  'Metadata.annotations',
  'Metadata.labels',
  'RenderConfig.kpt',
  'RenderConfig.output',
  'RenderConfig.remoteManifests',
  'RenderConfig.transform',
  'RenderConfig.validate',
  'SkaffoldConfig.customActions',
  'SkaffoldConfig.resourceSelector',
  'TestCase.structureTestsArgs',
  'KubernetesClusterVerifier.jobManifestPath',
  'KubernetesClusterVerifier.overrides',
  'LocalVerifier.useLocalImages',
]);

const NAMED_MAX = 20;

/** Profiles that are not active say nothing yet. */
export function unusedFields(tree: LocatedMap): readonly UnusedField[] {
  const fields = new Map([...tree.fields].filter(([name]) => name !== 'profiles'));
  return walk({ ...tree, fields }, ROOT_TYPE, '');
}

export function unusedWarning(unused: readonly UnusedField[]): readonly Problem[] {
  const [first] = unused;
  if (first === undefined) return [];
  const named = unused.slice(0, NAMED_MAX).map(({ path, at }) => `${path} (line ${at.line})`);
  const more = unused.length > NAMED_MAX ? ` and ${unused.length - NAMED_MAX} more` : '';
  const message = `Read, and not acted on: ${named.join(', ')}${more}.`;
  return [warningOf('LHL109', { at: first.at, message, next: 'Expect nothing of these fields.' })];
}

function walk(part: Located, type: string, path: string): readonly UnusedField[] {
  if (type.startsWith('[]')) {
    const items = part.kind === 'list' ? part.items : [];
    return items.flatMap((item, index) => walk(item, type.slice(2), `${path}[${index}]`));
  }
  const fields = fieldsOf(type);
  if (fields === null || part.kind !== 'map') return [];
  return [...part.fields].flatMap(([name, { keyAt, value }]) => {
    const here = path === '' ? name : `${path}.${name}`;
    if (UNUSED.has(`${type}.${name}`)) return [{ path: here, at: keyAt }];
    const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return known === undefined ? [] : walk(value, known, here);
  });
}
