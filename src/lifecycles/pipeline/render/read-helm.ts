/** The manifests of one helm release, by the helm program: its chart's dependencies first, where it has some. */
import { expandGoTemplate } from '../build/go-template.ts';
import type { HelmRelease, ModuleConfig } from '../config/model.ts';
import { resolveFrom } from '../config/paths.ts';
import { programFailure, runProgram } from '../programs/run-program.ts';
import type { BuiltArtifact, PhaseResult, PipelineSession } from '../session.ts';
import { hooksTemplateData } from '../values/template-values.ts';
import { helmDependencyArgv, helmTemplateArgv } from './helm-argv.ts';
import { imageTemplateData } from './helm-values.ts';

export interface HelmSource {
  readonly module: ModuleConfig;
  readonly release: HelmRelease;
  readonly built: readonly BuiltArtifact[];
}

/** Calls `read` with the command line whose stdout is the manifests; what it needs is there until that has ended. */
export async function withHelm<T>(
  { module, release, built }: HelmSource,
  session: PipelineSession,
  read: (argv: readonly string[]) => Promise<PhaseResult<T>>,
): Promise<PhaseResult<T>> {
  const templated = await expandValues(release, built, session);
  if (templated.outcome !== 'Succeeded') return templated;
  const fetched = await buildDependencies(release, module, session);
  if (fetched.outcome !== 'Succeeded') return fetched;
  const { options, target, hooks, platform } = session;
  const namespace = options.namespace ?? target?.namespace ?? null;
  const flags = module.deploy.helm?.flags ?? [];
  const facts = { namespace, templated: templated.value, flags, overridesFile: null };
  if (!hasOverrides(release)) return read(helmTemplateArgv(release, module, facts));
  const path = `${hooks.scratchFolder}/${encodeURIComponent(release.name)}-overrides.yaml`;
  await platform.files.makeFolder(hooks.scratchFolder, PRIVATE);
  try {
    // JSON is YAML.
    await platform.files.replace(path, byteText(JSON.stringify(release.overrides)), { mode: OWN });
    return await read(helmTemplateArgv(release, module, { ...facts, overridesFile: path }));
  } finally {
    await platform.files.remove(path);
  }
}

const PRIVATE = 0o700;
const OWN = 0o600;

function hasOverrides({ overrides }: HelmRelease): boolean {
  return overrides !== null && overrides !== undefined;
}

function byteText(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
}

/** Values of hooks and built images may stand in them. */
async function expandValues(
  { name, setValueTemplates }: HelmRelease,
  built: readonly BuiltArtifact[],
  { hooks }: PipelineSession,
): Promise<PhaseResult<Record<string, string>>> {
  const data = {
    ...hooks.callerEnv,
    hooks: hooksTemplateData(hooks.values.byHook()),
    ...imageTemplateData(built),
  };
  const values: Record<string, string> = {};
  for (const [key, template] of Object.entries(setValueTemplates)) {
    const command = (): Promise<null> => Promise.resolve(null);
    const result = await expandGoTemplate(template, { data, command });
    if (result.kind === 'wrong') {
      const message = `error LHL402: The value ${key} of the release ${name} can't be made: ${result.reason}.\n  next: Correct setValueTemplates, or set what it names.`;
      return { outcome: 'Failed', exitCode: 1, message };
    }
    values[key] = result.text;
  }
  return { outcome: 'Succeeded', value: values };
}

async function buildDependencies(
  release: HelmRelease,
  module: ModuleConfig,
  session: PipelineSession,
): Promise<PhaseResult<null>> {
  const done = { outcome: 'Succeeded', value: null } as const;
  if (release.chartPath === undefined || release.skipBuildDependencies) return done;
  const chart = resolveFrom(module.folder, release.chartPath);
  if (!(await namesCharts(chart, session))) return done;
  const argv = helmDependencyArgv(release, module);
  const source = `helm ${release.name}`;
  const ran = await runProgram({ argv, cwd: module.folder, source }, session);
  if (ran.outcome === 'Succeeded') return done;
  const title = `error LHL404: The charts that ${release.name} depends on could not be fetched`;
  return programFailure(ran, { title, next: `Run it by hand: ${argv.join(' ')}` });
}

async function namesCharts(chart: string, { platform }: PipelineSession): Promise<boolean> {
  const read = (name: string): Promise<string> =>
    platform.files.read(`${chart}/${name}`).catch(() => '');
  const texts = await Promise.all(['Chart.yaml', 'requirements.yaml'].map((name) => read(name)));
  return texts.some((text) => /^dependencies:/m.test(text));
}
