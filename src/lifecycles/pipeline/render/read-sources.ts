/** Reads the manifests of one module from all its sources, in this order: raw files, kustomize, helm. */
import type { KubeObject } from '../../../kube/object.ts';
import { formatProblem, type Problem } from '../../../model/problem.ts';
import { shellWords } from '../../../model/shell-words.ts';
import { decodeUtf8File } from '../../../platform/byte-text.ts';
import { errorOf } from '../config/config-problem.ts';
import type { HelmRelease, ModuleConfig } from '../config/model.ts';
import { resolveFrom } from '../config/paths.ts';
import { programFailure, runProgram } from '../programs/run-program.ts';
import type { BuiltArtifact, PhaseResult, PipelineSession } from '../session.ts';
import { findFiles } from './find-files.ts';
import { parseManifests } from './parse-manifests.ts';
import { expandRelease, type HelmSource, namespaceOf, withHelm } from './read-helm.ts';

type Objects = PhaseResult<readonly KubeObject[]>;

export async function readSources(
  session: PipelineSession,
  module: ModuleConfig,
  built: readonly BuiltArtifact[],
): Promise<Objects> {
  const { kustomize } = module.manifests;
  const sources = [
    () => readRaw(session, module),
    ...(kustomize?.paths ?? []).map((path) => () => {
      const folder = resolveFrom(module.folder, path);
      const argv = ['kubectl', 'kustomize', ...(kustomize?.buildArgs ?? []), folder];
      return fromProgram(session, module, { argv, source: `kustomize ${path}` });
    }),
    ...[...renderedReleases(module), ...installedReleases(session, module)].map(
      (release) => () => fromHelm({ ...release, module, built }, session),
    ),
  ];
  const objects: KubeObject[] = [];
  for (const read of sources) {
    const made = await read();
    if (made.outcome !== 'Succeeded') return made;
    objects.push(...made.value);
  }
  return { outcome: 'Succeeded', value: objects };
}

type Release = Pick<HelmSource, 'release' | 'flags' | 'isInstalled'>;

function renderedReleases({ manifests: { helm } }: ModuleConfig): readonly Release[] {
  if (helm === null) return [];
  return helm.releases.map((release) => ({ release, flags: helm.flags, isInstalled: false }));
}

/**
 * Releases of deploy.helm. They are rendered and applied like other manifests, so that images, labels, prune and hooks
 * work the same.
 */
function installedReleases(session: PipelineSession, module: ModuleConfig): readonly Release[] {
  const { helm } = module.deploy;
  if (helm === null) return [];
  const { releases, flags } = helm;
  for (const { name } of releases) {
    const message = `The release ${name} is rendered by helm template and applied like other manifests: helm records no release, and hooks of the chart do not run.`;
    session.hooks.emit({ type: 'Warning', code: 'LHL406', message });
  }
  return releases.map((release) => ({ release, flags, isInstalled: true }));
}

async function readRaw(session: PipelineSession, module: ModuleConfig): Promise<Objects> {
  const { rawYaml } = module.manifests;
  const remote = rawYaml.filter((one) => /^[a-z]+:\/\//.test(one));
  if (remote.length > 0) {
    return failed([
      wrong(
        module,
        `manifests.rawYaml takes files, not URLs: ${remote.join(', ')}.`,
        'Download the file, and write its path instead.',
      ),
    ]);
  }
  const { folder, file } = module;
  return readFiles(session, { folder, patterns: rawYaml, field: 'manifests.rawYaml', file });
}

export interface FilePatterns {
  readonly folder: string;
  /** Relative to `folder`, or absolute. */
  readonly patterns: readonly string[];
  /** The name of the field that has the patterns; absent: they are from the command line. */
  readonly field?: string;
  readonly file?: string;
}

/** Reads the objects of all files. A pattern that no file matches is a failure. */
export async function readFiles(
  { platform, hooks }: PipelineSession,
  { folder, patterns, field = 'the command line', file }: FilePatterns,
): Promise<Objects> {
  const found = await findFiles(platform.files, folder, patterns);
  if (found.unmatched.length > 0) {
    const message = `No file matches ${found.unmatched.join(', ')} of ${field}.`;
    return failed([wrong({ file }, message, 'Correct or remove it.')]);
  }
  for (const other of found.others) {
    const message = `${other} is matched by ${field}, but is neither YAML nor JSON.`;
    hooks.emit({ type: 'Warning', code: 'LHL403', message });
  }
  const objects: KubeObject[] = [];
  const problems: Problem[] = [];
  for (const path of found.files) {
    const parsed = parseManifests(path, decodeUtf8File(await platform.files.read(path)));
    objects.push(...parsed.objects);
    problems.push(...parsed.problems);
  }
  return problems.length > 0 ? failed(problems) : { outcome: 'Succeeded', value: objects };
}

async function fromHelm(source: HelmSource, session: PipelineSession): Promise<Objects> {
  const { module, isInstalled } = source;
  const expanded = await expandRelease(source.release, session);
  if (expanded.outcome !== 'Succeeded') return expanded;
  const release = expanded.value;
  const made = await withHelm({ ...source, release }, session, (argv) =>
    fromProgram(session, module, { argv, source: `helm ${release.name}` }),
  );
  if (made.outcome !== 'Succeeded' || !isInstalled) return made;
  return { outcome: 'Succeeded', value: withNamespace(made.value, release, session) };
}

/** Sets the release's namespace on its objects, as helm does at an installation: charts rarely set a namespace. */
function withNamespace(
  objects: readonly KubeObject[],
  release: HelmRelease,
  session: PipelineSession,
): readonly KubeObject[] {
  const namespace = namespaceOf(release, session);
  if (namespace === null || release.namespace === undefined) return objects;
  return objects.map((object) => ({ ...object, metadata: { namespace, ...object.metadata } }));
}

async function fromProgram(
  session: PipelineSession,
  module: ModuleConfig,
  { argv, source }: { readonly argv: readonly string[]; readonly source: string },
): Promise<Objects> {
  const result = await runProgram({ argv, cwd: module.folder, source, capture: 'stdout' }, session);
  if (result.outcome !== 'Succeeded') {
    const title = `error LHL404: The manifests of ${source} could not be rendered`;
    return programFailure(result, { title, next: `Run it by hand: ${shellWords(argv)}` });
  }
  const { objects, problems } = parseManifests(`(${source})`, result.stdout);
  return problems.length > 0 ? failed(problems) : { outcome: 'Succeeded', value: objects };
}

function wrong(
  { file }: { readonly file?: string | undefined },
  message: string,
  next: string,
): Problem {
  if (file === undefined) return { code: 'LHL402', severity: 'error', message, next };
  return errorOf('LHL402', { at: { file, line: 1, column: 1 }, message, next });
}

/** A failure with the first 50 of these problems. */
export function failed(problems: readonly Problem[]): PhaseResult<never> {
  const message = problems.slice(0, MAX_PROBLEMS).map(formatProblem).join('\n');
  return { outcome: 'Failed', exitCode: 1, message };
}

const MAX_PROBLEMS = 50;
