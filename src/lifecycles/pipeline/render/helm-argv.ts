/**
 * Builds the command lines of the helm program. Pure. Tests record the order of arguments, since scripts may replace
 * helm.
 */
import type { HelmFlags, HelmRelease, ModuleConfig } from '../config/model.ts';
import { resolveFrom } from '../config/paths.ts';
import { parseImageName } from '../hooks/image-name.ts';
import type { BuiltArtifact } from '../session.ts';

export interface HelmFacts {
  /** null: the namespace is unknown. */
  readonly namespace: string | null;
  /** The expanded setValueTemplates. */
  readonly templated: Readonly<Record<string, string>>;
  /** The path of a file with `overrides`; null: there are none. */
  readonly overridesFile: string | null;
  readonly flags: HelmFlags;
  /**
   * Whether the release is installed. If so, hooks of the chart are left out: applied like other objects, a pre-delete
   * hook would run at once.
   */
  readonly isInstalled: boolean;
}

/** The command line of `helm template`, which prints the manifests on stdout. */
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

/** The command line that downloads the dependencies of a chart into the chart's directory. */
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

/**
 * The data for templates of helm values: the built images, under the names of skaffold. Pure. The first image has the
 * bare names, and the n-th image has names with the suffix n. Each image also has names with the image's name as
 * suffix.
 *
 * Worked example: for web, built as localhost:5000/web:v1, the data is IMAGE_NAME=web, IMAGE_REPO=localhost:5000/web,
 * IMAGE_TAG=v1, IMAGE_DIGEST empty, IMAGE_DOMAIN=localhost:5000, IMAGE_REPO_NO_DOMAIN=web,
 * IMAGE_FULLY_QUALIFIED=localhost:5000/web:v1, and the same values as IMAGE_NAME_web and so on.
 */
export function imageTemplateData(
  built: readonly Pick<BuiltArtifact, 'image' | 'reference'>[],
): Record<string, string> {
  const data: Record<string, string> = {};
  for (const [index, { image, reference }] of built.entries()) {
    const number = index === 0 ? '' : String(index + 1);
    const word = image.replaceAll(/[^A-Za-z0-9]/g, '_');
    for (const [name, value] of Object.entries(partsOf(image, reference))) {
      data[`${name}${number}`] = value;
      data[`${name}_${word}`] = value;
    }
  }
  return data;
}

function partsOf(image: string, reference: string): Record<string, string> {
  const { repo, tag } = parseImageName(reference);
  const [, digest = ''] = reference.split('@');
  const [first = ''] = repo.split('/');
  // A first part with a dot or a port, or localhost, is a host. Otherwise the name belongs to the default registry.
  const domain = /[.:]|^localhost$/.test(first) && repo.includes('/') ? first : '';
  return {
    IMAGE_NAME: image,
    IMAGE_REPO: repo,
    IMAGE_TAG: tag ?? '',
    IMAGE_DIGEST: digest,
    IMAGE_DOMAIN: domain,
    IMAGE_REPO_NO_DOMAIN: domain === '' ? repo : repo.slice(domain.length + 1),
    IMAGE_FULLY_QUALIFIED: reference,
  };
}
