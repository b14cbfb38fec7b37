/**
 * Reads a pipeline: skaffold.env, the file with its requirements, and the lifehook.yaml next to the file. All problems
 * are reported at once.
 */
import { LifehookError, type Problem, shownText } from '../../../model/problem.ts';
import type { PipelineHook } from '../hooks/model.ts';
import { chooseModules, choosePlatforms } from './choose-modules.ts';
import { distinct, errorOf, PROBLEMS_MAX } from './config-problem.ts';
import { type ConfigFacts, ModuleGatherer } from './gather-modules.ts';
import { idleWarning, withoutRefusedBuilders } from './judge-fields.ts';
import { attachLifehook, NO_OWN_HOOKS } from './lifehook-file.ts';
import { mapStages, modulePrefix } from './map-hooks.ts';
import type { ModuleConfig, PipelineConfig } from './model.ts';
import { folderOf } from './paths.ts';

export interface ReadPipelineOptions {
  /** Absolute path. */
  readonly file: string;
  /** Profiles of the command line: names, and "-name" for deactivated ones. */
  readonly profiles: readonly string[];
  /** Modules of the command line: only these and their requirements; absent or empty: all. */
  readonly modules?: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The command, which activations test: "dev", "build". */
  readonly command: string;
  /** The context of the command line. */
  readonly kubeContext?: string;
  /** --ignore-unsupported: fields that are not implemented cause warnings instead of errors. */
  readonly ignoreUnsupported?: boolean;
  /** Platforms of the command line; absent or empty: as in the files. */
  readonly platforms?: readonly string[];
  readonly facts: ConfigFacts;
}

export interface ReadPipeline {
  readonly config: PipelineConfig;
  readonly warnings: readonly Problem[];
  /** The environment, with the variables of skaffold.env. Existing variables of the process are kept. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Commands that use the cluster, so that its context must be unambiguous. */
const DEPLOYING = new Set(['deploy', 'run', 'dev', 'apply', 'delete', 'verify']);
const DEFAULT_MANIFESTS = ['k8s/*.yaml'];

/** @throws LifehookError with every problem of all the files. */
export async function readPipeline(options: ReadPipelineOptions): Promise<ReadPipeline> {
  const { file, facts, profiles, command, kubeContext, ignoreUnsupported = false } = options;
  const workDir = folderOf(file);
  const envFile = `${workDir}/skaffold.env`;
  const text = await facts.readText(envFile);
  const { env, problems } = withEnvFile(options.env, { file: envFile, text: text ?? '' });
  const gatherer = new ModuleGatherer({
    facts,
    env,
    command,
    kubeContext: kubeContext ?? null,
    profiles,
    ignoreUnsupported,
  });
  await gatherer.gather(file);
  const found = [...problems, ...gatherer.problems];
  stopAtErrors(found);
  const bare: PipelineConfig = {
    modules: withDefaultManifests(addressed(gatherer.modules)),
    profiles: gatherer.profiles,
    workDir,
    ownHooks: NO_OWN_HOOKS,
    unusedFields: gatherer.unused,
  };
  const own = `${workDir}/lifehook.yaml`;
  const ownText = await facts.readText(own);
  const attached =
    ownText === null ? { config: bare, problems: [] } : await attachLifehook(bare, own, ownText);
  // Modules are chosen last, so that the address of a hook does not depend on the choice.
  const { keys, requires } = gatherer;
  const { modules } = attached.config;
  const chosen = chooseModules({ modules, keys, requires }, options.modules ?? []);
  const built = withoutRefusedBuilders(chosen.modules, ignoreUnsupported);
  const targeted = choosePlatforms(built.modules, options.platforms ?? []);
  const all = [
    ...found,
    ...attached.problems,
    ...chosen.problems,
    ...built.problems,
    ...targeted.problems,
    ...(DEPLOYING.has(command) ? clusterProblems(built.modules, kubeContext) : []),
  ];
  stopAtErrors(all);
  return {
    config: { ...attached.config, modules: targeted.modules },
    warnings: [...distinct(all), ...idleWarning(gatherer.unused)],
    env,
  };
}

function stopAtErrors(problems: readonly Problem[]): void {
  const errors = distinct(problems).filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new LifehookError(errors.slice(0, PROBLEMS_MAX));
}

/** Puts the module's prefix before the addresses of hooks, if there are several modules. */
function addressed(modules: readonly ModuleConfig[]): readonly ModuleConfig[] {
  return modules.map((module, index) => {
    const prefix = modulePrefix(modules, index);
    const named = (hook: PipelineHook): PipelineHook => ({
      ...hook,
      address: prefix + hook.address,
      name: prefix + hook.name,
    });
    return mapStages(module, (stage) => ({
      ...stage,
      before: stage.before.map((hook) => named(hook)),
      after: stage.after.map((hook) => named(hook)),
    }));
  });
}

/** Without any configured manifests, the directory k8s is deployed, as in skaffold. */
function withDefaultManifests(modules: readonly ModuleConfig[]): readonly ModuleConfig[] {
  const given = modules.some(
    ({ manifests, deploy }) =>
      manifests.rawYaml.length > 0 ||
      manifests.kustomize !== null ||
      manifests.helm !== null ||
      deploy.helm !== null,
  );
  if (given) return modules;
  return modules.map((one, index) =>
    index < modules.length - 1 || one.deploy.kubectl === null
      ? one
      : { ...one, manifests: { ...one.manifests, rawYaml: DEFAULT_MANIFESTS } },
  );
}

/**
 * One command deploys to one cluster, so configurations that name several clusters are refused. Pure. `given`: the
 * context of the command line, which overrides those of the files.
 */
function clusterProblems(
  modules: readonly ModuleConfig[],
  given: string | undefined,
): readonly Problem[] {
  if (given !== undefined) return [];
  const deploying = modules.filter((one) => deploysAnything(one));
  const named = deploying.find(({ deploy }) => deploy.kubeContext !== undefined);
  const other = deploying.find(({ deploy }) => deploy.kubeContext !== named?.deploy.kubeContext);
  if (named === undefined || other === undefined) return [];
  const at = named.deploy.kubeContextAt ?? { file: named.file, line: 1, column: 1 };
  const message = `Configurations are deployed to several clusters: ${whereOf(named)}, ${whereOf(other)}.`;
  const next = 'Deploy one of them at a time with --module, or all to one with --kube-context.';
  return [errorOf('LHL136', { at, message, next })];
}

function whereOf({ name, file, deploy }: ModuleConfig): string {
  return `${name ?? file} to ${deploy.kubeContext ?? 'that of the current context'}`;
}

function deploysAnything({ deploy, manifests }: ModuleConfig): boolean {
  const { rawYaml, kustomize, helm } = manifests;
  if (deploy.helm !== null) return true;
  return deploy.kubectl !== null && (rawYaml.length > 0 || kustomize !== null || helm !== null);
}

type Env = Readonly<Record<string, string | undefined>>;

const LINES_MAX = 10_000;

/**
 * Reads skaffold.env: lines `NAME=value` or `NAME: value` in a file next to the requested one, read together with it.
 * Existing variables of the process are kept. Pure.
 */
export function withEnvFile(
  env: Env,
  { file, text }: { file: string; text: string },
): { readonly env: Env; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const added = new Map<string, string>();
  for (const [index, line] of text.split(/\r?\n/).slice(0, LINES_MAX).entries()) {
    const bare = line.trim();
    if (bare === '' || bare.startsWith('#')) continue;
    const found = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\s*[=:]\s*(.*)$/.exec(bare);
    if (found === null) {
      const at = { file, line: index + 1, column: 1 };
      const message = `A line of skaffold.env must be NAME=value; received ${JSON.stringify(shownText(bare))}.`;
      problems.push(errorOf('LHL122', { at, message, next: 'Correct or remove the line.' }));
    } else added.set(found[1] ?? '', unquoted(found[2] ?? ''));
  }
  const known = Object.entries(env).filter(([, value]) => value !== undefined);
  return { env: Object.fromEntries([...added, ...known]), problems };
}

function unquoted(value: string): string {
  const quoted = /^(["'])(.*)\1(\s+#.*)?$/.exec(value);
  if (quoted === null) return value.replace(/(^|\s)#.*$/, '').trimEnd();
  const inner = quoted[2] ?? '';
  if (quoted[1] === "'") return inner;
  return inner.replaceAll(
    /\\(.)/g,
    (_, letter: string) => ({ n: '\n', r: '\r' })[letter] ?? letter,
  );
}
