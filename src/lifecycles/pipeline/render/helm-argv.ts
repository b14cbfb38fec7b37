/** How the helm program is called. Pure; the order is recorded by tests, since scripts stand in for helm there. */
import type { HelmRelease, ModuleConfig } from '../config/model.ts';
import { resolveFrom } from '../config/paths.ts';

export interface HelmFacts {
  /** Where the release names none. */
  readonly namespace: string | null;
  /** Of setValueTemplates, expanded. */
  readonly templated: Readonly<Record<string, string>>;
  /** A file of `overrides`; null: there are none. */
  readonly overridesFile: string | null;
  /** Of deploy.helm.flags.global. */
  readonly flags: readonly string[];
}

/** `helm template`, whose stdout is the manifests. */
export function helmTemplateArgv(
  release: HelmRelease,
  module: Pick<ModuleConfig, 'folder'>,
  { namespace, templated, overridesFile, flags }: HelmFacts,
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
    ...(overridesFile === null ? [] : ['--values', overridesFile]),
    ...pairs('--set', release.setValues),
    ...pairs('--set', templated),
    ...pairs(
      '--set-file',
      Object.fromEntries(
        Object.entries(release.setFiles).map(([key, file]) => [
          key,
          resolveFrom(module.folder, file),
        ]),
      ),
    ),
    ...flags,
  ];
}

/** The charts that a chart of this module depends on, fetched into it. */
export function helmDependencyArgv(
  release: HelmRelease,
  module: Pick<ModuleConfig, 'folder'>,
): readonly string[] {
  return ['helm', 'dep', 'build', chartOf(release, module)];
}

function chartOf(release: HelmRelease, { folder }: Pick<ModuleConfig, 'folder'>): string {
  if (release.chartPath !== undefined) return resolveFrom(folder, release.chartPath);
  return release.remoteChart ?? release.name;
}

function pairs(flag: string, values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([key, value]) => [flag, `${key}=${value}`]);
}
