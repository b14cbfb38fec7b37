/**
 * Determines the files that a development session watches, in groups. Scripts that hooks call are not watched
 * (PIPE-S9).
 */
import { artifactFiles } from '../build/artifact-files.ts';
import { buildOrder } from '../build/build-order.ts';
import { globFiles, walkFiles } from '../build/walk-files.ts';
import type { Artifact, ModuleConfig, TestConfig } from '../config/model.ts';
import { isWithin, resolveFrom, splitGlob } from '../config/paths.ts';
import { NO_HOOKS, type PipelineHook, type StageHooks } from '../hooks/model.ts';
import { findFiles } from '../render/find-files.ts';
import { kustomizeSources } from '../render/kustomize-sources.ts';
import type { PipelineSession } from '../session.ts';
import type { GroupKey } from './snapshot.ts';

export interface WatchedGroup {
  readonly key: GroupKey;
  /**
   * The paths to watch: directories and single files. A change at or below one of them may concern the group. A later
   * call of `list` may add paths.
   */
  readonly roots: readonly string[];
  /** Whether the content of a file may name other files. Then every change rebuilds the list, not only a new name. */
  readonly isOfContents: boolean;
  /** The files of the group: absolute, without duplicates. Rejects with a LifehookError, like the phases. */
  readonly list: () => Promise<readonly string[]>;
  /** Completes `roots`; absent: `roots` is complete from the start. Rejects like `list`. */
  readonly findRoots?: () => Promise<void>;
}

export function watchedGroups(session: PipelineSession): readonly WatchedGroup[] {
  const { config, options } = session;
  const { modules } = config;
  const artifacts = modules.flatMap(({ build }) => build.artifacts);
  return [
    configGroup(session),
    ...buildOrder(artifacts, options.buildImages)
      .filter(({ image }) => isWatched(image, options.watchImages))
      .map((one) => artifactGroup(one, session)),
    inputsGroup(
      'build',
      modules.flatMap(({ build }) => build.hooks),
      session,
    ),
    ...modules.flatMap(({ test }) => test).map((one, index) => testGroup(one, index, session)),
    manifestsGroup(session),
  ];
}

/** Whether the image is one of those to watch. A part of its name is enough, as in skaffold. */
const isWatched = (image: string, parts: readonly string[]): boolean =>
  parts.length === 0 || parts.some((part) => image.includes(part));

export const artifactKey = (image: string): GroupKey => `artifact/${image}`;

const testKey = (image: string, index: number): GroupKey => `test/${image}/${index}`;

/** Whether the key is that of a group of tests of this image. */
export const isTestKey = (key: GroupKey, image: string): boolean =>
  key.slice(0, key.lastIndexOf('/')) === `test/${image}`;

function configGroup({ config: { modules, workDir } }: PipelineSession): WatchedGroup {
  const files = modules.map(({ file }) => file);
  const paths = [...new Set([...files, `${workDir}/lifehook.yaml`, `${workDir}/skaffold.env`])];
  return { key: 'config', roots: paths, isOfContents: false, list: () => Promise.resolve(paths) };
}

/**
 * The group of an artifact. It includes the declared inputs of the artifact's hooks, which produce files for the build.
 */
function artifactGroup(artifact: Artifact, session: PipelineSession): WatchedGroup {
  const { image, context, hooks } = artifact;
  const inputs = inputsOf([hooks], session);
  /** Files outside of the context, such as a shared Dockerfile. */
  let outside: readonly string[] = [];
  return {
    key: artifactKey(image),
    get roots() {
      return [context, ...outside, ...inputs.roots];
    },
    isOfContents:
      artifact.builder.kind === 'custom' && artifact.builder.dependencies.kind !== 'paths',
    list: async () => {
      const own = await artifactFiles(artifact, session);
      outside = own.filter((path) => !isWithin(path, context));
      return [...new Set([...own, ...(await inputs.list())])];
    },
  };
}

function testGroup(test: TestConfig, index: number, session: PipelineSession): WatchedGroup {
  const { image, context, structureTests } = test;
  const all = test.custom.flatMap(({ dependencies }) => dependencies ?? []);
  return {
    key: testKey(image, index),
    roots: all.length === 0 && structureTests.length === 0 ? [] : [context],
    isOfContents: all.some(({ kind }) => kind !== 'paths'),
    list: async () => {
      const lists = all.map((dependencies) => {
        const builder = { kind: 'custom', buildCommand: '', dependencies } as const;
        const at = { file: context, line: 1, column: 1 };
        const bare = { requires: [], sync: null, hooks: NO_HOOKS, platforms: [], at };
        return artifactFiles({ image, context, builder, ...bare }, session);
      });
      const { files } = await findFiles(session.platform.files, context, structureTests);
      return [...new Set([...files, ...(await Promise.all(lists)).flat()])];
    },
  };
}

/** The group of manifests: the sources of rendering, and the declared inputs of render and deploy hooks. */
function manifestsGroup(session: PipelineSession): WatchedGroup {
  const { modules } = session.config;
  const hooks = modules.flatMap(({ manifests, deploy }) => [
    manifests.hooks,
    ...(deploy.kubectl === null ? [] : [deploy.kubectl.hooks]),
    ...(deploy.helm === null ? [] : [deploy.helm.hooks]),
  ]);
  const inputs = inputsOf(hooks, session);
  const bases = basesOf(modules, session);
  const all = [...modules.map((module) => sourcesOf(module, session)), bases, inputs];
  return {
    key: 'manifests',
    get roots() {
      return all.flatMap(({ roots }) => roots);
    },
    isOfContents: modules.some(({ manifests }) => manifests.kustomize !== null),
    findRoots: async () => {
      await bases.list();
    },
    list: async () => {
      const lists = await Promise.all(all.map(({ list }) => list()));
      return [...new Set(lists.flat())];
    },
  };
}

/** The sources of kustomize, including those outside of its directories that its files name. */
function basesOf(modules: readonly ModuleConfig[], session: PipelineSession): Sources {
  const folders = modules.flatMap(({ folder, manifests }) =>
    (manifests.kustomize?.paths ?? []).map((path) => resolveFrom(folder, path)),
  );
  let roots: readonly string[] = folders;
  return {
    get roots() {
      return roots;
    },
    list: async () => {
      const found = await kustomizeSources(folders, session.platform.files);
      ({ roots } = found);
      return found.files;
    },
  };
}

type Sources = Pick<WatchedGroup, 'roots' | 'list'>;

function sourcesOf({ folder, manifests, deploy }: ModuleConfig, session: PipelineSession): Sources {
  const { files } = session.platform;
  const raw = manifests.rawYaml.filter((one) => !/^[a-z]+:\/\//.test(one));
  const releases = [...(manifests.helm?.releases ?? []), ...(deploy.helm?.releases ?? [])];
  const charts = releases
    .flatMap(({ chartPath }) => chartPath ?? [])
    .map((path) => resolveFrom(folder, path));
  const named = releases
    .flatMap(({ valuesFiles, setFiles }) => [...valuesFiles, ...Object.values(setFiles)])
    .map((path) => resolveFrom(folder, path));
  return {
    roots: [...raw.map((one) => splitGlob(folder, one).root), ...charts, ...named],
    list: async () => {
      const found = await findFiles(files, folder, raw);
      const below = charts.map(async (path) =>
        (await walkFiles(path, { files })).map((name) => `${path}/${name}`),
      );
      return [...found.files, ...(await Promise.all(below)).flat(), ...named];
    },
  };
}

function inputsGroup(
  key: GroupKey,
  stages: readonly StageHooks[],
  session: PipelineSession,
): WatchedGroup {
  return { key, isOfContents: false, ...inputsOf(stages, session) };
}

function inputsOf(stages: readonly StageHooks[], session: PipelineSession): Sources {
  const { files } = session.platform;
  const hooks = stages
    .flatMap((stage) => [...stage.before, ...stage.after])
    .filter(({ policy }) => policy.inputs.length > 0);
  return {
    roots: hooks.flatMap((hook) =>
      hook.policy.inputs.map((glob) => splitGlob(folderOfHook(hook, session), glob).root),
    ),
    list: async () => {
      const lists = hooks.map((hook) =>
        globFiles(folderOfHook(hook, session), hook.policy.inputs, { files }),
      );
      return [...new Set((await Promise.all(lists)).flat())];
    },
  };
}

/** The directory to which the globs of the hook's inputs are relative. */
export function folderOfHook({ action }: PipelineHook, { hooks }: PipelineSession): string {
  return (action.kind === 'host' ? action.dir : undefined) ?? hooks.workDir;
}
