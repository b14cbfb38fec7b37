/** Renders one helm release with the helm program, after downloading its chart's dependencies. */
import { shellWords } from '../../../model/shell-words.ts';
import { encodeUtf8 } from '../../../platform/byte-text.ts';
import { expandGoTemplate } from '../build/go-template.ts';
import type { HelmFlags, HelmRelease, ModuleConfig } from '../config/model.ts';
import { resolveFrom } from '../config/paths.ts';
import { programFailure, runProgram } from '../programs/run-program.ts';
import type { BuiltArtifact, PhaseResult, PipelineSession } from '../session.ts';
import { hooksTemplateData } from '../values/session-values.ts';
import { helmDependencyArgv, helmTemplateArgv, imageTemplateData } from './helm-argv.ts';

export interface HelmSource {
  readonly module: ModuleConfig;
  readonly release: HelmRelease;
  readonly flags: HelmFlags;
  /** True: the release is from deploy.helm. False: it is from manifests.helm. */
  readonly isInstalled: boolean;
  readonly built: readonly BuiltArtifact[];
}

/**
 * Calls `read` with a command line that prints the manifests on stdout. The files of the command line exist until
 * `read` has settled.
 */
export async function withHelm<T>(
  source: HelmSource,
  session: PipelineSession,
  read: (argv: readonly string[]) => Promise<PhaseResult<T>>,
): Promise<PhaseResult<T>> {
  const templated = await expandValues(source, session);
  if (templated.outcome !== 'Succeeded') return templated;
  const fetched = await buildDependencies(source, session);
  if (fetched.outcome !== 'Succeeded') return fetched;
  const { module, release, flags, isInstalled } = source;
  const { hooks, platform } = session;
  const namespace = namespaceOf(release, session);
  const facts = { namespace, templated: templated.value, flags, isInstalled, overridesFile: null };
  if (!hasOverrides(release)) return read(helmTemplateArgv(release, module, facts));
  const path = `${hooks.scratchFolder}/${encodeURIComponent(release.name)}-overrides.yaml`;
  await platform.files.makeFolder(hooks.scratchFolder, PRIVATE);
  try {
    // JSON is valid YAML.
    await platform.files.replace(path, encodeUtf8(JSON.stringify(release.overrides)), {
      mode: OWN,
    });
    return await read(helmTemplateArgv(release, module, { ...facts, overridesFile: path }));
  } finally {
    await platform.files.remove(path);
  }
}

/** The namespace of the command line overrides that of the release, as in skaffold. null: it is unknown. */
export function namespaceOf(
  { namespace }: Pick<HelmRelease, 'namespace'>,
  { options, target }: PipelineSession,
): string | null {
  return options.namespace ?? namespace ?? target?.namespace ?? null;
}

/** Expands the templates in the name, the namespace and the chart of the release. */
export async function expandRelease(
  release: HelmRelease,
  { hooks }: PipelineSession,
): Promise<PhaseResult<HelmRelease>> {
  const data = { ...hooks.callerEnv, hooks: hooksTemplateData(hooks.values.byHook()) };
  let expanded = release;
  for (const key of ['name', 'namespace', 'chartPath', 'repo', 'version'] as const) {
    const template = release[key];
    if (template === undefined) continue;
    const text = await expand(template, data, `${key} of the release ${release.name}`);
    if (text.outcome !== 'Succeeded') return text;
    expanded = { ...expanded, [key]: text.value };
  }
  return { outcome: 'Succeeded', value: expanded };
}

const PRIVATE = 0o700;
const OWN = 0o600;

function hasOverrides({ overrides }: HelmRelease): boolean {
  return overrides !== null && overrides !== undefined;
}

/** Expands setValueTemplates. They can use the caller's environment, values of hooks, and the built images. */
async function expandValues(
  { release: { name, setValueTemplates }, built }: HelmSource,
  { hooks }: PipelineSession,
): Promise<PhaseResult<Record<string, string>>> {
  const data = {
    ...hooks.callerEnv,
    hooks: hooksTemplateData(hooks.values.byHook()),
    ...imageTemplateData(built),
  };
  const values: Record<string, string> = {};
  for (const [key, template] of Object.entries(setValueTemplates)) {
    const text = await expand(template, data, `value ${key} of the release ${name}`);
    if (text.outcome !== 'Succeeded') return text;
    values[key] = text.value;
  }
  return { outcome: 'Succeeded', value: values };
}

async function expand(
  template: string,
  data: Parameters<typeof expandGoTemplate>[1]['data'],
  what: string,
): Promise<PhaseResult<string>> {
  const command = (): Promise<null> => Promise.resolve(null);
  const result = await expandGoTemplate(template, { data, command });
  if (result.kind === 'text') return { outcome: 'Succeeded', value: result.text };
  const message = `error LHL402: The ${what} cannot be computed: ${result.reason}.\n  next: Correct its template, or set the variable that it names.`;
  return { outcome: 'Failed', exitCode: 1, message };
}

async function buildDependencies(
  { release, module, flags }: HelmSource,
  session: PipelineSession,
): Promise<PhaseResult<null>> {
  const done = { outcome: 'Succeeded', value: null } as const;
  if (release.chartPath === undefined || release.skipBuildDependencies) return done;
  const chart = resolveFrom(module.folder, release.chartPath);
  if (!(await namesCharts(chart, session))) return done;
  const argv = helmDependencyArgv(release, module, flags);
  const source = `helm ${release.name}`;
  const ran = await runProgram({ argv, cwd: module.folder, source }, session);
  if (ran.outcome === 'Succeeded') return done;
  const title = `error LHL404: The charts that ${release.name} depends on could not be fetched`;
  return programFailure(ran, { title, next: `Run it by hand: ${shellWords(argv)}` });
}

async function namesCharts(chart: string, { platform }: PipelineSession): Promise<boolean> {
  const read = (name: string): Promise<string> =>
    platform.files.read(`${chart}/${name}`).catch(() => '');
  const texts = await Promise.all(['Chart.yaml', 'requirements.yaml'].map((name) => read(name)));
  return texts.some((text) => /^dependencies:/m.test(text));
}
