/** How the helm program is called. Pure; the order is recorded by tests, since scripts stand in for helm there. */
import type { HelmFlags, HelmRelease, ModuleConfig } from '../config/model.ts';
import { resolveFrom } from '../config/paths.ts';

export interface HelmFacts {
  /** null: none is known. */
  readonly namespace: string | null;
  /** Of setValueTemplates, expanded. */
  readonly templated: Readonly<Record<string, string>>;
  /** A file of `overrides`; null: there are none. */
  readonly overridesFile: string | null;
  readonly flags: HelmFlags;
  /** Hooks of its chart are none of what is applied: a hook before its deletion would run at once. */
  readonly isInstalled: boolean;
}

/** `helm template`, whose stdout is the manifests. */
export function helmTemplateArgv(
  release: HelmRelease,
  module: Pick<ModuleConfig, 'folder'>,
  { namespace, templated, overridesFile, flags, isInstalled }: HelmFacts,
): readonly string[] {
  return [
    'helm',
    ...(release.useHelmSecrets ? ['secrets'] : []),
    'template',
    release.name,
    chartOf(release, module),
    ...(release.repo === undefined ? [] : ['--repo', release.repo]),
    ...(release.version === undefined ? [] : ['--version', release.version]),
    ...(namespace === null ? [] : ['--namespace', namespace]),
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
    ...(release.skipTests ? ['--skip-tests'] : []),
    ...(isInstalled ? ['--no-hooks'] : []),
    ...flags.template,
    ...flags.global,
  ];
}

/** The charts that a chart of this module depends on, fetched into it. */
export function helmDependencyArgv(
  release: HelmRelease,
  module: Pick<ModuleConfig, 'folder'>,
  { depBuild, global }: HelmFlags,
): readonly string[] {
  return ['helm', 'dep', 'build', chartOf(release, module), ...depBuild, ...global];
}

function chartOf(release: HelmRelease, { folder }: Pick<ModuleConfig, 'folder'>): string {
  if (release.chartPath !== undefined) return resolveFrom(folder, release.chartPath);
  return release.remoteChart ?? release.name;
}

function pairs(flag: string, values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([key, value]) => [flag, `${key}=${value}`]);
}
