/** Converts the build section into the model of the phases. Pure. Problems of the section were reported before. */
import type { Located, LocatedMap } from '../../../../model/located-tree.ts';
import { asksFor, REFUSED_BUILDERS } from '../field-effects.ts';
import type {
  Artifact,
  BuildConfig,
  Builder,
  CustomDependencies,
  DockerBuilder,
  SyncConfig,
  TagPolicy,
} from '../model.ts';
import { resolveFrom } from '../paths.ts';
import { listAt, mapAt, partAt, type Step, textAt } from '../tree-edit.ts';
import { convertHooks } from './convert-hooks.ts';

/** The number of parallel builds without a setting, as in skaffold. */
const CONCURRENCY_DEFAULT = 1;

export function convertBuild(tree: Located | undefined, folder: string): BuildConfig {
  const place = mapAt(tree, 'local') ?? mapAt(tree, 'cluster') ?? mapAt(tree, 'googleCloudBuild');
  const push = textAt(tree, 'local', 'push');
  const platforms = texts(tree, 'platforms');
  return {
    artifacts: listAt(tree, 'artifacts')
      .filter((one) => one.kind === 'map')
      .map((one) => convertArtifact(one, folder))
      .map((one) => (one.platforms.length > 0 ? one : { ...one, platforms })),
    tagPolicy: convertTagPolicy(partAt(tree, 'tagPolicy')),
    push: push === undefined ? null : push === 'true',
    concurrency: numberAt(place, 'concurrency') ?? CONCURRENCY_DEFAULT,
    platforms,
    hooks: convertHooks(partAt(tree, 'hooks'), {
      address: 'build',
      phase: 'build',
      place: 'build',
      folder,
    }),
  };
}

function convertArtifact(tree: LocatedMap, folder: string): Artifact {
  const image = textAt(tree, 'image') ?? '';
  return {
    image,
    context: resolveFrom(folder, textAt(tree, 'context') ?? '.'),
    builder: convertBuilder(tree),
    requires: listAt(tree, 'requires').map((one) => {
      const required = textAt(one, 'image') ?? '';
      return { image: required, alias: textAt(one, 'alias') ?? required };
    }),
    sync: convertSync(tree, { image, folder }),
    hooks: convertHooks(partAt(tree, 'hooks'), {
      address: `build/${image}`,
      phase: 'build',
      place: 'build',
      folder,
    }),
    platforms: texts(tree, 'platforms'),
    at: tree.at,
  };
}

function convertBuilder(tree: LocatedMap): Builder {
  const other = [...tree.fields].find(
    ([name, { value }]) => `Artifact.${name}` in REFUSED_BUILDERS && asksFor(value),
  );
  if (other !== undefined) {
    const [name, { keyAt }] = other;
    return { kind: 'unsupported', name, at: keyAt };
  }
  const custom = tree.fields.get('custom')?.value;
  if (custom === undefined) return convertDocker(partAt(tree, 'docker'));
  const buildCommand = textAt(custom, 'buildCommand') ?? '';
  const dependencies = convertDependencies(partAt(custom, 'dependencies'));
  const all = { kind: 'paths', paths: ['.'], ignore: [] } as const;
  return { kind: 'custom', buildCommand, dependencies: dependencies ?? all };
}

function convertDocker(tree: Located | undefined): DockerBuilder {
  const [target, network, ssh] = ['target', 'network', 'ssh'].map((name) => textAt(tree, name));
  const on = (name: string): boolean => textAt(tree, name) === 'true';
  return {
    kind: 'docker',
    dockerfile: textAt(tree, 'dockerfile') ?? 'Dockerfile',
    ...(target !== undefined && { target }),
    buildArgs: nullableEntries(tree, 'buildArgs'),
    ...(network !== undefined && { network }),
    addHost: texts(tree, 'addHost'),
    cacheFrom: texts(tree, 'cacheFrom'),
    noCache: on('noCache'),
    pullParent: on('pullParent'),
    squash: on('squash'),
    ...(ssh !== undefined && { ssh }),
    secrets: listAt(tree, 'secrets').map((one) => {
      const [src, env] = [textAt(one, 'src'), textAt(one, 'env')];
      return {
        id: textAt(one, 'id') ?? '',
        ...(src !== undefined && { src }),
        ...(env !== undefined && { env }),
      };
    }),
    cliFlags: texts(tree, 'cliFlags'),
  };
}

export function convertDependencies(tree: Located | undefined): CustomDependencies | null {
  if (tree?.kind !== 'map') return null;
  const command = textAt(tree, 'command');
  if (command !== undefined) return { kind: 'command', command };
  const dockerfile = partAt(tree, 'dockerfile');
  if (dockerfile === undefined) {
    return { kind: 'paths', paths: texts(tree, 'paths'), ignore: texts(tree, 'ignore') };
  }
  const path = textAt(dockerfile, 'path') ?? 'Dockerfile';
  return { kind: 'dockerfile', path, buildArgs: nullableEntries(dockerfile, 'buildArgs') };
}

/** Converts a sync. One that has only hooks infers everything, as in skaffold. */
function convertSync(
  tree: LocatedMap,
  { image, folder }: { image: string; folder: string },
): SyncConfig | null {
  const sync = partAt(tree, 'sync');
  if (sync?.kind !== 'map') return null;
  const manual = listAt(sync, 'manual').map((rule) => ({
    src: textAt(rule, 'src') ?? '',
    dest: textAt(rule, 'dest') ?? '',
    strip: textAt(rule, 'strip') ?? '',
  }));
  const inferred = texts(sync, 'infer');
  const auto = textAt(sync, 'auto') === 'true';
  const mode = manual.length > 0 ? 'manual' : auto ? 'auto' : 'infer';
  const place = { address: `sync/${image}`, phase: 'sync', place: 'sync', folder } as const;
  return {
    mode,
    manual,
    infer: mode === 'infer' && inferred.length === 0 ? ['**/*'] : inferred,
    hooks: convertHooks(partAt(sync, 'hooks'), place),
  };
}

export function texts(tree: Located | undefined, ...path: readonly Step[]): readonly string[] {
  return listAt(tree, ...path).map((one) => textAt(one) ?? '');
}

export function numberAt(tree: Located | undefined, ...path: readonly Step[]): number | null {
  const part = partAt(tree, ...path);
  return part?.kind === 'scalar' && typeof part.value === 'number' ? part.value : null;
}

export function entries(
  tree: Located | undefined,
  ...path: readonly Step[]
): Record<string, string> {
  const fields = [...(mapAt(tree, ...path)?.fields ?? [])];
  return Object.fromEntries(fields.map(([name, { value }]) => [name, textAt(value) ?? '']));
}

/** The value of each entry by its name; null: the value is that of the caller's variable with this name. */
function nullableEntries(tree: Located | undefined, name: string): Record<string, string | null> {
  const fields = [...(mapAt(tree, name)?.fields ?? [])];
  return Object.fromEntries(fields.map(([key, { value }]) => [key, textAt(value) ?? null]));
}

type GitTags = Extract<TagPolicy, { kind: 'gitCommit' }>;

const DATE_FORMAT = '2006-01-02_15-04-05.999_MST';

/** The tag policy, with the defaults of skaffold. Pure. */
function convertTagPolicy(tree: Located | undefined): TagPolicy {
  const has = (name: string): boolean => mapAt(tree)?.fields.has(name) === true;
  if (has('sha256')) return { kind: 'sha256' };
  if (has('inputDigest')) return { kind: 'inputDigest' };
  if (has('envTemplate')) {
    return { kind: 'envTemplate', template: textAt(tree, 'envTemplate', 'template') ?? '' };
  }
  if (has('dateTime')) {
    return dateTags(partAt(tree, 'dateTime'));
  }
  if (has('customTemplate')) {
    const components = listAt(tree, 'customTemplate', 'components').map((one) => ({
      name: textAt(one, 'name') ?? '',
      policy: convertTagPolicy(one),
    }));
    const template = textAt(tree, 'customTemplate', 'template') ?? '';
    return { kind: 'customTemplate', template, components };
  }
  return gitTags(partAt(tree, 'gitCommit'));
}

function gitTags(git: Located | undefined): GitTags {
  return {
    kind: 'gitCommit',
    variant: (textAt(git, 'variant') ?? 'Tags') as GitTags['variant'],
    prefix: textAt(git, 'prefix') ?? '',
    ignoreChanges: textAt(git, 'ignoreChanges') === 'true',
  };
}

function dateTags(tree: Located | undefined): TagPolicy {
  const format = textAt(tree, 'format') ?? DATE_FORMAT;
  return { kind: 'dateTime', format, timezone: textAt(tree, 'timezone') ?? 'Local' };
}
