/** How the helm program is called. Pure; the order is recorded by tests, since scripts stand in for helm there. */
import type { HelmRelease, ModuleConfig } from '../config/model.ts';
import { resolveFrom } from '../config/paths.ts';

/** `helm template`, whose stdout is the manifests. `namespace`: where the release names none. */
export function helmTemplateArgv(
  release: HelmRelease,
  module: Pick<ModuleConfig, 'folder'>,
  namespace: string | null,
): readonly string[] {
  const meant = release.namespace ?? namespace;
  return [
    'helm',
    'template',
    release.name,
    chartOf(release, module),
    ...(release.repo === undefined ? [] : ['--repo', release.repo]),
    ...(release.version === undefined ? [] : ['--version', release.version]),
    ...(meant === null ? [] : ['--namespace', meant]),
    ...release.valuesFiles.flatMap((file) => ['--values', resolveFrom(module.folder, file)]),
    ...pairs('--set', release.setValues),
    ...pairs(
      '--set-file',
      Object.fromEntries(
        Object.entries(release.setFiles).map(([key, file]) => [
          key,
          resolveFrom(module.folder, file),
        ]),
      ),
    ),
  ];
}

function chartOf(release: HelmRelease, { folder }: Pick<ModuleConfig, 'folder'>): string {
  if (release.chartPath !== undefined) return resolveFrom(folder, release.chartPath);
  return release.remoteChart ?? release.name;
}

function pairs(flag: string, values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([key, value]) => [flag, `${key}=${value}`]);
}
