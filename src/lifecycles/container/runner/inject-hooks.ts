/** Gather, decide, act for one bundle: its config.json gets the hooks that apply to it. */
import { LifehookError, type Problem } from '../../../model/problem.ts';
import type { Files } from '../../../platform/platform.ts';
import { codeOf } from '../../../platform/posix-error.ts';
import type { ShimHost } from '../../../platform/shim-host.ts';
import { readBundle, replaceConfig, type Bundle } from '../bundle.ts';

import { gatherFacts } from '../facts.ts';
import { patternsOf } from '../hooksd/check-hook.ts';
import type { HookFile } from '../hooksd/hook-file.ts';
import { classify } from '../hooksd/literal.ts';
import { literalFirst } from '../hooksd/literal-first.ts';
import type { Compile } from '../hooksd/pattern.ts';
import { selectHooks } from '../hooksd/select.ts';
import { spliceHooks } from '../splice.ts';
import type { IndexQuestion } from './hook-index.ts';
import { hooksIn, planInjection } from './plan-injection.ts';
import type { RuntimeSettings } from './runtime-settings.ts';
import { hookFilesFor } from './stored-index.ts';

export interface Injecting {
  readonly host: ShimHost;
  readonly settings: RuntimeSettings;
  readonly owners: readonly number[];
  readonly bundleFolder: string;
  readonly runner: string;
}

/** What config.json says now; null when there is none, of which the real runtime will tell. */
export interface Injected {
  readonly bundle: Bundle;
  /** poststop hooks, those included that were there before. */
  readonly poststop: readonly unknown[];
}

/** Throws a LifehookError for everything that has to stop the container. */
export async function injectHooks(injecting: Injecting): Promise<Injected | null> {
  const { host, settings, runner } = injecting;
  const bundle = await bundleOrNull(host.files, injecting.bundleFolder);
  if (bundle === null) return null;
  const facts = gatherFacts(bundle.config);
  const place = { path: settings.index, question: indexQuestion(injecting) };
  const files = await hookFilesFor(host, place, facts);
  const selection = selectHooks(files, facts, {
    prestart: settings.prestart,
    matcherOf: literalFirst(await compilerFor(files)),
  });
  const errors = selection.problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new LifehookError(errors);
  const additions = planInjection({ config: bundle.config, selection, settings, runner });
  const result = spliceHooks(bundle.text, additions, bundle.config);
  if (result.kind === 'refused') throw new LifehookError(inFile(bundle, result.problem));
  if (result.kind === 'changed') await replaceConfig(filesFor(host), bundle, result.text);
  return {
    bundle,
    poststop: [...hooksIn(bundle.config, 'poststop'), ...(additions.poststop ?? [])],
  };
}

/**
 * Who can write to a bundle decides what runs anyway, by its hooks and its process: nothing is gained
 * here by distrusting it.
 */
async function bundleOrNull(files: Files, folder: string): Promise<Bundle | null> {
  try {
    return await readBundle({ files, folder, trust: { owners: [], allowUntrusted: true } });
  } catch (error) {
    const cause = error instanceof LifehookError ? error.cause : null;
    if (codeOf(cause) === 'ENOENT') return null;
    throw error;
  }
}

/** What an index has to answer under these settings. */
export function indexQuestion({
  settings,
  owners,
}: Pick<Injecting, 'settings' | 'owners'>): IndexQuestion {
  return {
    folders: settings.hooksDirs,
    owners,
    allowUntrusted: settings.allowWritableByOthers,
    policy: {
      badFiles: settings.invalidFile === 'fail' ? 'refuse' : 'skip',
      brokenHooks: settings.missingBinary,
    },
  };
}

/** The pattern engine is loaded only for files that text comparison cannot decide. */
async function compilerFor(files: readonly HookFile[]): Promise<Compile> {
  const literal = files.every((file) =>
    patternsOf(file).every(({ text }) => classify(text).kind === 'literal'),
  );
  if (!literal) return (await import('./seldom.ts')).patternEngine();
  return (pattern) => {
    throw new Error(`no engine was loaded for ${JSON.stringify(pattern)}`);
  };
}

/** A bundle that a power failure takes is made again; to wait for the disk would be for nothing. */
function filesFor(host: ShimHost): Files {
  return { ...host.files, replace: host.replaceUnsynced };
}

function inFile({ configPath }: Bundle, problem: Problem): Problem {
  return problem.at === undefined
    ? problem
    : { ...problem, at: { ...problem.at, file: configPath } };
}
