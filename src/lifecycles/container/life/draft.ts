/**
 * Drafts a container from a bundle and the hook directories: everything is gathered, filtered
 * and decided here, before the first process of the container exists. A failure has changed nothing outside of the
 * container's own directory.
 */
import { MAX_STEPS } from '../../../engine/plan.ts';
import { LifehookError, type Problem } from '../../../model/problem.ts';
import type { ByteText, CancelSignal, Files } from '../../../platform/platform.ts';
import type { ProcessIdentity } from '../../../store/process-table.ts';
import { readBundle, type Bundle } from '../config/bundle.ts';
import { isObject, readConfig } from '../config/config-text.ts';
import { readConfiguredHooks } from '../config/configured-hooks.ts';
import { hooksFolder, type ContainerFolder } from './container-folder.ts';
import type { Container, PoststartFailure, RunnerChoice, SupervisorOrder } from './container.ts';
import { gatherFacts, type KnownFacts } from '../facts.ts';
import { filterConfig, type Filtering } from './filter-config.ts';
import type { Trust } from '../hooksd/path-trust.ts';
import {
  addHooks,
  chooseHooks,
  type ChosenHooks,
  type HooksByPoint,
  type HookSource,
  noHooks,
  type WrapHook,
} from './inject.ts';
import { hookRunnerOf, spoolFolder, type Life } from './life.ts';
import { runnerOf } from '../runners/oci-runner.ts';
import { stages } from '../points.ts';
import { forgetsHooks } from '../shim/find-runtime.ts';
import { hookIdentity } from '../config/same-hook.ts';

export interface CreateOptions {
  readonly id: string;
  /** The directory with config.json. */
  readonly bundle: string;
  readonly runner: RunnerChoice;
  readonly trust: Trust;
  /** Absent: the container gets only the hooks of its config.json. */
  readonly source?: HookSource;
  readonly known?: KnownFacts;
  /** Wraps the hooks that an OCI runtime runs. */
  readonly wrap?: WrapHook;
  /** Absent: destroy, as in OCI 1.3. */
  readonly poststartFailure?: PoststartFailure;
  /** Absent: log. */
  readonly stdio?: SupervisorOrder['stdio'];
  readonly signal?: CancelSignal;
}

export interface Draft {
  readonly kind: 'drafted';
  readonly container: Container;
  readonly bundle: Bundle;
  /** The new content of config.json. */
  readonly text: ByteText;
  readonly warnings: readonly Problem[];
}

export interface Drafting {
  readonly life: Life;
  readonly folder: ContainerFolder;
  /** The process of the command that creates the container. */
  readonly by: ProcessIdentity;
}

export async function draftContainer(
  drafting: Drafting,
  options: CreateOptions,
): Promise<Draft | Exclude<Filtering, { kind: 'filtered' }>> {
  const { life, folder, by } = drafting;
  const { files, clock } = life.platform;
  const bundle = await readBundle({ files, folder: options.bundle, trust: options.trust });
  const facts = gatherFacts(bundle.config, options.known);
  const chosen = options.source === undefined ? noHooks : await chooseHooks(options.source, facts);
  const runner = runnerOf(life, options.runner);
  const { id } = options;
  const createdAtMs = clock.nowMs();
  const base: Omit<Container, 'order' | 'hooks'> = {
    id,
    instance: `${by.pid}-${createdAtMs}`,
    createdAtMs,
    bundle: bundle.folder,
    rootfs: await findRootfs(files, bundle),
    annotations: facts.annotations,
    runner: options.runner,
    poststartFailure: options.poststartFailure ?? 'destroy',
  };
  const wrap = runner.hooksBy === 'runtime' ? options.wrap : undefined;
  const filtered = await filter(drafting, options, {
    base,
    chosen,
    text: addHooks(bundle, chosen, wrap),
  });
  if (filtered.kind !== 'filtered') return filtered;
  const final = parse({ ...bundle, text: filtered.text });
  const { instance, rootfs } = base;
  const stdio = options.stdio ?? 'log';
  const making = { id, instance, bundle: final, rootfs, folder: folder.path, stdio };
  const { hookRunner } = life;
  const prepared = await runner.prepare(making);
  const order = hookRunner === undefined ? prepared : { ...prepared, hookRunner };
  const skipsPoststop =
    options.runner.kind === 'runtime' && (await forgetsHooks(files, options.runner.command));
  const hooks = hooksToRun(final, chosen, { runner: options.runner, skipsPoststop });
  const { annotations } = gatherFacts(final.config);
  const container = { ...base, annotations, hooks, order };
  return { kind: 'drafted', container, bundle, text: filtered.text, warnings: chosen.warnings };
}

async function filter(
  { life, folder }: Drafting,
  { signal }: CreateOptions,
  proposal: {
    readonly base: Omit<Container, 'order' | 'hooks'>;
    readonly chosen: ChosenHooks;
    readonly text: ByteText;
  },
): Promise<Filtering> {
  const { base, chosen, text } = proposal;
  const filtering = {
    platform: life.platform,
    container: { ...base, hooks: chosen.hooks },
    moment: { status: 'creating' as const, pid: null },
    ledgerFolder: hooksFolder(folder),
    spool: spoolFolder(life.root),
    runner: hookRunnerOf(life, hooksFolder(folder)),
    emit: life.emit,
    ...(signal === undefined ? {} : { signal }),
  };
  return filterConfig(filtering, text);
}

/** `root.path` is relative to the bundle, or absolute (config.md, "Root"). */
async function findRootfs(files: Files, { folder, configPath, config }: Bundle): Promise<string> {
  const root = isObject(config['root']) ? config['root']['path'] : undefined;
  const path = typeof root === 'string' ? root : '';
  try {
    const real = await files.realPath(path.startsWith('/') ? path : `${folder}/${path}`);
    if (path !== '' && (await files.stat(real)).kind === 'folder') return real;
  } catch {
    // An inaccessible directory counts as missing.
  }
  throw new LifehookError({
    code: 'LHC208',
    message: `root.path is relative to the bundle and must name a directory; ${JSON.stringify(root)} does not.`,
    at: { file: configPath, line: 1, column: 1 },
    next: 'Create the directory, or correct root.path.',
  });
}

function parse(bundle: Bundle): Bundle {
  const reading = readConfig(bundle.text);
  if (reading.kind === 'refused') throw new LifehookError(reading.problem);
  return { ...bundle, config: reading.config };
}

/**
 * In the order of config.json, to which the chosen hooks were added. A chosen hook has the position in its hook file.
 */
function hooksToRun(
  { configPath, text, config }: Bundle,
  chosen: ChosenHooks,
  { runner, skipsPoststop }: { readonly runner: RunnerChoice; readonly skipsPoststop: boolean },
): HooksByPoint {
  const configured = readConfiguredHooks({ file: configPath, text, config });
  const { postexit = [] } = chosen.hooks;
  const tooMany = runner.kind === 'runtime' ? [] : tooManyHooks(configPath, configured.hooks);
  const problems = [...configured.problems, ...tooMany];
  if (problems.length > 0) throw new LifehookError(problems);
  if (runner.kind === 'runtime') {
    return { postexit, poststop: skipsPoststop ? (configured.hooks.poststop ?? []) : [] };
  }
  const lists = stages.map((stage) => {
    const places = new Map(
      (chosen.hooks[stage] ?? []).map(({ hook, source }) => [hookIdentity(hook), source]),
    );
    const hooks = (configured.hooks[stage] ?? []).map(({ hook, source }) => ({
      hook,
      source: places.get(hookIdentity(hook)) ?? source,
    }));
    return [stage, hooks] as const;
  });
  return { ...Object.fromEntries(lists), postexit };
}

function tooManyHooks(file: string, hooks: HooksByPoint): Problem[] {
  return stages.flatMap((stage) => {
    const count = (hooks[stage] ?? []).length;
    if (count <= MAX_STEPS) return [];
    return [
      {
        code: 'LHC207',
        severity: 'error' as const,
        message: `A stage holds at most ${MAX_STEPS} hooks; ${stage} has ${count}.`,
        at: { file, line: 1, column: 1 },
        next: 'Remove some of them.',
      },
    ];
  });
}
